package policy

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/study"
)

// These rules change the score of a suggestion. The probabilities to keep a constraint and not to fail multiply with
// the expected improvement (Gelbart, Snoek & Adams 2014, arXiv:1403.5607). Noise discounts it (augmented expected
// improvement: Huang, Allen, Notz & Zeng 2006, doi:10.1007/s10898-005-2454-3).

// OtherSide ends the name of the factor of an outcome's second bound.
const OtherSide = ".other"

// ConstraintFactors are the factor names of a study's constraints, in their order.
func ConstraintFactors(st *study.Study) []string {
	var out []string
	for _, c := range st.Constraints {
		key := "constraint." + c.Name
		if slices.Contains(out, key) { // bounded on the other side, too
			key += OtherSide
		}
		out = append(out, key)
	}
	return out
}

// constraintMargin keeps every bound with the margin that its trials call for.
func constraintMargin(v *View, p *study.Plan) string {
	var why []string
	for k := range p.Factors {
		if m := v.Margins[p.Factors[k].Name]; m > 0 {
			p.Factors[k].Margin = m
			why = append(why, fmt.Sprintf("%s by %g σ", p.Factors[k].Name, m))
		}
	}
	return strings.Join(why, ", ")
}

// feasibilityWeight was compared where the optimum was on the edge (bench/notes). A failure costs a trial and says
// nothing about the objective, which looks promising beyond the edge of the feasible.
const feasibilityWeight = 3

func failureFactor(v *View, p *study.Plan) string {
	if v.Infeasible == 0 {
		return ""
	}
	p.Factors = append(p.Factors, study.Factor{Name: "feasibility", Weight: feasibilityWeight})
	return study.Count(v.Infeasible, "trial") + " failed as infeasible"
}

// pessimismQuantile is the quantile of good trials that infeasible ones count as, at best, so that little is expected
// of the surroundings of a failure. (The worst of the good would keep too far from the edge, where the best
// configurations may be; the best of them lets more than half of the trials near it fail.)
const pessimismQuantile = 0.25

func pessimism(v *View, p *study.Plan) string {
	if v.Infeasible == 0 {
		return ""
	}
	p.Pessimism = pessimismQuantile
	return study.Count(v.Infeasible, "trial") + " failed as infeasible"
}

// augmentedRule discounts the uncertainty that a further measurement cannot remove. Expected
// improvement counts the whole standard deviation at a noisy leader, although one measurement
// removes little of it, and would measure there for the rest of the study.
func augmentedRule(v *View, p *study.Plan) string {
	if !v.Noisy {
		return ""
	}
	p.Augmented = true
	return noiseWords(v.Fit)
}

// materialNoise is the least variance of noise, in units of that of the values, with which the best value may be luck.
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

// noiseWords describe how noise was noticed.
func noiseWords(fit *study.FitRecord) string {
	if NoisyFit(fit) {
		return fmt.Sprintf("noise is %.2g of the variance of the values", noiseShare(fit))
	}
	return "measurements differ, or have a standard error"
}

// The improvement that each further configuration with the least value of an objective asks of a better one, in
// standard deviations of the modelled objective, and that all of them ask at most.
const (
	xiPerTie = 0.2
	xiMost   = 1
)

// fewFloored configurations with the least value make it a floor.
const fewFloored = 3

func xiFloor(v *View, p *study.Plan) string {
	if v.Floor < 2 {
		return ""
	}
	p.Xi = min(xiMost, xiPerTie*float64(v.Floor-1))
	return fmt.Sprintf("%d configurations share the least value", v.Floor)
}

// Points outside a narrow front pay only where the reference point is far. One suggestion in so many looks there.
const (
	reachRule   = "front.reach"
	reachPeriod = 3
	reach       = 1 // standard deviations beyond the nadir
)

func frontReach(v *View, p *study.Plan) string {
	if !v.turn(reachRule, reachPeriod) {
		return ""
	}
	p.Reach = reach
	return fmt.Sprintf("one suggestion in %d", reachPeriod)
}

// byGoal reports whether a rule is about one objective: its model, and the meaning of better.
func byGoal(r Rule) bool {
	kind, _, _ := strings.Cut(r.Name, ".")
	return kind == "model" || kind == "xi" || kind == "noise"
}

// decideGoals applies the rules about one objective to each of several, and returns the others.
func decideGoals(v *View, rules []Rule, p *study.Plan) []Rule {
	for _, g := range v.Goals {
		name := g.Study.Objective().Name
		own := Decide(g, slices.DeleteFunc(slices.Clone(rules),
			func(r Rule) bool { return !byGoal(r) || !r.canAct(g.Study) }))
		for _, use := range own.Rules {
			p.Rules = append(p.Rules, study.RuleUse{Name: use.Name, Why: name + ": " + use.Why})
		}
		p.Objectives = append(p.Objectives,
			study.ObjectivePlan{Name: name, Model: own.Model, Xi: own.Xi, Augmented: own.Augmented})
	}
	return slices.DeleteFunc(slices.Clone(rules), byGoal)
}
