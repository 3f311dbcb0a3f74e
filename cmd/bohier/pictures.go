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
	figures.Source
	session runner.Session
	state   *journal.State
	a       *runner.Analysis // nil: too little to fit, or not asked for
	unfit   *study.Error     // why there is none
}

// look reads the study.
func look(s call, p place) (*view, error) {
	session, state, err := s.current()
	if err != nil {
		return nil, err
	}
	return &view{Source: figures.Source{Study: session.Study, Trials: state.Trials}, session: session, state: state}, nil
}

// look reads the study, of several objectives as it is for the one that is asked for.
func (o *plotOptions) look(s call) (*view, error) {
	v, err := look(s, s.place)
	if err != nil {
		return nil, err
	}
	v.Scale = o.scale()
	if v.session, err = o.of.one(v.session); err != nil {
		return nil, err
	}
	v.Study = v.session.Study
	return v, nil
}

// fit adds what the surrogate says. Too little to fit is an error only where the
// surrogate is needed.
func (v *view) fit(s call, needed bool) (err error) {
	v.a, err = analyze(s, v.session, v.state)
	switch {
	case errors.As(err, &v.unfit) && v.unfit.Code == study.NoResult && !needed:
		return nil
	case err != nil:
		return err
	}
	v.Surrogate, v.Importance = v.a, importances(v.a.Importance(v.state.Seed))
	v.Feasible, err = v.session.Satisfying(s.ctx, v.state)
	if v.session.Noisy(v.state) {
		v.Believed = estimates(v.Study, leaderboard(v.Study, v.a.Leaders(v.state)), v.Trials)
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

func plotConvergence(s call, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := look(s, s.place)
	if err != nil {
		return f, err
	}
	if o.x == "resource" && !v.Study.Fidelity.Early() {
		return f, noFidelity("spend")
	}
	if o.all(v.Study) {
		if o.y != "auto" {
			return f, usage("leave --y out, or add --objective NAME for one of them", "the hypervolume is a share of 1, which needs no scale of its own")
		}
		return v.hypervolume(s, o.x == "cost")
	}
	if v, err = o.look(s); err != nil {
		return f, err
	}
	steps, spent := report.Progress(v.Study, v.Trials, good(v.Study, v.Trials))
	if len(steps) == 0 {
		return f, noBest(v.Study, v.Trials)
	}
	if o.x == "cost" && spent == nil {
		return f, noCost()
	}
	if o.y == "log" {
		for _, step := range steps {
			if step.Value <= 0 {
				return f, usage("leave --y away: poor values then move to the edge", "a log axis has no place for the value %s of trial %s", report.Rounded(step.Value), step.ID)
			}
		}
	}
	if err := v.trust(s); err != nil {
		return f, err
	}
	return figures.Convergence(v.Source, figures.ConvergenceOptions{ByCost: o.x == "cost", ByResource: o.x == "resource"}), nil
}

// trust adds what is believed of the trials where the best value may be luck, unless it is
// known.
func (v *view) trust(s call) error {
	if v.Believed != nil {
		return nil
	}
	board, _, err := leaders(s, v.session, v.state)
	v.Believed = estimates(v.Study, board, v.Trials)
	return err
}

// cut is where to cut along parameters with values fixed by the user.
func (v *view) cut(along []int, o plotOptions) (figures.Place, error) {
	fixed, err := assignment(v.Study, o.fix)
	if err != nil {
		return figures.Place{}, err
	}
	names := make([]string, len(along))
	for k, i := range along {
		names[k] = v.Study.Space.Param(i).Name
		if _, both := fixed[i]; both {
			return figures.Place{}, usage("leave --fix "+names[k]+" away", "%s cannot be held: it is drawn", names[k])
		}
	}
	place, ok := v.PlaceFor(along, fixed)
	if !ok {
		with := ""
		if len(fixed) > 0 {
			with = " with " + strings.Join(o.fix, ", ")
		}
		return place, study.Errorf(study.NoResult, "report results of such configurations with `bohier observe`",
			"%s: active%s in no complete trial", strings.Join(names, ", "), with)
	}
	return place, nil
}

func plotSlice(s call, o plotOptions, names []string) (f plot.Figure, err error) {
	if len(names) == 0 {
		return overview(s, o, 1)
	}
	v, along, place, err := cuts(s, o, names)
	if err != nil {
		return f, err
	}
	return figures.Slice(v.Source, along[0], place), nil
}

// cuts reads the study, fits its surrogate and finds where to cut along the parameters
// with those names. Names and fixed values are checked before anything is fitted.
func cuts(s call, o plotOptions, names []string) (v *view, along []int, at figures.Place, err error) {
	if v, err = o.look(s); err != nil {
		return nil, nil, at, err
	}
	if along, err = parameters(v.Study, names); err != nil {
		return nil, nil, at, err
	}
	if _, err = assignment(v.Study, o.fix); err != nil {
		return nil, nil, at, err
	}
	if err = v.fitOrFail(s); err != nil {
		return nil, nil, at, err
	}
	at, err = v.cut(along, o)
	return v, along, at, err
}

// fitOrFail is fit for what is drawn of the surrogate alone.
func (v *view) fitOrFail(s call) error {
	err := v.fit(s, true)
	if err == nil {
		s.Log.warn(v.a.Warnings...)
	}
	return err
}

func plotContour(s call, o plotOptions, names []string) (f plot.Figure, err error) {
	switch len(names) {
	case 0:
		return overview(s, o, 2)
	case 1:
		return f, usage("bohier plot contour NAME NAME, or without names those that matter most", "missing argument: the name of a second parameter")
	}
	v, along, place, err := cuts(s, o, names)
	if err != nil {
		return f, err
	}
	return figures.Contour(v.Source, along[0], along[1], place), nil
}

// named are the parameters named, or so many that matter most; which those are is
// known where a surrogate can be fitted.
func named(s call, o plotOptions, names []string, most int) (*view, []int, error) {
	v, err := o.look(s)
	if err != nil {
		return nil, nil, err
	}
	along, err := parameters(v.Study, names)
	if err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		if len(v.Study.Space.Coordinates()) > most {
			if err := v.fit(s, false); err != nil {
				return nil, nil, err
			}
		}
		along = v.ByImportance()
		along = along[:min(most, len(along))]
	}
	for k := range v.Trials {
		if t := &v.Trials[k]; !t.Outside && (t.State == study.Complete || t.State == study.Failed) {
			return v, along, nil
		}
	}
	return nil, nil, noBest(v.Study, v.Trials)
}

func plotParallel(s call, o plotOptions, names []string) (f plot.Figure, err error) {
	if v, err := look(s, s.place); err == nil && o.all(v.Study) {
		v.Scale = o.scale()
		along, err := parameters(v.Study, names)
		if err != nil {
			return f, err
		}
		if len(names) == 0 {
			along = v.ByImportance()
			along = along[:min(12, len(along))]
		}
		if v.Study.Front(study.Pointers(v.Trials)) == nil {
			return f, noBest(v.Study, v.Trials)
		}
		if _, err := v.lead(s); err != nil {
			return f, err
		}
		return figures.ParallelFront(v.Source, along), nil
	}
	v, along, err := named(s, o, names, 12)
	if err != nil {
		return f, err
	}
	if err := v.trust(s); err != nil {
		return f, err
	}
	return figures.Parallel(v.Source, along), nil
}

func plotRank(s call, o plotOptions, names []string) (f plot.Figure, err error) {
	if len(names) == 1 {
		return f, usage("name a second parameter, or none", "a rank plot takes two parameters or more")
	}
	v, along, err := named(s, o, names, 3)
	if err != nil {
		return f, err
	}
	if len(along) < 2 {
		return f, usage("`bohier plot slice` shows one", "there is only one parameter")
	}
	if err := v.trust(s); err != nil {
		return f, err
	}
	return figures.Rank(v.Source, along), nil
}

func plotImportance(s call, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := o.look(s)
	if err != nil {
		return f, err
	}
	if err := v.fitOrFail(s); err != nil {
		return f, err
	}
	if o.by == "permutation" {
		v.Importance = importances(v.a.Permutation(v.state.Seed))
		return figures.Permutation(v.Source), nil
	}
	return figures.Importance(v.Source, coupled(v.Study.Space)), nil
}

func plotDistribution(s call, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := o.look(s)
	if err != nil {
		return f, err
	}
	for k := range v.Trials {
		if t := &v.Trials[k]; t.State == study.Complete && !t.Outside && v.Study.Measured(t) {
			return figures.Distribution(v.Source), nil
		}
	}
	return f, noBest(v.Study, v.Trials)
}

func plotTimeline(s call, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := look(s, s.place)
	if err != nil {
		return f, err
	}
	if f = figures.Timeline(v.Source); len(f.Panels) == 0 {
		return f, study.Errorf(study.NoResult, "trials suggested and observed by bohier have times; those of `bohier add` have none", "no trial has a time")
	}
	return f, nil
}

func plotCurves(s call, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := look(s, s.place)
	if err != nil {
		return f, err
	}
	if !v.Study.Fidelity.Early() {
		return f, noFidelity("draw")
	}
	if err := v.trust(s); err != nil {
		return f, err
	}
	if f = figures.Curves(v.Source); len(f.Panels) == 0 {
		return f, noBest(v.Study, v.Trials)
	}
	return f, nil
}

// noFidelity is the error of asking a study without a fidelity for what needs one.
func noFidelity(what string) error {
	return usage("fidelity: {name: epochs, low: 1, high: 27} in the study file", "there is no fidelity to %s", what)
}

func plotCalibration(s call, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := o.look(s)
	if err != nil {
		return f, err
	}
	if err := v.fitOrFail(s); err != nil {
		return f, err
	}
	return figures.Calibration(v.Source, figures.LeftOut(v.a.LeftOut)), nil
}

// good tells which trials can be the best: the complete ones whose outcomes
// satisfy the constraints.
func good(st *study.Study, trials []study.Trial) func(*study.Trial) bool {
	counted := map[int]bool{}
	for _, t := range st.Best(trials, len(trials)) {
		counted[t.Number] = true
	}
	return func(t *study.Trial) bool { return counted[t.Number] }
}
