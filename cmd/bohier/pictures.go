package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/journal"
	"bohier/internal/page"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A view is a study as pictures see it.
type view struct {
	call
	figures.Source
	plotOptions
	session runner.Session
	state   *journal.State
	a       *runner.Analysis   // nil: too little to fit, or not asked for
	unfit   *study.Error       // why there is none
	fixed   space.Assignment   // of cuts: the values that the user holds
	board   *study.Leaderboard // what is believed of noisy values; nil: values count
}

// look reads the study.
func look(s call) (*view, error) {
	session, state, err := s.current()
	if err != nil {
		return nil, err
	}
	return &view{call: s, Source: figures.Source{Study: session.Study, Trials: state.Trials}, session: session,
		state: state}, nil
}

// of is the study as it is for one of its objectives.
func (v *view) of(goal runner.Session) *view {
	one := *v
	one.session, one.Study = goal, goal.Study
	return &one
}

// fit adds what the surrogate says. Too little to fit is an error only where the
// surrogate is needed.
func (v *view) fit(needed bool) (err error) {
	v.a, err = analyze(v.call, v.session, v.state)
	switch {
	case errors.As(err, &v.unfit) && v.unfit.Code == study.NoResult && !needed:
		return nil
	case err != nil:
		return err
	}
	if needed {
		v.Log.warn(v.a.Warnings...)
	}
	v.Surrogate, v.Importance = v.a, importances(v.a.Importance(v.Study.Space, v.state.Seed))
	v.Feasible, err = v.a.Satisfying(v.ctx)
	if err == nil && v.session.Noisy(v.state) {
		v.board, err = v.session.Leaderboard(v.ctx, v.state, true)
		v.Believed = estimates(v.Study, v.board, v.Trials)
	}
	return err
}

// trust adds what is believed of the trials where the best value may be luck, unless it is
// known: of several objectives the front that is believed in.
func (v *view) trust() (err error) {
	if v.Believed != nil {
		return nil
	}
	v.board, err = leaders(v.call, v.session, v.state)
	if v.Believed = estimates(v.Study, v.board, v.Trials); v.board != nil {
		v.Standing = v.board.Standing
	}
	return err
}

// importances are shares by name, the most important first.
func importances(shares map[string]float64) []report.Importance {
	out := []report.Importance{}
	for name, share := range shares {
		out = append(out, report.Importance{Name: name, Share: share})
	}
	slices.SortFunc(out, func(a, b report.Importance) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Name, b.Name))
	})
	return out
}

// coupled reports whether constraints tie parameters together.
func coupled(sp *space.Space) bool { return len(sp.Forbidden())+len(sp.Require()) > 0 }

func plotConvergence(v *view, _ []int) (f plot.Figure, err error) {
	if v.x == "cost" && report.Spent(v.Trials) == nil {
		return f, study.Errorf(study.NoResult, "report costs with `bohier observe --cost`", "no trial has a cost")
	}
	if v.Study.Several() {
		if v.y != "auto" {
			return f, usage("leave --y out, or add --objective NAME for one of them",
				"the hypervolume is a share of 1, which needs no scale of its own")
		}
		return figures.Hypervolume(v.Source, v.x), nil
	}
	steps := report.Progress(v.Study, v.Trials, nil)
	if len(steps) == 0 {
		return f, nil
	}
	for _, step := range steps {
		if v.y == "log" && step.Value <= 0 {
			return f, usage("leave --y away: poor values then move to the edge",
				"a log axis has no place for the value %s of trial %s", report.Rounded(step.Value), step.ID)
		}
	}
	return figures.Convergence(v.Source, v.x), nil
}

func plotPareto(v *view, _ []int) (plot.Figure, error) {
	expected, err := v.expected()
	return figures.Pareto(v.Source, expected, v.board), err
}

func (v *view) calibration() plot.Figure {
	return figures.Calibration(v.Source, figures.LeftOut(v.a.LeftOut()))
}

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
