package surrogate

import (
	"maps"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// warmStart is where a fit starts after one that the journal kept.
func warmStart(kept study.HyperSet) gp.Warm {
	return gp.Warm{Hyper: kept.Values, FittedTo: gp.FittedTo(kept.FittedTo)}
}

// Kept is what the journal keeps of a fit's hyperparameters. With the checksum of the data
// none that starts from it fits the same data again.
func (f *Fitted) Kept(checksum bool) study.HyperSet {
	w := f.Report.Warm
	if !checksum {
		w.FittedTo.Data = 0
	}
	return study.HyperSet{Values: maps.Clone(w.Hyper), FittedTo: study.FittedTo(w.FittedTo)}
}
