package report

import (
	"fmt"
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
		say("Pending trials counted with %s of their outcomes, %d trials at most.", study.Count(c.Draws, "joint draw"),
			c.Most)
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

// Region is the only part of the space that a suggestion was sought in; null: the whole
// space. Part is "branch", the branch in which the conditions
// of Holds hold and those of Fails do not (what they imply is left out), or "values",
// the configurations with one of Values. Tried is the number of trials before it in the
// branch, or with each of the values. Rank is the place of the branch or the value by its best trial, 0
// where it did not matter. Baseline is what improvement was measured against: the best of "all"
// trials, or of those in the "region"; null where nothing was, and the score is that of feasibility
// or of a bound. Incumbent is that best trial, null while its value is pending.
type Region struct {
	Part      string               `json:"part"`
	Holds     []string             `json:"holds"`
	Fails     []string             `json:"fails"`
	Values    []study.RegionValues `json:"values"`
	Tried     int                  `json:"tried"`
	Rank      int                  `json:"rank"`
	Baseline  *study.Baseline      `json:"baseline"`
	Incumbent *Mention             `json:"incumbent"`
}

// say puts a region into sentences; nothing for nil.
func (g *Region) say(say func(string, ...any)) {
	if g == nil {
		return
	}
	where, among := "the branch "+branchWords(g)+" was", "branches"
	if g.Part != "branch" {
		var values []string
		for _, v := range g.Values {
			values = append(values, v.Name+" = "+strings.Join(v.Values, " or "))
		}
		where, among = "configurations with "+strings.Join(values, " or ")+" were", "values"
	}
	switch {
	case g.Rank > 0:
		say("Only %s considered: the best there is number %d among those of all %s, with %s there, less than its share.",
			where, g.Rank, among, study.Count(g.Tried, "trial"))
	case g.Tried == 0:
		say("Only %s considered: no trial was there.", where)
	default: // by rules of older versions
		say("Only %s considered, with the fewest trials (%d).", where, g.Tried)
	}
}

// spoken is the number of conditions that are put into words.
const spoken = 6

func branchWords(g *Region) string {
	switch {
	case len(g.Holds) == 0 && len(g.Fails) == 1:
		return "where not " + g.Fails[0]
	case len(g.Holds) == 0:
		return "where none of these holds: " + conditions(g.Fails, "; ")
	}
	text := "where " + conditions(g.Holds, " and ")
	switch len(g.Fails) {
	case 0:
	case 1:
		text += ", but not " + g.Fails[0]
	default:
		text += ", but none of: " + conditions(g.Fails, "; ")
	}
	return text
}

func conditions(list []string, word string) string {
	if more := len(list) - spoken; more > 0 {
		return strings.Join(list[:spoken], word) + fmt.Sprintf(word+"%d more conditions", more)
	}
	return strings.Join(list, word)
}
