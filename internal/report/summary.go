package report

import (
	"fmt"
	"strings"

	"bohier/internal/study"
	"bohier/internal/text"
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
	p, of := Page{Title: st.Title()}, verdict{s, st, best}
	add := func(title string, t *Table) { // with the sentences of the template of that name
		p.Sections = append(p.Sections, Section{Title: title, Text: sentences(title, of), Table: t})
	}
	add("Summary", s.overview(st))
	var list *Table
	if len(best) > 0 {
		list = new(TrialTable(st, study.Pointers(best), Listing{By: s.Repeated, Board: s.Leaders}))
	}
	add("Best trials", list)
	if f := s.Status.Fidelity; f != nil {
		add("Learning curves", f.table(st, best))
	}
	if len(s.Progress) > 0 {
		add("Progress", new(ProgressTable(st, s.Progress)))
	}
	if len(s.Metrics) > 0 {
		add("Metrics", metricTable(s.Metrics, best))
	}
	if len(s.Importance) > 0 {
		add("Importance", s.shares(of.Coupled()))
	}
	add("Surrogate", hyper)
	return p
}

// shares lists the shares of parameters; not coupled: and what is left of the whole.
func (s Summary) shares(coupled bool) *Table {
	t, rest := TableOf("parameter", ">share"), 1.0
	row := func(name string, share float64) { t.Row(name, fmt.Sprintf("%.0f %%", 100*share)) }
	for _, i := range s.Importance {
		rest -= i.Share
		row(i.Name, i.Share)
	}
	if !coupled {
		row("interactions", max(rest, 0))
	}
	return &t
}

// A Page is a report as sections of sentences and tables; equal pages give equal
// bytes. The report as HTML, with pictures, is package page.
type Page struct {
	Title    string
	Sections []Section
}

// A Section is shown in the order of its fields.
type Section struct {
	Title string
	Text  []string // paragraphs
	Table *Table
}

// Markdown draws the page (CommonMark with the tables of
// GitHub).
func (p Page) Markdown() []byte { return []byte(executed("markdown.tmpl", p)) }

// markdown takes what Markdown or HTML would read as markup literally.
func markdown(s string) string {
	return markup.Replace(text.Visible(strings.Join(strings.Fields(s), " ")))
}

var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "]",
	`\]`, "&", "&amp;", "#", `\#`)
