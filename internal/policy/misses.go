package policy

import (
	"fmt"

	"bohier/internal/study"
)

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
