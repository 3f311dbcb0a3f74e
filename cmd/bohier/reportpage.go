package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bohier/internal/figures"
	"bohier/internal/lists"
	"bohier/internal/page"
	"bohier/internal/report"
	"bohier/internal/study"
)

// The most that fits on a page: rows and cells of the table of trials, axes of parallel coordinates,
// pictures along single parameters.
const (
	mostRows   = 2000
	mostCells  = 24000
	mostAxes   = 12
	mostSlices = 3
)

// htmlPage is the report for people: sum, sections as in Markdown, and pictures.
func (v *view) htmlPage(sum report.Summary, sections []report.Section, refresh int) (p page.Page, err error) {
	p = page.Page{
		Study: cmp.Or(v.Study.Name, "study"), Cards: sum.Cards(v.Study), Refresh: refresh, Made: made(v.Last()),
		Verdict: page.Verdict{Name: sum.Objective, Sentences: sum.Verdict(v.Study, v.Trials)},
	}
	several := v.Study.Several()
	if name, t := sum.Status.Chosen(); t != nil {
		p.Best = v.configuration(name+", trial "+t.ID, t)
		if p.Verdict.Value = t.Words(sum.Objective); several {
			p.Verdict.Name, p.Verdict.Value = "a compromise, trial "+t.ID, report.Listed(v.Study, t.Words)
		}
	}
	v.listTrials(&p, sum)
	p.Details = lists.Only(sections, func(s report.Section) bool { return s.Title != "Summary" }) // the cards say it
	if !several {
		p.Figures = v.pageFigures()
		return p, nil
	}
	p.Figures, err = v.frontFigures(sum.Status.Front != nil)
	return p, err
}

// made names the program that wrote the page, and its subject: the time of the last record, so that
// equal journals give equal pages.
func made(last time.Time) string {
	out := "Made by bohier " + versionName()
	if !last.IsZero() {
		out += " from a journal whose last trial is of " + last.UTC().Format("2 January 2006, 15:04 UTC")
	}
	return out + "."
}

// configuration is that of a trial, under a title.
func (v *view) configuration(title string, b *report.Trial) *page.Configuration {
	out := &page.Configuration{Title: title, JSON: string(b.Params)}
	k := slices.IndexFunc(v.Trials, func(t study.Trial) bool { return t.Number == b.Trial })
	if k < 0 || v.Trials[k].Outside {
		return out
	}
	for i := range v.Study.Space.Params() {
		if t := &v.Trials[k]; t.Config.Active[i] {
			out.Names, out.Values = append(out.Names, v.Study.Space.Param(i).Name), append(out.Values,
				report.Cell(v.Study.Space, t.Config, i))
		}
	}
	return out
}

// listTrials adds the table of trials, that of the best ones marked. Where they are too many, it has the
// best, the last failed and the last ones, and it leaves out the parameters that matter least.
func (v *view) listTrials(p *page.Page, sum report.Summary) {
	list, best := selectTrials(v.Trials, nil), map[int]bool{}
	for _, t := range sum.Status.Shown() {
		best[t.Trial] = true
	}
	if n := len(list); n > mostRows {
		listed, failed := maps.Clone(best), selectTrials(v.Trials, []study.State{study.Failed})
		for _, part := range [][]*study.Trial{study.Pointers(v.Standing.Best(mostRows / 2)),
			failed[max(len(failed)-mostRows/4, 0):], list[n-mostRows/4:]} {
			for _, t := range part {
				listed[t.Number] = true
			}
		}
		list = slices.DeleteFunc(list, func(t *study.Trial) bool { return !listed[t.Number] })
		p.Left = fmt.Sprintf("This table has %d of %d trials: the best, the last failed and the last ones; "+
			"bohier export csv has all. ", len(list), n)
	}
	for _, t := range list {
		state := string(t.State)
		if best[t.Number] {
			state = "best"
		}
		p.Numbers, p.States = append(p.Numbers, t.Number), append(p.States, state)
	}
	t := report.TrialTable(v.Study, list, report.Listing{By: sum.Repeated})
	for k, name := range t.Head {
		switch name { // on paper and screen only names that people gave keep their capitals
		case "NOTE":
			for r := range t.Rows {
				t.Rows[r][k] = list[r].Said()
			}
			fallthrough
		case "ID", "STATE", "SECONDS", "SOURCE":
			t.Head[k] = strings.ToLower(name)
		}
	}
	columns := max(mostCells/max(len(list), 1), 12)
	order, gone := v.ByImportance(), 0
	for k := len(order) - 1; k >= 0 && len(t.Head) > columns; k-- {
		name := v.Study.Space.Param(order[k]).Name
		c := slices.Index(t.Head, name)
		if c < 2 {
			continue
		}
		gone++
		t.Drop(c)
	}
	if gone > 0 {
		p.Left += "Left out of this table: " + study.Count(gone, "parameter") +
			" of least importance; bohier trials -o csv has them all."
	}
	p.Trials = t
}

