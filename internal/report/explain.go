package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// The objects of the contracts of `score` and `explain`. Means and standard
// deviations are those of the objective, in its own units and sign; scores are of
// the acquisition function, larger is better.
type (
	// Candidate is one of a list that was ranked; Tried tells that it was tried
	// before, refused or is pending. A score that is no number is null.
	Candidate struct {
		Schema string          `json:"schema"`
		Params json.RawMessage `json:"params"`
		Score  *float64        `json:"score"`
		Rank   int             `json:"rank"`
		*study.Estimate
		Objectives map[string]Expected `json:"objectives,omitempty"` // of several, in place of mean and std
		Tried      bool                `json:"tried"`

		Config space.Configuration `json:"-"` // which Params has
	}

	// Explanation says why a trial was suggested. Members that only the surrogate knows are
	// null for trials that it did not choose. MeanPercentile is the share of the space that is
	// predicted worse, StdPercentile the share predicted with a larger standard deviation. Plan
	// is what decided, with the rules that changed it.
	Explanation struct {
		Schema      string          `json:"schema"`
		Trial       int             `json:"trial"`
		ID          string          `json:"id"`
		Params      json.RawMessage `json:"params"`
		Source      string          `json:"source"`
		Acquisition *string         `json:"acquisition"`
		Score       *float64        `json:"score"`
		Factors     []string        `json:"factors,omitempty"`
		Mean        *float64        `json:"mean"`
		Std         *float64        `json:"std"`
		// In place of Mean and Std with several objectives.
		Objectives     map[string]study.Estimate `json:"objectives,omitempty"`
		Front          *FrontReason              `json:"front,omitempty"`
		Observed       *int                      `json:"observed"`
		Infeasible     *int                      `json:"infeasible"`
		Pending        *int                      `json:"pending"`
		Incumbent      *Mention                  `json:"incumbent"`
		MeanPercentile *float64                  `json:"mean_percentile"`
		StdPercentile  *float64                  `json:"std_percentile"`
		Purpose        *string                   `json:"purpose"`
		Region         *Region                   `json:"region"`
		Plan           *study.Plan               `json:"plan"`
		Nearest        *Mention                  `json:"nearest"`
		Inactive       []study.Inactive          `json:"inactive"`
		Alternatives   []Alternative             `json:"alternatives"`
		Text           string                    `json:"text"`
		Fidelity       *study.CourseReason       `json:"fidelity,omitempty"`
		Repeat         *study.Repeat             `json:"repeat,omitempty"` // of a measurement that the surrogate asked for
	}

	// Mention names a trial, with its value if it has one, and what is believed of the
	// objectives that are noisy; Distance is set for the nearest trial.
	Mention struct {
		Trial    int             `json:"trial"`
		ID       string          `json:"id"`
		Params   json.RawMessage `json:"params"`
		Value    *float64        `json:"value"`
		Values   study.Values    `json:"values,omitempty"` // of several objectives, in place of Value
		Distance *float64        `json:"distance,omitempty"`
		// Posterior is what counts in place of noisy values.
		Posterior *Posterior `json:"posterior,omitempty"`
	}

	// Alternative is the best configuration found in another branch.
	Alternative struct {
		Params json.RawMessage `json:"params"`
		Score  *float64        `json:"score"`
		*study.Estimate
		Objectives map[string]study.Estimate `json:"objectives,omitempty"` // of several
	}

	// FrontReason is what was expected of a configuration beside the front of several
	// objectives: the probability that no trial dominates it (null where
	// nothing is known) and its neighbours by the first objective, null beyond the ends.
	FrontReason struct {
		Probability *float64 `json:"probability"`
		Size        int      `json:"size"`
		Before      *Mention `json:"before"`
		After       *Mention `json:"after"`
	}
)

// NewMention is the contract form of a trial mentioned beside another.
func NewMention(st *study.Study, t *study.Trial) *Mention {
	m := &Mention{Trial: t.Number, ID: t.ID(), Params: params(st.Space, t)}
	if v, ok := t.Values.Get(st.Objective().Name); ok && t.State == study.Complete {
		if m.Value = &v; st.Several() {
			m.Value, m.Values = nil, t.Values
		}
	}
	return m
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
