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
	var c columns[*Candidate]
	c.add("rank", true, func(a *Candidate) any { return float64(a.Rank) })
	c.add("score", true, func(a *Candidate) any { return cmp.Or(written(known(a.Score), Rounded), "–") })
	if !st.Several() {
		names = nil
		c.add("mean", true, func(a *Candidate) any { return a.Mean })
		c.add("std", true, func(a *Candidate) any { return a.Std })
	}
	for _, name := range names {
		c.add(name, true, func(a *Candidate) any {
			if e, ok := a.Objectives[name]; ok {
				return PlusMinus(e.Mean, e.Std)
			}
			return "–"
		})
	}
	rows := pointers(list)
	addParams(&c, st.Space, rows, false, func(a *Candidate) *study.Trial { return &study.Trial{Config: a.Config} })
	if slices.ContainsFunc(list, func(a Candidate) bool { return a.Tried }) {
		c.add("tried", false, func(a *Candidate) any { return map[bool]string{true: "yes"}[a.Tried] })
	}
	return c.table(rows)
}