// high is the height of most pictures on a page, in pixels.
const high = 310

// pageFigures are the pictures of a page, those for everybody first.
func (v *view) pageFigures() []page.Figure {
	s := v.Source
	const improves = "How good is the best so far, and does it still improve?"
	list := []page.Figure{page.Picture(2, "Convergence", improves, figures.Convergence(s, "trial"), 330, high)}
	if report.Spent(v.Trials) != nil {
		list = append(list, page.Picture(2, "Convergence by cost", improves, figures.Convergence(s, "cost"), 330, high))
	}
	list = append(list, page.Picture(2, "Learning curves", "How did the curves of trials run, and where did they end?",
		figures.Curves(s), 330, high))
	if len(v.Importance) > 0 {
		shown := s
		shown.Importance = shown.Importance[:min(mostAxes, len(shown.Importance))]
		f := figures.Importance(shown)
		list = append(list, page.Picture(1, "Importance", "Which parameters matter at all?", f, f.Height, 0))
	}
	list = append(list, v.parallel("What do the good trials have in common?"))
	if v.a != nil {
		list = append(append(list, v.slices(mostSlices)...), v.contour(),
			page.Picture(2, "Calibration", "Can the surrogate's predictions be trusted?", v.calibration(), 340, 0))
	}
	return list
}

// parallel is the picture of the parameters that matter most.
func (v *view) parallel(question string) page.Figure {
	order, span := v.ByImportance(), 3
	f := figures.Parallel(v.Source, order[:min(mostAxes, len(order))])
	if len(order) > mostAxes {
		f.Note += fmt.Sprintf(" The %d parameters that matter most.", mostAxes)
	}
	if len(order)+len(v.Study.Objectives) < 4 {
		span = 2
	}
	return page.Picture(span, "Parallel coordinates", question, f, 340, 0)
}

// slices are the pictures along the parameters that matter most, so many.
func (v *view) slices(most int) (list []page.Figure) {
	for _, i := range v.ByImportance()[:min(most, len(v.Importance))] {
		if place, ok := v.PlaceFor([]int{i}, nil); ok {
			name := v.Study.Space.Param(i).Name
			list = append(list, page.Picture(1, "Along "+name, "What does "+name+" do if the others are held?",
				figures.Slice(v.Source, i, place), high, 0))
		}
	}
	return list
}

// contour is the picture along the two parameters that matter most and are active together.
func (v *view) contour() page.Figure {
	for _, pair := range mostImportant(v.ByImportance(), 2) {
		if place, ok := v.PlaceFor(pair, nil); ok {
			x, y := v.Study.Space.Param(pair[0]).Name, v.Study.Space.Param(pair[1]).Name
			return page.Picture(2, x+" and "+y, "What do both do together?", v.drawCut(pair, place), 400, 0)
		}
	}
	return page.Figure{}
}
