package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Candidate is one of a list that was ranked, as `score` prints it: Score is of the acquisition function, larger is
// better, and null where it is no number; Tried means that it was tried before, refused or is pending.
type Candidate struct {
	Schema string          `json:"schema"`
	Params json.RawMessage `json:"params"`
	Score  *float64        `json:"score"`
	Rank   int             `json:"rank"`
	*study.Estimate
	Objectives map[string]study.Expected `json:"objectives,omitempty"` // of several, in place of mean and std
	Tried      bool                      `json:"tried"`

	Config space.Configuration `json:"-"` // which Params has
}

// CandidateTable lists ranked candidates for people, with predictions for the named ones of several objectives.
func CandidateTable(st *study.Study, names []string, list []Candidate) Table {
	t := TableOf(">rank", ">score")
	for _, a := range list {
		t.Row(a.Rank, cmp.Or(written(a.Score, Rounded), "–"))
	}
	if slices.ContainsFunc(list, func(a Candidate) bool { return a.Estimate != nil }) {
		names = nil
		t.Column("mean", true, func(k int) any { return list[k].Mean })
		t.Column("std", true, func(k int) any { return list[k].Std })
	}
	for _, name := range names {
		t.Column(name, true, func(k int) any {
			if e, ok := list[k].Objectives[name]; ok {
				return PlusMinus(e.Mean, e.Std)
			}
			return "–"
		})
	}
	t.params(st.Space, lists.Of(list, func(a Candidate) space.Configuration { return a.Config }))
	if slices.ContainsFunc(list, func(a Candidate) bool { return a.Tried }) {
		t.Column("tried", false, func(k int) any {
			if list[k].Tried {
				return "yes"
			}
			return ""
		})
	}
	return t
}

// Explained puts an explanation into sentences, one a line.
func Explained(st *study.Study, e *study.Explanation) string {
	return passage("explain.tmpl", told{e, st})
}

// told is an explanation with the data of its words.
type told struct {
	*study.Explanation
	study *study.Study
}

// Objective is the name of the objective, of several of the first.
func (e told) Objective() string { return e.study.Objective().Name }

// Assigned is a configuration for people: "lr=0.003 kernel=rbf".
func (e told) Assigned(params []byte) string {
	s := e.study.Space
	c, err := s.ParseJSON(params)
	if err != nil {
		return string(params)
	}
	var parts []string
	for i := range s.Params() {
		if c.Active[i] && s.Param(i).Kind != space.Constant {
			parts = append(parts, s.Param(i).Name+"="+Cell(s, c, i))
		}
	}
	return strings.Join(parts, " ")
}

// Fallback is why the surrogate had nothing to say; empty: it had, or somebody else suggested.
func (e told) Fallback() string {
	reason, fell := strings.CutPrefix(e.Source, "fallback:")
	if !fell {
		return ""
	}
	return reason
}

// Again is which measurement of its configuration the trial is.
func (e told) Again() int { return e.Repeat.Measured + 1 }

// Believed are the predictions for several objectives.
func (e told) Believed(list map[string]study.Estimate) string {
	return Listed(e.study, func(name string) string { return believedOr(&study.Posterior{Objectives: list}, name, nil) })
}

// Leader is the posterior of the incumbent; empty: it was the best value.
func (e told) Leader() string {
	if believed, ok := e.Incumbent.Posterior.Of(e.Objective()); ok {
		return Believed(believed)
	}
	return ""
}

// Mention names a trial, with its words.
func (e told) Mention(m *study.Mention) string { return "trial " + m.ID + " (" + e.Values(m) + ")" }

// Values are those of a trial, with posterior means in place of noisy ones.
func (e told) Values(m *study.Mention) string {
	return Listed(e.study, func(name string) string { return believedOr(m.Posterior, name, m.Values) })
}

// most is the number of alternatives that are put into words.
const most = 5

// Told are the alternatives that are put into words, and Untold is the number of the others.
func (e told) Told() []study.Alternative { return e.Alternatives[:min(most, len(e.Alternatives))] }

func (e told) Untold() int { return max(len(e.Alternatives)-most, 0) }

// An idle group is the inactive parameters that need one condition.
type idle struct {
	Names     []string
	Condition string
}

// Idle are the groups, in the order of their first parameters.
func (e told) Idle() (out []*idle) {
	for _, p := range e.Inactive {
		k := slices.IndexFunc(out, func(g *idle) bool { return g.Condition == p.Condition })
		if k < 0 {
			k, out = len(out), append(out, &idle{Condition: p.Condition})
		}
		out[k].Names = append(out[k].Names, p.Name)
	}
	return out
}

// Scored are the parts of the score: "logei", "logei with the cost".
func (e told) Scored() string {
	var with []string
	for _, f := range e.Factors {
		name, bound := strings.CutPrefix(f, "constraint.")
		switch {
		case f == *e.Acquisition:
		case bound:
			with = append(with, "the constraint on "+name)
		case f == "feasibility":
			with = append(with, "the chance not to fail")
		default:
			with = append(with, "the "+f)
		}
	}
	all := strings.Join(with, ", ")
	switch {
	case all == "":
		return *e.Acquisition
	case e.Factors[0] != *e.Acquisition:
		return "of feasibility alone: " + all
	}
	return *e.Acquisition + " with " + all
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
	switch m.Warping {
	case study.WarpingOn:
		parts = append(parts, "warped axes")
	case study.WarpingLog:
		parts = append(parts, "logarithmic axes")
	}
	if m.Mean != "" {
		parts = append(parts, "a "+m.Mean+" mean")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// some are conditions, six at most.
func some(list []string, word string) string {
	const spoken = 6
	if more := len(list) - spoken; more > 0 {
		return strings.Join(list[:spoken], word) + fmt.Sprintf(word+"%d more conditions", more)
	}
	return strings.Join(list, word)
}
