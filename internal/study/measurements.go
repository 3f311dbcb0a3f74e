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

// Measurements are, by trial number, those of the trial's configuration, in order of trials:
// its own and its replicates, and of trials that can be the best those of the others with the
// same configuration, too.
func (st *Study) Measurements(trials []Trial) map[int][]Measurement {
	out := make(map[int][]Measurement, len(trials))
	same := map[string][]*Trial{}
	for k := range trials {
		t := &trials[k]
		out[t.Number] = t.own()
		if st.Counts(t) {
			key := st.Space.Key(t.Config)
			same[key] = append(same[key], t)
		}
	}
	for _, list := range same {
		if len(list) == 1 {
			continue
		}
		slices.SortFunc(list, func(a, b *Trial) int { return cmp.Compare(a.Number, b.Number) })
		var all []Measurement
		for _, t := range list {
			all = append(all, out[t.Number]...)
		}
		for _, t := range list {
			out[t.Number] = all
		}
	}
	return out
}

// own are the trial's own measurements; none where it has no values.
func (t *Trial) own() []Measurement {
	if len(t.Values) == 0 {
		return nil
	}
	out := []Measurement{{t, 0, t.Observation}}
	for k, o := range t.Replicates {
		out = append(out, Measurement{t, k + 1, o})
	}
	return out
}
