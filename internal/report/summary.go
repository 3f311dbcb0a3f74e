package report

import (
	"fmt"
	"strconv"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/study"
	"bohier/internal/text"
)

type (
	// Summary is the content of `report`. Model and Importance are missing while there are too few
	// trials to fit; Unfit then says so.
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

		// Where values are noisy: who leads. Progress is then the leaders over time, by the posterior of now.
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

	// ConstraintStatus counts the complete trials that satisfy a constraint among those with a value for it.
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

// NewSummary counts trials by state and result; Best, Model and Importance are for the caller.
func NewSummary(st *study.Study, trials []study.Trial) Summary {
	s := Summary{
		Schema: "bohier/report/1", Study: st.Name, Objective: st.Objective().Name,
		Direction: st.Objective().Direction.String(),
		Best:      []Trial{}, Constraints: []ConstraintStatus{}, Importance: []Importance{},
	}
	s.Metrics, s.Time = Metrics(trials), durations(trials)
	s.Progress, s.Cost = Progress(st.Standing(nil), trials), Spent(trials)
	for _, c := range st.Constraints {
		row := ConstraintStatus{Name: c.Name, Bound: c.Bound, AtLeast: c.AtLeast}
		values := lists.Some(study.In(study.Complete, trials), func(t *study.Trial) (float64, bool) {
			return t.Mean(c.Name)
		})
		row.Observed, row.Satisfied = len(values), len(lists.Only(values, c.Holds))
		s.Constraints = append(s.Constraints, row)
	}
	failed := study.In(study.Failed, trials)
	infeasible := lists.Only(failed, func(t *study.Trial) bool { return t.Failure == study.Infeasible })
	s.Failures = Failures{Infeasible: len(infeasible), Transient: len(failed) - len(infeasible)}
	return s
}

// Page sets the summary in sections. best are the trials of Best, hyper the table of hyperparameters.
func (s Summary) Page(st *study.Study, best []study.Trial, hyper *Table) Page {
	p, of := Page{Title: st.Name}, verdict{s, st, best}
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

// shares lists the shares of parameters; not coupled: and the rest of the whole.
func (s Summary) shares(coupled bool) *Table {
	t, rest := TableOf("parameter", ">share"), 1.0
	for _, i := range s.Importance {
		rest -= i.Share
		t.Row(i.Name, Percent(i.Share))
	}
	if !coupled {
		t.Row("interactions", Percent(max(rest, 0)))
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

// Markdown draws the page (CommonMark with the tables of GitHub).
func (p Page) Markdown() []byte { return []byte(executed("markdown.tmpl", p)) }

// markdown escapes the markup of Markdown and HTML.
func markdown(s string) string {
	return markup.Replace(text.Visible(strings.Join(strings.Fields(s), " ")))
}

// A < before a blank begins no tag.
var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "< ", "< ", "<", "&lt;",
	"[", `\[`, "]", `\]`, "&", "&amp;", "#", `\#`)

// A Card is a figure of a study with its name: a card of a page, a row of a table.
type Card struct {
	Name, Value, Note string
	Share             float64 // of a bar, 0 to 1
	Bar               bool
}

// Cards are the answers to a reader's first questions: the best value, the number of trials, the used budget, the
// constraints, and the error of the surrogate.
func (s Summary) Cards(st *study.Study) (cards []Card) {
	add := func(name, value string, notes ...string) *Card {
		cards = append(cards, Card{Name: name, Value: value, Note: strings.Join(notes, ", ")})
		return &cards[len(cards)-1]
	}
	bar := func(f *Card, part, all float64) { f.Bar, f.Share = all > 0, part/max(all, 1e-300) }
	for _, ob := range st.Objectives {
		notes, value := []string{"to " + ob.Direction.String()}, "–"
		if ob.Target != nil {
			notes = append(notes, "target "+Rounded(*ob.Target))
		}
		if best := extreme(s.Status.Shown(), ob); best != nil {
			value, notes = best.Words(ob.Name), append(notes, strings.TrimSpace("best in trial "+best.ID+" "+best.Way))
		}
		add(ob.Name, value, notes...)
	}
	var others []string
	for _, part := range []struct {
		n    int
		name string
	}{{s.Status.Failed, "failed"}, {s.Status.Stopped, "stopped"}, {s.Status.Paused, "paused"},
		{s.Status.Pending, "pending"}, {s.Status.Abandoned, "abandoned"}, {s.Status.Queued, "queued"}} {
		if part.n > 0 {
			others = append(others, fmt.Sprintf("%d %s", part.n, part.name))
		}
	}
	add("trials complete", fmt.Sprint(s.Status.Complete), others...)
	if b := s.Status.Budget; b != nil && b.Trials > 0 {
		used := b.Trials - b.Left
		bar(add("budget", fmt.Sprintf("%d of %d", used, b.Trials), fmt.Sprintf("%d left", b.Left)), float64(used),
			float64(b.Trials))
	}
	if f := s.Status.Fidelity; f != nil && f.Left != nil {
		all := f.Spent + *f.Left
		bar(add("budget", Brief(f.Spent)+" of "+Brief(all), "in "+f.Name, Brief(*f.Left)+" left"), f.Spent, all)
	}
	if t := s.Time; t != nil {
		add("time of the trials", Seconds(t.Total), "in "+study.Count(t.Trials, "trial"), Seconds(t.Longest)+" at most")
	}
	if c := s.Cost; c != nil {
		notes := []string{"in " + study.Count(c.Trials, "trial")}
		if c.Unknown > 0 {
			notes = append(notes, fmt.Sprintf("unknown in %d", c.Unknown))
		}
		add("cost", Brief(c.Total), notes...)
	}
	for _, c := range s.Constraints {
		sign := "≤"
		if c.AtLeast {
			sign = "≥"
		}
		bar(add(c.Name+" "+sign+" "+Rounded(c.Bound), fmt.Sprintf("%d of %d", c.Satisfied, c.Observed), "satisfy it"),
			float64(c.Satisfied), float64(c.Observed))
	}
	if m := s.Model; m != nil && m.LOO != nil {
		add("surrogate", Percent(m.LOO.Coverage90), "of values inside their 90 % interval, predicted from the others")
	}
	return cards
}

// overview has the cards, remarks on a front, and the kinds of failure.
func (s Summary) overview(st *study.Study) *Table {
	t := &Table{Head: []string{"", "", ""}}
	for _, f := range s.Cards(st) {
		t.Rows = append(t.Rows, []string{f.Name, f.Value, f.Note})
	}
	for _, row := range s.Status.Standing(st) {
		if row[0] != "best" {
			t.Rows = append(t.Rows, []string{row[0], row[1], ""})
		}
	}
	if f := s.Failures; s.Status.Failed > 0 {
		t.Rows = append(t.Rows, []string{"failures", strconv.Itoa(f.Infeasible + f.Transient),
			fmt.Sprintf("%d infeasible, %d transient", f.Infeasible, f.Transient)})
	}
	return t
}
