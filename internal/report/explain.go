package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A Candidate is one of a list that was ranked, as `score` prints it: Score is of the acquisition
// function, larger is better, and null where it is no number; Tried tells that it was tried before,
// refused or is pending.
type Candidate struct {
	Schema string          `json:"schema"`
	Params json.RawMessage `json:"params"`
	Score  *float64        `json:"score"`
	Rank   int             `json:"rank"`
	*study.Estimate
	Objectives map[string]Expected `json:"objectives,omitempty"` // of several, in place of mean and std
	Tried      bool                `json:"tried"`

	Config space.Configuration `json:"-"` // which Params has
}

// Assignments is a configuration for people: "lr=0.003 kernel=rbf".
func Assignments(s *space.Space, c space.Configuration) string {
	var parts []string
	for i := range s.Params() {
		if c.Active[i] && s.Param(i).Kind != space.Constant {
			parts = append(parts, s.Param(i).Name+"="+Cell(s, c, i))
		}
	}
	return strings.Join(parts, " ")
}

// CandidateTable lists ranked candidates for people, with what is expected of the named ones
// of several objectives.
func CandidateTable(st *study.Study, names []string, list []Candidate) Table {
	t := TableOf(">rank", ">score")
	confs := make([]space.Configuration, len(list))
	for k, a := range list {
		t.Row(a.Rank, cmp.Or(written(a.Score, Rounded), "–"))
		confs[k] = a.Config
	}
	if !st.Several() {
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
	t.params(st.Space, confs)
	if slices.ContainsFunc(list, func(a Candidate) bool { return a.Tried }) {
		t.Column("tried", false, func(k int) any { return map[bool]string{true: "yes"}[list[k].Tried] })
	}
	return t
}
