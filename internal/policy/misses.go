package policy

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A surrogate whose hyperparameters fit a few trials is sure of the rest, most of all of what a
// search has picked because it looked good. How sure it should have been is told by what came
// of that.
const (
	missesRule   = "scale.misses"
	missesPeriod = 2  // one suggestion in so many, so that the others polish what is known
	missesKept   = 10 // latest suggestions that tell
	missesMost   = 5  // standard deviations that one of them counts as off at most
)

// scaleByMisses has standard deviations count as many times as the latest predictions were
// off by.
func scaleByMisses(v *View, p *study.Plan) string {
	if !(v.Misses > 1) || v.Noisy || v.Infeasible > 0 || !v.turn(missesRule, missesPeriod) {
		return ""
	}
	p.Scale = v.Misses
	return fmt.Sprintf("what the surrogate chose last came out %.2g predicted standard deviations off (root mean square)", v.Misses)
}

// tellsMisses reports whether predictions of a study are compared with what came of them: in
// a space of numbers alone. Branches have a share of the suggestions whatever is believed of
// them, and how little choices tell of each other is known to their kernel and its prior. Where
// something is infeasible, other rules look beside the edge.
func tellsMisses(st *study.Study) bool {
	return !st.Several() && len(st.Constraints) == 0 && st.Among == 0 && st.Fidelity == nil && !branching(st) && !choosing(st)
}

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
			z := min(missesMost, math.Abs(v-e.Mean)/e.SD)
			sum, n = sum+z*z, n+1
		}
	}
	return math.Sqrt(sum / n)
}

// noteExpected keeps what is expected of the configuration that is suggested, also under an
// acquisition function with which the rule does not act: a study may change it.
func (s *surrogates) noteExpected(c space.Configuration) {
	if leftOut(s.st, missesRule) || !tellsMisses(s.st) || s.fit == nil || s.fit.Model == nil {
		return
	}
	mean, _, sd := s.fit.Predict(s.st.Space, []space.Configuration{c})
	latest := append(slices.Clone(s.r.Warm.Clone().Expected), study.Expectation{Trial: s.r.Number, Mean: mean[0], SD: sd[0]})
	s.note.Expected = latest[max(0, len(latest)-missesKept):]
}
