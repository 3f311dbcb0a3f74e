package main

import (
	"fmt"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/page"
	"bohier/internal/space"
	"bohier/internal/study"
)

// frontFigures are the pictures of several objectives: all together, once there is a front, then
// what the surrogate of every objective says.
func (v *view) frontFigures(begun bool) (cards []page.Figure, err error) {
	if begun {
		front, err := plotPareto(v, nil)
		if err != nil {
			return nil, err
		}
		question, span := "Which compromises are there?", 2
		if len(front.Panels) > 1 {
			question, span = "Which compromises are there, pair by pair?", 3
		}
		cards = append(cards,
			page.Picture(span, "Front", question, front, 420, 340),
			page.Picture(1, "Hypervolume", "Does the front still grow?", figures.Hypervolume(v.Source, "trial"), 340, 0),
			v.parallel("What do the trials of the front have in common?"))
	}
	for k := range v.Study.Objectives {
		goal := v.of(v.session.For(k))
		if err := goal.fit(false); err != nil {
			return nil, err
		}
		if goal.a != nil {
			cards = append(cards, goal.goalPictures()...)
		}
	}
	return cards, nil
}

// goalPictures are what the surrogate of an objective says: which parameters matter, what
// the first of them does, and whether predictions can be trusted.
func (v *view) goalPictures() []page.Figure {
	name := v.Study.Objective().Name
	importance, calibration := figures.Importance(v.Source, coupled(v.Study.Space)), v.calibration()
	calibration.Panels = calibration.Panels[:1]
	list := []page.Figure{page.Picture(1, "Importance for "+name, "Which parameters matter at all?",
		importance, importance.Height, 0)}
	for _, p := range v.slices(1) {
		p.Title = name + strings.Replace(p.Title, "Along", " along", 1)
		list = append(list, p)
	}
	return append(list, page.Picture(1, "Calibration of "+name, "Can the surrogate's predictions be trusted?",
		calibration, high, 0))
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
