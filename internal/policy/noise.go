package policy

import (
	"bohier/internal/study"
)

// materialNoise is the least variance of noise, in units of that of the values,
// with which the best value tells of luck as well.
const materialNoise = 0.01

// MaterialNoise reports whether a study's objective is noisy enough for its best value
// to be luck: the newest fit, as the journal has it, found as much, a standard error
// was reported, or measurements of one configuration differ. No surrogate is
// fitted to tell.
func MaterialNoise(st *study.Study, trials []study.Trial, fit *study.FitRecord) bool {
	if fit = fit.Of(st); fit != nil && fit.Models[fit.Champion].Hyper["relative.noise"] >= materialNoise {
		return true
	}
	first := map[string]float64{}
	for k := range trials {
		t := &trials[k]
		if t.State != study.Complete || t.Outside {
			continue
		}
		key := st.Space.Key(t.Config)
		for r := -1; r < len(t.Replicates); r++ {
			o := t.Observation
			if r >= 0 {
				o = t.Replicates[r]
			}
			v, ok := o.Values[st.Objective.Name]
			if !ok {
				continue
			}
			if o.Stderr != nil && *o.Stderr > 0 {
				return true
			}
			if known, again := first[key]; again && v != known {
				return true
			}
			first[key] = v
		}
	}
	return false
}
