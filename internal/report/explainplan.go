package report

import (
	"strings"

	"bohier/internal/study"
)

// sayPlan puts the plan of a suggestion into sentences: what modelled the objectives, the
// region that was searched, what improvement was measured against, and the rules that decided.
func (e *Explanation) sayPlan(st *study.Study, say func(string, ...any)) {
	p := e.Plan
	if p == nil {
		return
	}
	if p.Objectives == nil {
		say("%s was modelled with %s.", st.Objective().Name, modelWords(p.Model.Spec))
	}
	for _, o := range p.Objectives {
		say("%s was modelled with %s.", o.Name, modelWords(o.Model.Spec))
	}
	e.Region.say(say)
	switch {
	case e.Source == "replicate" || p.Acquisition == "lcb": // have nothing to beat
	case p.Baseline == study.BaselineRegion:
		say("Improvement was measured against the best trial there.")
	case p.Baseline == study.BaselineNone:
		say("No trial was feasible, so there was nothing to improve on.")
	case p.Acquisition == "parego":
		say("Improvement was measured against the best of all trials, by weights drawn for the suggestion.")
	case p.Objectives != nil:
		say("Improvement was measured against the front of all trials.")
	default:
		say("Improvement was measured against the best of all trials.")
	}
	if p.Xi > 0 {
		say("Improvement counted from %s standard deviations on.", Brief(p.Xi))
	}
	for _, o := range p.Objectives {
		if o.Xi > 0 {
			say("Of %s improvement counted from %s standard deviations on.", o.Name, Brief(o.Xi))
		}
	}
	if c := p.Pending; c != nil {
		say("Pending trials counted with %s of their outcomes, %d trials at most.", study.Count(c.Draws, "joint draw"), c.Most)
	}
	if len(p.Rules) == 0 {
		return
	}
	say("Rules that decided:")
	for _, r := range p.Rules {
		say("  %s: %s", r.Name, r.Why)
	}
}

// modelWords is a model of an objective: "the kernel box, the power transform and a linear mean".
func modelWords(m study.ModelSpec) string {
	parts := []string{"the kernel " + m.Kernel}
	if m.Fidelity != "" {
		parts = append(parts, "the model "+m.Fidelity+" of what resources tell")
	}
	if m.Transform == "none" {
		parts = append(parts, "no transform")
	} else {
		parts = append(parts, "the "+m.Transform+" transform")
	}
	if m.Warping == study.WarpingOn {
		parts = append(parts, "warped axes")
	}
	if m.Mean != "" {
		parts = append(parts, "a "+m.Mean+" mean")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
