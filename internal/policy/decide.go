package policy

import "bohier/internal/study"

// Decide makes the plan of a suggestion: the methods that the study names, changed by
// the rules, which can act in it, one after the other. It is pure and fits nothing.
func Decide(v *View, rules []Rule) *study.Plan {
	p := named(v)
	if v.Goals != nil {
		rules = decideGoals(v, rules, p)
	}
	for _, r := range rules {
		if why := r.Apply(v, p); why != "" {
			p.Rules = append(p.Rules, study.RuleUse{Name: r.Name, Why: why})
		}
	}
	return p
}

// named is the plan without rules: what the study file names.
func named(v *View) *study.Plan {
	p := &study.Plan{
		Acquisition: Acquisition(v.Study), Baseline: study.BaselineAll, Incumbent: v.Best,
		Pending: countPending(v),
	}
	if v.Goals == nil {
		p.Model.Spec = v.model()
	}
	if v.Feasible == 0 && len(v.Study.Constraints) > 0 {
		p.Baseline = study.BaselineNone
	}
	for _, name := range ConstraintFactors(v.Study) {
		p.Factors = append(p.Factors, study.Factor{Name: name, Weight: 1})
	}
	if c := v.Study.Cost; c != nil && c.Exponent > 0 {
		p.Factors = append(p.Factors, study.Factor{Name: "cost", Weight: c.Exponent})
	}
	if v.PriorWeight > 0 {
		p.Factors = append(p.Factors, study.Factor{Name: "prior", Weight: v.PriorWeight})
	}
	return p
}

// How pending trials are counted. One joint draw of many outcomes averages over as much as
// several draws of few, so the draws get fewer as the trials get more. A trial that the
// surrogate would not try again if it were not pending changes no suggestion. Only the trials
// that it would try soonest count among very many: as many as half of the observed trials, so
// that the surrogate does not grow much by them, and few enough for a thousand to cost no more
// than a few hundred.
const (
	Draws        = 8   // joint draws of the outcomes of few pending trials
	manyPending  = 8   // from so many pending trials on fewer
	leastCounted = 32  // pending trials always count,
	mostCounted  = 128 // and so many at most
)

// countPending is how a plan counts so many pending trials.
func countPending(v *View) *study.PendingPlan {
	if v.Pending <= manyPending {
		return nil
	}
	return &study.PendingPlan{
		Draws: max(1, Draws*manyPending/v.Pending),
		Most:  min(max(leastCounted, v.Observed/2), mostCounted),
	}
}
