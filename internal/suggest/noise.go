package suggest

import (
	"math"

	"bohier/internal/gp"
	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// MaterialNoise reports whether a study's objective, or one of several, is noisy enough for
// its best value to be luck: the newest fit, as the journal has it, found as much, a
// standard error was reported, or measurements of one configuration differ. No surrogate
// is fitted to tell.
func MaterialNoise(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	for k := range st.Objectives {
		if noisy(st.For(k), trials, fit) {
			return true
		}
	}
	return false
}

// noisy is MaterialNoise of one objective.
func noisy(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	if known := st.Objective().Noise; known.None || known.SD > 0 {
		return known.SD > 0
	}
	if fit = fit.Of(st); fit != nil && policy.NoisyFit(fit) {
		return true
	}
	first := map[string]float64{}
	for _, t := range trials {
		if t.State != study.Complete || t.Outside {
			continue
		}
		key := st.Space.Key(t.Config)
		for _, o := range t.Observations() {
			v, ok := o.Values[st.Objective().Name]
			if !ok {
				continue
			}
			if se := o.ErrorOf(st.Objective().Name); se != nil && *se > 0 {
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

// measurementError is the standard deviation of the noise of one measurement, in
// standardised units: the fitted one and the median of those reported.
func measurementError(f *surrogate.Fitted, m *gp.Model) float64 {
	variance, unit := m.StandardNoise(), m.Units().Deviation(1)
	var reported []float64
	for _, sd := range f.Stderr {
		if sd > 0 {
			reported = append(reported, sd/unit)
		}
	}
	if len(reported) > 0 {
		sd := gp.Median(reported)
		variance += sd * sd
	}
	return math.Sqrt(variance)
}
