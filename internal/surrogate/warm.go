package surrogate

import (
	"maps"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// The journal keeps what hyperparameters were fitted to among them, under these names.
const (
	observations = "observations"
	best         = "best"
	data         = "data"
)

// warmStart is where a fit starts after one that the journal kept.
func warmStart(kept study.HyperSet) gp.Warm {
	w := gp.Warm{Hyper: maps.Clone(kept), FittedTo: gp.FittedTo{
		Observations: int(kept[observations]), Best: uint64(kept[best]), Data: uint64(kept[data]),
	}}
	for _, name := range []string{observations, best, data} {
		delete(w.Hyper, name)
	}
	return w
}

// Kept is what the journal keeps of a fit's hyperparameters. With the checksum of the data
// none that starts from it fits the same data again.
func (f *Fitted) Kept(checksum bool) study.HyperSet {
	to, out := f.Report.Warm.FittedTo, study.HyperSet(maps.Clone(f.Report.Warm.Hyper))
	out[observations], out[best] = float64(to.Observations), float64(to.Best)
	if checksum {
		out[data] = float64(to.Data)
	}
	return out
}
