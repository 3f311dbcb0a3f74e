package report

import (
	"fmt"

	"bohier/internal/study"
)

type (
	// Summary is what `report` says of a study. Model and Importance are
	// missing while there are too few trials to fit; Unfit then says so.
	Summary struct {
		Schema    string `json:"schema"`
		Study     string `json:"study"`
		Objective string `json:"objective"`
		Direction string `json:"direction"`
		Status    Status `json:"status"`
		// With several objectives: all of them, the front (in Status), and the normalised
		// hypervolume after every complete trial, by the values that count now.
		Objectives  []Goal             `json:"objectives,omitempty"`
		Hypervolume []Volume           `json:"hypervolume,omitempty"`
		Best        []Trial            `json:"best"`
		Progress    []Step             `json:"progress"`
		Cost        *Spending          `json:"cost"`
		Constraints []ConstraintStatus `json:"constraints"`
		Failures    Failures           `json:"failures"`
		Model       *Model             `json:"model"`
		Importance  []Importance       `json:"importance"`
		Metrics     []Metric           `json:"metrics,omitempty"`
		Time        *Time              `json:"time,omitempty"`
		Unfit       string             `json:"unfit,omitempty"`

		// Where values are noisy: who leads. Progress is then who led when, as believed now.
		Leaders  *study.Leaderboard `json:"-"`
		Repeated Repeated           `json:"-"`
	}

	// Goal is one of several objectives.
	Goal struct {
		Name      string `json:"name"`
		Direction string `json:"direction"`
	}

	// Volume is the normalised hypervolume of the trials up to one.
	Volume struct {
		Trial int     `json:"trial"`
		Value float64 `json:"value"`
	}

	// ConstraintStatus counts the complete trials that satisfy a constraint
	// among those with a value for it.
	ConstraintStatus struct {
		Name      string  `json:"name"`
		Bound     float64 `json:"bound"`
		AtLeast   bool    `json:"at_least"`
		Satisfied int     `json:"satisfied"`
		Observed  int     `json:"observed"`
	}

	// Failures counts the trials that gave no value.
	Failures struct {
		Infeasible int `json:"infeasible"`
		Transient  int `json:"transient"`
	}

	// Importance is the share of the variance of the predicted objective, over
	// random configurations, that a parameter explains by itself.
	Importance struct {
		Name  string  `json:"name"`
		Share float64 `json:"share"`
	}
)

// NewSummary counts what the trials say; Best, Model and Importance are for the
// caller.
func NewSummary(st *study.Study, trials []study.Trial) Summary {
	s := Summary{
		Schema: "bohier/report/1", Study: st.Name, Objective: st.Objective().Name,
		Direction: st.Objective().Direction.String(),
		Best:      []Trial{}, Constraints: []ConstraintStatus{}, Importance: []Importance{},
	}
	s.Metrics, s.Time = Metrics(trials), Durations(trials)
	s.Progress, s.Cost = Progress(st, trials, nil), Spent(trials)
	for _, c := range st.Constraints {
		row := ConstraintStatus{Name: c.Name, Bound: c.Bound, AtLeast: c.AtLeast}
		for i := range trials {
			v, ok := trials[i].Values.Get(c.Name)
			if trials[i].State != study.Complete || !ok {
				continue
			}
			row.Observed++
			if c.Holds(v) {
				row.Satisfied++
			}
		}
		s.Constraints = append(s.Constraints, row)
	}
	for i := range trials {
		switch t := &trials[i]; {
		case t.State != study.Failed:
		case t.Failure == study.Infeasible:
			s.Failures.Infeasible++
		default:
			s.Failures.Transient++
		}
	}
	return s
}

// Page sets the summary in sections. best are the trials of Best, hyper the table
// of hyperparameters.
func (s Summary) Page(st *study.Study, best []study.Trial, hyper *Table) Page {
	p := Page{Title: st.Title()}
	add := func(sec Section) { p.Sections = append(p.Sections, sec) }
	add(Section{Title: "Summary", Table: s.overview(st)})
	if len(best) == 0 {
		text := "No trial is complete yet."
		if s.Status.Complete > 0 {
			text = fmt.Sprintf("Of %s %s.", study.Count(s.Status.Complete, "complete trial"), s.Status.Shortfall)
		}
		add(Section{Title: "Best trials", Text: []string{text}})
	} else {
		t := TrialTable(st, best, Listing{By: s.Repeated, Board: s.Leaders})
		var text []string
		if b := s.Leaders; b != nil {
			means := "the leader is the configuration with the best mean of the surrogate, which the best value need not be."
			if b.Front != nil {
				means = "the front is that of the means of the surrogates, which that of the values need not be."
			}
			text = append([]string{"Values are noisy: " + means}, NoiseWords(b)...)
		}
		add(Section{Title: "Best trials", Text: append(text, s.cut(len(best))...), Table: &t})
	}
	if f := s.Status.Fidelity; f != nil {
		add(f.section(st, best))
	}
	if len(s.Progress) > 0 {
		t, text := ProgressTable(st, s.Progress), "The trials that improved on all before them."
		if s.Leaders != nil {
			text = "The trials that lead all before them, as the surrogate sees them now."
		}
		sec := Section{Title: "Progress", Text: []string{text}, Table: &t}
		if s.Cost != nil && s.Cost.Unknown > 0 {
			sec.Text = append(sec.Text, fmt.Sprintf("Reported without a cost, and counted as free: %d.", s.Cost.Unknown))
		}
		add(sec)
	}
	if len(s.Metrics) > 0 {
		add(Section{Title: "Metrics", Table: metricTable(s.Metrics, best)})
	}
	if len(s.Importance) > 0 {
		text, rest := "How much of the variation of the predicted objective over the whole space each parameter explains "+
			"by itself, a conditional one where it is active.", 1.0
		t := Table{Head: []string{"parameter", "share"}, Right: []bool{false, true}}
		for _, i := range s.Importance {
			t.Rows = append(t.Rows, []string{i.Name, fmt.Sprintf("%.0f %%", 100*i.Share)})
			rest -= i.Share
		}
		if len(st.Space.Forbidden())+len(st.Space.Require()) > 0 {
			text += " Constraints tie parameters together: shares overlap and need not add up to 100 %."
		} else {
			t.Rows = append(t.Rows, []string{"interactions", fmt.Sprintf("%.0f %%", 100*max(rest, 0))})
			text += " Interactions are the rest to 100 %."
		}
		add(Section{Title: "Importance", Text: []string{text}, Table: &t})
	}
	add(Section{Title: "Surrogate", Text: sentences("surrogate", s), Table: hyper})
	return p
}

// cut says that n trials of a front are not all of it.
func (s Summary) cut(n int) []string {
	if all := len(s.Status.Front); n < all {
		return []string{fmt.Sprintf("These are %d of the %d on the front; `bohier best -n 0` lists all.", n, all)}
	}
	return nil
}
