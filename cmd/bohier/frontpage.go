package main

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/page"
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
		front, err := plotPareto(v, plotOptions{}, nil)
		if err != nil {
			return p, err
		}
		question, span := "Which compromises are there?", 2
		if len(front.Panels) > 1 {
			question, span = "Which compromises are there, pair by pair?", 3
		}
		p.Figures = pictures(
			picture{span, "Front", question, front, 420, 340},
			picture{1, "Hypervolume", "Does the front still grow?", figures.Hypervolume(v.Source, "trial"), 340, 0},
			v.parallel("What do the trials of the front have in common?"), v.timeline())
	}
	for k := range st.Objectives {
		goal := v.of(v.session.For(k))
		if err := goal.fit(false); err != nil {
			return p, err
		}
		if goal.a != nil {
			p.Figures = append(p.Figures, goal.goalPictures()...)
		}
	}
	return p, nil
}

// goalPictures are what the surrogate of an objective says: which parameters matter, what
// the first of them does, and whether predictions can be trusted.
func (v *view) goalPictures() []page.Figure {
	name := v.Study.Objective().Name
	importance, calibration := figures.Importance(v.Source, coupled(v.Study.Space)), v.calibration()
	calibration.Panels = calibration.Panels[:1]
	list := []picture{{1, "Importance for " + name, "Which parameters matter at all?", importance, importance.Height, 0}}
	for _, p := range v.slices(1) {
		p.title = name + strings.Replace(p.title, "Along", " along", 1)
		list = append(list, p)
	}
	return pictures(append(list, picture{1, "Calibration of " + name, "Can the surrogate's predictions be trusted?",
		calibration, high, 0})...)
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
