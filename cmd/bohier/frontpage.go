package main

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/page"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// frontPage is the report of several objectives for people: the front and its pictures,
// then what the surrogate of every objective says.
func (v *view) frontPage(p page.Page, sum report.Summary) (page.Page, error) {
	st := v.Study
	p.Verdict = page.Verdict{Sentences: sum.FrontVerdict(st, v.Trials)}
	knee := slices.IndexFunc(sum.Status.Front, func(t report.Trial) bool { return t.ID == sum.Status.Knee })
	if knee >= 0 {
		var values []string
		for _, ob := range st.Objectives {
			values = append(values, ob.Name+" "+report.Brief(sum.Status.Front[knee].Values[ob.Name]))
		}
		p.Verdict.Name, p.Verdict.Value = "a compromise, trial "+sum.Status.Knee, strings.Join(values, ", ")
	}
	var goals []page.Card
	for _, ob := range st.Objectives {
		card := page.Card{Name: ob.Name, Note: "to " + ob.Direction.String()}
		if best := report.Extreme(sum.Status.Front, ob); best != nil {
			card.Value, card.Note = report.Brief(best.Values[ob.Name]), card.Note+", best in trial "+best.ID
			if best.By == "posterior" {
				card.Value = best.Words(ob.Name)
			}
		}
		goals = append(goals, card)
	}
	p.Cards = append(goals, p.Cards[1:]...)
	if knee >= 0 {
		p.Best = v.bestConfiguration(&sum.Status.Front[knee])
		p.Best.Title = "A compromise (the knee), trial " + sum.Status.Knee
	}
	for k, n := range p.Numbers {
		if slices.ContainsFunc(sum.Status.Front, func(t report.Trial) bool { return t.Trial == n }) {
			p.States[k] = "best"
		}
	}
	if sum.Status.Front != nil {
		if err := v.frontFigures(&p, sum.Leaders); err != nil {
			return p, err
		}
	}
	return p, v.goalFigures(&p)
}

// pareto is the picture of the front, of what is believed to be it where a board says so.
func (v *view) pareto(board *report.Leaderboard) (plot.Figure, error) {
	expected, err := v.expected()
	return figures.Pareto(v.Source, expected, board), err
}

// frontFigures are the pictures of all objectives together.
func (v *view) frontFigures(p *page.Page, board *report.Leaderboard) error {
	const column = 410
	add := func(f page.Figure) {
		f.Note = f.Wide.Note
		p.Figures = append(p.Figures, f)
	}
	front, err := v.pareto(board)
	if err != nil {
		return err
	}
	question := "Which compromises are there?"
	if len(v.Study.Objectives) > 2 {
		question = "Which compromises are there, pair by pair?"
		add(page.Figure{Title: "Front", Question: question, Wide: front, Span: 3})
	} else {
		narrow := sized(front, column, 340)
		add(page.Figure{Title: "Front", Question: question, Wide: sized(front, 2*column, 420), Narrow: &narrow, Span: 2})
	}
	add(page.Figure{Title: "Hypervolume", Question: "Does the front still grow?", Wide: sized(figures.Hypervolume(v.Source, false), column, 340), Span: 1})
	order := v.ByImportance()
	parallel := figures.Parallel(v.Source, order[:min(mostAxes, len(order))])
	parallel.Width, parallel.Height = 3*column, 340
	add(page.Figure{Title: "Parallel coordinates", Question: "What do the trials of the front have in common?", Try: "Drag along an axis to pick trials.", Wide: parallel, Span: 3, Scroll: true, Brush: true})
	if f, ok := v.timeline(); ok {
		add(f)
	}
	return nil
}

// goalFigures are what the surrogate of each objective says: which parameters matter, what
// the first of them does, and whether predictions can be trusted.
func (v *view) goalFigures(p *page.Page) error {
	const column, high = 410, 310
	for k, ob := range v.Study.Objectives {
		one := v.of(v.session.For(k))
		if err := one.fit(false); err != nil {
			return err
		}
		if one.a == nil {
			continue
		}
		importance := figures.Importance(one.Source, coupled(v.Study.Space))
		p.Figures = append(p.Figures, page.Figure{Title: "Importance for " + ob.Name, Question: "Which parameters matter at all?", Wide: sized(importance, column, importance.Height), Span: 1})
		if order := one.ByImportance(); len(order) > 0 {
			if place, ok := one.PlaceFor(order[:1], nil); ok {
				name := v.Study.Space.Param(order[0]).Name
				p.Figures = append(p.Figures, page.Figure{Title: ob.Name + " along " + name, Question: "What does " + name + " do, the others held?", Wide: sized(figures.Slice(one.Source, order[0], place), column, high), Span: 1})
			}
		}
		calibration := figures.Calibration(one.Source, figures.LeftOut(one.a.LeftOut))
		calibration.Columns, calibration.Width, calibration.Height = 1, column, high
		calibration.Panels = calibration.Panels[:1]
		p.Figures = append(p.Figures, page.Figure{Title: "Calibration of " + ob.Name, Question: "Can the surrogate's predictions be trusted?", Note: calibration.Note, Wide: calibration, Span: 1})
	}
	return nil
}

// expected is what the surrogates of several objectives expect of the pending trials, by
// number; nothing where one of them cannot be fitted.
func (v *view) expected() (map[int][]report.Estimate, error) {
	var at []space.Configuration
	var numbers []int
	for k := range v.Trials {
		if t := &v.Trials[k]; !t.Outside && t.State == study.Pending {
			at, numbers = append(at, t.Config), append(numbers, t.Number)
		}
	}
	if len(at) == 0 {
		return nil, nil
	}
	out := map[int][]report.Estimate{}
	for k := range v.Study.Objectives {
		a, err := analyze(v.call, v.session.For(k), v.state)
		if study.HasCode(err, study.NoResult) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("objective %s: %w", v.Study.Objectives[k].Name, err)
		}
		mean, std, _ := a.Predict(at)
		for i, n := range numbers {
			out[n] = append(out[n], report.Estimate{Mean: mean[i], Std: std[i]})
		}
	}
	return out, nil
}
