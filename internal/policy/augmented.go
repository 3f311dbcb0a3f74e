package policy

import (
	"fmt"

	"bohier/internal/study"
)

// augmentedRule discounts what a further measurement cannot tell. Expected improvement counts
// the whole standard deviation at a noisy leader, although one measurement removes little of
// it, and would measure there for the rest of the study.
func augmentedRule(v *View, p *study.Plan) string {
	if !v.Noisy {
		return ""
	}
	p.Augmented = true
	return noiseWords(v.Fit)
}

// materialNoise is the least variance of noise, in units of that of the values,
// with which the best value tells of luck as well.
const materialNoise = 0.01

// NoisyFit reports whether a fit found material noise.
func NoisyFit(fit *study.FitRecord) bool { return noiseShare(fit) >= materialNoise }

// noiseShare is the variance of noise that a fit found, in units of that of the values; where
// ends of curves are modelled by themselves theirs: how values on the way scatter is no noise.
func noiseShare(fit *study.FitRecord) float64 {
	if ends, ok := fit.Outcomes[study.EndsFit]; ok {
		return ends.Values["relative.noise"]
	}
	return fit.Models[fit.Used].Hyper.Values["relative.noise"]
}

// noiseWords say how noise was noticed.
func noiseWords(fit *study.FitRecord) string {
	if NoisyFit(fit) {
		return fmt.Sprintf("noise is %.2g of the variance of the values", noiseShare(fit))
	}
	return "measurements differ, or have a standard error"
}

// A surrogate whose hyperparameters fit a few trials is sure of the rest, most of all of what a
// search has picked because it looked good. The results of such picks show how sure it should
// have been.
const (
	missesRule   = "scale.misses"
	missesPeriod = 2 // one suggestion in so many, so that the others polish what is known
)

// scaleByMisses has standard deviations count as many times as the latest predictions were
// off by.
func scaleByMisses(v *View, p *study.Plan) string {
	if !(v.Misses > 1) || v.Noisy || v.Infeasible > 0 || !v.turn(missesRule, missesPeriod) {
		return ""
	}
	p.Scale = v.Misses
	return fmt.Sprintf("what the surrogate chose last came out %.2g predicted standard deviations off (root mean square)",
		v.Misses)
}

// KeepsExpectations reports whether a study keeps what is expected of its suggestions, for
// the rule that compares it with what came of them.
func KeepsExpectations(st *study.Study) bool { return !leftOut(st, missesRule) && tellsMisses(st) }

// tellsMisses reports whether predictions of a study are compared with what came of them: in
// a space of numbers alone. Branches have a share of the suggestions whatever is believed of
// them, and how little choices tell of each other is known to their kernel and its prior. Where
// something is infeasible, other rules look beside the edge.
func tellsMisses(st *study.Study) bool {
	return !st.Several() && len(st.Constraints) == 0 && st.Among == 0 && !st.Fidelity.Early() && !branching(st) &&
		!choosing(st)
}
