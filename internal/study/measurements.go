package study

import (
	"cmp"
	"slices"
)

// A Measurement is one of a configuration: a trial's own, or a replicate.
type Measurement struct {
	Trial     *Trial
	Replicate int // from 1; 0: the trial's own
	Observation
}

// Measurements are, by trial number, those of configurations that were measured more than once,
// in order of trials: of a trial its own and its replicates, and where it can be the best those
// of the others with the same configuration, too.
func (st *Study) Measurements(trials []Trial) map[int][]Measurement {
	out := map[int][]Measurement{}
	first, more := make(map[string]*Trial, len(trials)), map[string][]*Trial{}
	for k := range trials {
		t := &trials[k]
		if len(t.Replicates) > 0 {
			out[t.Number] = t.Measurements()
		}
		if !st.Counts(t) {
			continue
		}
		key := st.Space.Key(t.Config)
		if other := first[key]; other == nil {
			first[key] = t
		} else {
			more[key] = append(more[key], t)
		}
	}
	for key, list := range more {
		list = append(list, first[key])
		slices.SortFunc(list, func(a, b *Trial) int { return cmp.Compare(a.Number, b.Number) })
		var all []Measurement
		for _, t := range list {
			all = append(all, t.Measurements()...)
		}
		for _, t := range list {
			out[t.Number] = all
		}
	}
	return out
}

// Measurements are the trial's own; none where it has no values.
func (t *Trial) Measurements() []Measurement {
	if len(t.Values) == 0 {
		return nil
	}
	out := make([]Measurement, 0, 1+len(t.Replicates))
	for k, o := range t.Observations() {
		out = append(out, Measurement{t, k, o})
	}
	return out
}
