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
	p.Verdict = page.Verdict{Sentences: sum.Verdict(st, v.Trials)}
	knee := slices.IndexFunc(sum.Status.Front, func(t report.Trial) bool { return t.ID == sum.Status.Knee })
	if knee >= 0 {
		var values []string
		for _, ob := range st.Objectives {
			values = append(values, ob.Name+" "+report.Brief(sum.Status.Front[knee].Values.Of(ob.Name)))
		}
		p.Verdict.Name, p.Verdict.Value = "a compromise, trial "+sum.Status.Knee, strings.Join(values, ", ")
	}
	var goals []page.Card
	for _, ob := range st.Objectives {
		card := page.Card{Name: ob.Name, Note: "to " + ob.Direction.String()}
		if best := report.Extreme(sum.Status.Front, ob); best != nil {
			card.Value, card.Note = best.Words(ob.Name), card.Note+", best in trial "+best.ID
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
		g, err := v.frontFigures(sum.Leaders)
		if err != nil {
			return p, err
		}
		p.Figures = g
	}
	more, err := v.goalFigures()
	p.Figures = append(p.Figures, more...)
	return p, err
}

// pareto is the picture of the front, of what is believed to be it where a board says so.
func (v *view) pareto(board *study.Leaderboard) (plot.Figure, error) {
	expected, err := v.expected()
	return figures.Pareto(v.Source, expected, board), err
}

// frontFigures are the pictures of all objectives together.
func (v *view) frontFigures(board *study.Leaderboard) (g gallery, err error) {
	front, err := v.pareto(board)
	if err != nil {
		return nil, err
	}
	if len(v.Study.Objectives) > 2 {
		g = gallery{{Title: "Front", Question: "Which compromises are there, pair by pair?", Note: front.Note, Wide: front,
			Span: 3}}
	} else {
		g.add(page.Figure{Title: "Front", Question: "Which compromises are there?", Span: 2}, front, 2*third, 420, 340)
	}
	g.add(page.Figure{Title: "Hypervolume", Question: "Does the front still grow?", Span: 1},
		figures.Hypervolume(v.Source, "trial"), third, 340, 0)
	order := v.ByImportance()
	g.addParallel("What do the trials of the front have in common?",
		figures.Parallel(v.Source, order[:min(mostAxes, len(order))]), 3*third, 3)
	v.timeline(&g)
	return g, nil
}

// goalFigures are what the surrogate of each objective says: which parameters matter, what
// the first of them does, and whether predictions can be trusted.
func (v *view) goalFigures() (g gallery, err error) {
	for k, ob := range v.Study.Objectives {
		one := v.of(v.session.For(k))
		if err := one.fit(false); err != nil {
			return nil, err
		}
		if one.a == nil {
			continue
		}
		add := func(title, question string, f plot.Figure, height int) {
			g = append(g, page.Figure{Title: title, Question: question, Wide: sized(f, third, height), Span: 1})
		}
		importance := figures.Importance(one.Source, coupled(v.Study.Space))
		add("Importance for "+ob.Name, "Which parameters matter at all?", importance, importance.Height)
		if order := one.ByImportance(); len(order) > 0 {
			if place, ok := one.PlaceFor(order[:1], nil); ok {
				name := v.Study.Space.Param(order[0]).Name
				add(ob.Name+" along "+name, "What does "+name+" do, the others held?", one.drawCut(order[:1], place), high)
			}
		}
		calibration := figures.Calibration(one.Source, figures.LeftOut(one.a.LeftOut()))
		calibration.Panels = calibration.Panels[:1]
		add("Calibration of "+ob.Name, "Can the surrogate's predictions be trusted?", calibration, high)
	}
	return g, nil
}

// expected is what the surrogates of several objectives expect of the pending trials, by
// number; nothing where one of them cannot be fitted.
func (v *view) expected() (map[int][]study.Estimate, error) {
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
	out := map[int][]study.Estimate{}
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
			out[n] = append(out[n], study.Estimate{Mean: mean[i], Std: std[i]})
		}
	}
	return out, nil
}
