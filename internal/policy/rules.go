package policy

import (
	"slices"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Rule changes a plan. Apply returns the reason in numbers, or nothing where the rule
// does not apply; it only reads the view.
type Rule struct {
	Name string
	Doc  string // one sentence: the action of the rule, and its source
	// Can reports whether the rule can act in a study, whatever its trials turn out to be; nil:
	// it always can. With several objectives, rules about one (byGoal) are asked about each.
	Can   func(st *study.Study) bool
	Apply func(v *View, p *study.Plan) (why string) // where the rule can act
}

// Rules are all rules of the policy, in the order in which they act. bench/notes has the measured effect of each.
func Rules() []Rule {
	return []Rule{
		{priorRule, "Every second point of the initial design follows the user's prior; the other points ignore it.",
			believing, noPlan},
		{choiceRule, "What the study leaves open is compared with one alternative at a time, by the prediction of " +
			"observations left out: the transform halfrank, the kernel effects, warped axes (from 20 trials on) and " +
			"logarithmic axes of linear ranges over three decades. Each comparison is made again when the trials have " +
			"grown by a quarter, up to 1,000. The mean is a plane from half a trial for each number to two trials for each " +
			"active one, or up to the second poor suggestion: one that three times as many results beat as it beats. A " +
			"design whose best point is the middle of the space gets no plane.", choosesModel, chooseModel},
		{elsewhereRule, "With one objective and from three trials for each active number on, while the latest search " +
			"expected to gain less than a thousandth of a standard deviation, every second suggestion is the next point of " +
			"the design.", expectsOneGain, lookElsewhere},
		{branchRule, "With one objective and from three trials for each active number on, at most every second suggestion " +
			"searches one branch, or one value of at most three active choices, to improve on its own best: the branch of " +
			"rank r in proportion to 1/r (successive rejects: Audibert, Bubeck & Munos 2010). A branch that would stay " +
			"behind the best even if every trial so far had its expected gain leaves its turn to the whole space.", branching,
			branchShare},
		{unseenRule, "While a value of a choice is untried, one suggestion in four has such a value. A value whose f " +
			"trials all failed is sought in one of 4 + f.", choosing, tryUnseen},
		{reachRule, "With several objectives, one suggestion in three measures the hypervolume from a reference point at " +
			"least a standard deviation beyond the front.", measuresVolume, frontReach},
		{"xi.floor", "With several objectives, if k configurations share the least value of one objective, gains below " +
			"this value count from ξ = min(1, 0.2·(k − 1)) standard deviations on (ξ: Lizotte 2008).", amongSeveral, xiFloor},
		{"noise.augmented", "If noise is material, expected improvement counts only the share of the standard deviation " +
			"that one measurement removes (augmented expected improvement: Huang, Allen, Notz & Zeng 2006).", expectsNoise,
			augmentedRule},
		{"constraint.margin", "A bound is kept with a margin that grows by ¼ σ with every near miss and shrinks with every " +
			"success (1/5 rule: Rechenberg 1973).", bounded, constraintMargin},
		{penaltyRule, "With one objective, trials that share the worst value count as infeasible if no other value is as " +
			"frequent and it is farther from the next value than that is from the best.", alone, penalties},
		{"failures.pessimism", "Infeasible trials are assumed to be at least as bad as the lower quartile of the good ones.",
			nil, pessimism},
		{"failures.surrogate", "The probability of success, cubed, multiplies the acquisition function.", multiplies,
			failureFactor},
		{ContinueRule, "Under `start: auto` a paused trial continues if its expected improvement at full resource " +
			"is larger per unit than that of a new configuration (after freeze-thaw: Swersky, Snoek & Adams 2014). A new " +
			"configuration first runs to the level that promises most per unit (marginal value theorem: Charnov 1976).",
			Continues, noPlan},
	}
}

// InForce are the rules that can act in a study, except rules that it leaves out.
func InForce(st *study.Study) []Rule {
	return slices.DeleteFunc(Rules(), func(r Rule) bool { return leftOut(st, r.Name) || !r.canAct(st) })
}

// leftOut reports whether a study leaves out the rule with that name.
func leftOut(st *study.Study, name string) bool {
	return st.Policy.Plain || slices.Contains(st.Policy.Without, name)
}

// canAct reports whether a rule can act in a study, or for any of its objectives.
func (r Rule) canAct(st *study.Study) bool {
	if r.Can == nil || !byGoal(r) {
		return r.Can == nil || r.Can(st)
	}
	return lists.Any(len(st.Objectives), func(k int) bool { return r.Can(st.For(k)) })
}

// RuleNames are the names of all rules.
func RuleNames() []string { return lists.Of(Rules(), func(r Rule) string { return r.Name }) }

// priorRule is the rule that acts on the initial design.
const priorRule = "design.prior"

// PriorGuidesDesign reports whether every second point of a study's initial design follows the user's priors.
func PriorGuidesDesign(st *study.Study) bool { return believing(st) && !leftOut(st, priorRule) }

// noPlan changes no plan: its rule acts on the initial design or on paused trials, where they are chosen.
func noPlan(*View, *study.Plan) string { return "" }

// The properties that a study must have for a rule to act in it.

func believing(st *study.Study) bool { return st.Space.HasPriors() }

func branching(st *study.Study) bool {
	return !st.Several() && (st.Space.HasBranches(2) || len(sharedChoices(st)) > 0)
}

func choosing(st *study.Study) bool {
	return slices.ContainsFunc(st.Space.Params(), func(p space.Parameter) bool { return p.Nominal() })
}

func amongSeveral(st *study.Study) bool { return st.Among != nil }

// alone reports whether a study has one objective and no fidelity, with which the rule was not measured.
func alone(st *study.Study) bool { return st.Among == nil && !st.Several() && !st.Fidelity.Early() }

func measuresVolume(st *study.Study) bool { return Acquisition(st) == "logehvi" }

func expectsNoise(st *study.Study) bool { return expectsGain(st) && !st.Objective().Noise.None }

// expectsGain reports whether the acquisition function is the expected gain of a measurement.
func expectsGain(st *study.Study) bool {
	return slices.Contains([]string{"logei", "logehvi", "parego"}, Acquisition(st))
}

func expectsOneGain(st *study.Study) bool { return Acquisition(st) == "logei" }

func bounded(st *study.Study) bool { return len(st.Constraints) > 0 }

// multiplies: an acquisition function without factors learns of failures through their pessimism.
func multiplies(st *study.Study) bool {
	_, err := LogAcquisition(Acquisition(st))
	return err == nil
}
