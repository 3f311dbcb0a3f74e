package report

import (
	"fmt"
	"strconv"
	"strings"

	"bohier/internal/study"
)

// A Fact is a figure of a study with its name: a card of a page, a row of a table.
type Fact struct {
	Name, Value, Note string
	Share             float64 // of a bar, 0 to 1
	Bar               bool
}

// Facts are what a reader asks first: how good the best is, how many trials there are, what is
// used up, which constraints hold, and whether the surrogate can be trusted.
func (s Summary) Facts(st *study.Study) (facts []Fact) {
	add := func(name, value string, notes ...string) *Fact {
		facts = append(facts, Fact{Name: name, Value: value, Note: strings.Join(notes, ", ")})
		return &facts[len(facts)-1]
	}
	bar := func(f *Fact, part, all float64) { f.Bar, f.Share = all > 0, part/max(all, 1e-300) }
	for _, ob := range st.Objectives {
		notes, value := []string{"to " + ob.Direction.String()}, "–"
		if ob.Target != nil {
			notes = append(notes, "target "+Rounded(*ob.Target))
		}
		if best := Extreme(s.Status.Shown(), ob); best != nil {
			value, notes = best.Words(ob.Name), append(notes, "best in trial "+best.ID)
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
		sign := map[bool]string{true: "≥", false: "≤"}[c.AtLeast]
		bar(add(c.Name+" "+sign+" "+Rounded(c.Bound), fmt.Sprintf("%d of %d", c.Satisfied, c.Observed), "satisfy it"),
			float64(c.Satisfied), float64(c.Observed))
	}
	if m := s.Model; m != nil && m.LOO != nil {
		add("surrogate", fmt.Sprintf("%.0f %%", 100*m.LOO.Coverage90),
			"of values inside their 90 % interval, predicted from the others")
	}
	return facts
}

// overview has the facts, what else there is to say of a front, and how trials failed.
func (s Summary) overview(st *study.Study) *Table {
	t := &Table{Head: []string{"", "", ""}}
	for _, f := range s.Facts(st) {
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
