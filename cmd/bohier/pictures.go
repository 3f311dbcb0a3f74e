package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/journal"
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
