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
	session runner.Session
	state   *journal.State
	a       *runner.Analysis // nil: too little to fit, or not asked for
	unfit   *study.Error     // why there is none
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
	v.Feasible, err = v.session.Satisfying(v.ctx, v.state)
	if v.session.Noisy(v.state) {
		v.Believed = estimates(v.Study, v.a.Leaders(v.state), v.Trials)
	}
	return err
}

// trust adds what is believed of the trials where the best value may be luck, unless it is
// known: of several objectives the front that is believed in.
func (v *view) trust() (*study.Leaderboard, error) {
	if v.Believed != nil {
		return nil, nil
	}
	board, err := leaders(v.call, v.session, v.state)
	if v.Believed = estimates(v.Study, board, v.Trials); board != nil {
		v.Standing = board.Standing
	}
	return board, err
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

// unfounded is the error of a picture of nothing; nil where a trial in today's space is in one
// of the states, or where several objectives have a front.
func (v *view) unfounded(states ...study.State) error {
	found := slices.ContainsFunc(v.Trials, func(t study.Trial) bool {
		return !t.Outside && slices.Contains(states, t.State)
	})
	if v.Study.Several() {
		found = v.Study.Front(study.Pointers(v.Trials)) != nil
	}
	if found {
		return nil
	}
	return noBest(v.Study, v.Trials)
}

func plotConvergence(v *view, o plotOptions, _ []string) (f plot.Figure, err error) {
	if o.x == "resource" {
		if err := levelled(v.Study, "there is no fidelity to spend"); err != nil {
			return f, err
		}
	}
	if v.Study.Several() {
		if o.y != "auto" {
			return f, usage("leave --y out, or add --objective NAME for one of them",
				"the hypervolume is a share of 1, which needs no scale of its own")
		}
		return plotHypervolume(v, o, nil)
	}
	steps := report.Progress(v.Study, v.Trials, nil)
	if len(steps) == 0 {
		return f, noBest(v.Study, v.Trials)
	}
	if o.x == "cost" && report.Spent(v.Trials) == nil {
		return f, noCost()
	}
	if o.y == "log" {
		for _, step := range steps {
			if step.Value <= 0 {
				return f, usage("leave --y away: poor values then move to the edge",
					"a log axis has no place for the value %s of trial %s", report.Rounded(step.Value), step.ID)
			}
		}
	}
	if _, err := v.trust(); err != nil {
		return f, err
	}
	return figures.Convergence(v.Source, o.x), nil
}

func plotHypervolume(v *view, o plotOptions, _ []string) (f plot.Figure, err error) {
	if err := v.unfounded(); err != nil {
		return f, err
	}
	if o.x == "cost" && report.Spent(v.Trials) == nil {
		return f, noCost()
	}
	if _, err := v.trust(); err != nil {
		return f, err
	}
	return figures.Hypervolume(v.Source, o.x), nil
}

func plotPareto(v *view, _ plotOptions, _ []string) (f plot.Figure, err error) {
	if err := v.unfounded(); err != nil {
		return f, err
	}
	board, err := v.trust()
	if err != nil {
		return f, err
	}
	return v.pareto(board)
}

func plotParallel(v *view, _ plotOptions, names []string) (f plot.Figure, err error) {
	along, err := v.named(names, mostAxes)
	if err != nil {
		return f, err
	}
	if err := v.unfounded(study.Complete, study.Failed); err != nil {
		return f, err
	}
	if _, err := v.trust(); err != nil {
		return f, err
	}
	return figures.Parallel(v.Source, along), nil
}

func plotRank(v *view, _ plotOptions, names []string) (f plot.Figure, err error) {
	if len(names) == 1 {
		return f, usage("name a second parameter, or none", "a rank plot takes two parameters or more")
	}
	along, err := v.named(names, 3)
	if err == nil {
		err = v.unfounded(study.Complete, study.Failed)
	}
	if err != nil {
		return f, err
	}
	if len(along) < 2 {
		return f, usage("`bohier plot slice` shows one", "there is only one parameter")
	}
	if _, err := v.trust(); err != nil {
		return f, err
	}
	return figures.Rank(v.Source, along), nil
}

func plotImportance(v *view, o plotOptions, _ []string) (f plot.Figure, err error) {
	if err := v.fit(true); err != nil {
		return f, err
	}
	if o.by == "permutation" {
		v.Importance = importances(v.a.Permutation(v.Study.Space, v.state.Seed))
		return figures.Permutation(v.Source), nil
	}
	return figures.Importance(v.Source, coupled(v.Study.Space)), nil
}

func plotDistribution(v *view, _ plotOptions, _ []string) (f plot.Figure, err error) {
	for k := range v.Trials {
		if t := &v.Trials[k]; t.State == study.Complete && !t.Outside && v.Study.Measured(t) {
			return figures.Distribution(v.Source), nil
		}
	}
	return f, noBest(v.Study, v.Trials)
}

func plotTimeline(v *view, _ plotOptions, _ []string) (f plot.Figure, err error) {
	if f = figures.Timeline(v.Source); len(f.Panels) == 0 {
		return f, study.Errorf(study.NoResult,
			"trials suggested and observed by bohier have times; those of `bohier add` have none", "no trial has a time")
	}
	return f, nil
}

func plotCurves(v *view, _ plotOptions, _ []string) (f plot.Figure, err error) {
	if err := levelled(v.Study, "there is no fidelity to draw"); err != nil {
		return f, err
	}
	if _, err := v.trust(); err != nil {
		return f, err
	}
	if f = figures.Curves(v.Source); len(f.Panels) == 0 {
		return f, noBest(v.Study, v.Trials)
	}
	return f, nil
}

// levelled is the error of asking a study without a fidelity for what needs one.
func levelled(st *study.Study, without string) error {
	if st.Fidelity.Early() {
		return nil
	}
	return usage("add it: fidelity: {name: epochs, low: 1, high: 27}", "%s", without)
}

func plotCalibration(v *view, _ plotOptions, _ []string) (f plot.Figure, err error) {
	if err := v.fit(true); err != nil {
		return f, err
	}
	return figures.Calibration(v.Source, figures.LeftOut(v.a.LeftOut())), nil
}
