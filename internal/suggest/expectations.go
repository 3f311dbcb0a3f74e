package suggest

import (
	"math"
	"slices"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// How many of the latest suggestions tell what predictions are off by, and how many standard
// deviations one of them counts as off at most.
const (
	expectationsKept = 10
	mostOff          = 5
)

// misses is the root mean square of what the latest predictions were off by, in standard
// deviations, with one that was off by one as the prior (recalibration after what was
// predicted: Deshpande, Marx & Kuleshov 2024, here of the scale alone).
func misses(h *history, fit *study.FitRecord) float64 {
	sum, n := 1.0, 1.0
	for _, e := range fit.Expected {
		k := slices.IndexFunc(h.Observed, func(t *study.Trial) bool { return t.Number == e.Trial })
		if k < 0 {
			continue
		}
		if v, ok := h.Observed[k].Values[h.st.Objective.Name]; ok && e.SD > 0 {
			z := min(mostOff, math.Abs(v-e.Mean)/e.SD)
			sum, n = sum+z*z, n+1
		}
	}
	return math.Sqrt(sum / n)
}

// noteExpected keeps what is expected of the configuration that is suggested, also under an
// acquisition function with which the rule does not act: a study may change it.
func (s *surrogates) noteExpected(c space.Configuration) {
	if !policy.KeepsExpectations(s.st) || s.fit == nil || s.fit.Model == nil {
		return
	}
	mean, _, sd := s.fit.Predict(s.st.Space, []space.Configuration{c})
	latest := append(slices.Clone(s.r.Warm.Clone().Expected), study.Expectation{Trial: s.r.Number, Mean: mean[0], SD: sd[0]})
	s.note.Expected = latest[max(0, len(latest)-expectationsKept):]
}
