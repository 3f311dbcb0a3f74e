package policy

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/study"
)

// The improvement that each further configuration with the least value of an objective asks of
// a better one, in standard deviations of the modelled objective, and that all of them ask at
// most.
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

// Points outside a narrow front pay only where the reference point is far. One suggestion in so
// many looks there.
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

// byGoal reports whether a rule is about one objective: how it is modelled, and what
// counts as better.
func byGoal(r Rule) bool {
	kind, _, _ := strings.Cut(r.Name, ".")
	return kind == "model" || kind == "xi" || kind == "noise"
}

// decideGoals applies the rules about one objective to each of several, and returns
// the others.
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
