package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A view is a study with the trials of its journal, as every command and picture shows it.
type view struct {
	call
	figures.Source
	session runner.Session
	state   *journal.State
	a       *runner.Analysis            // nil: too little to fit, or not asked for
	unfit   *study.Error                // why there is none
	fits    map[string]*runner.Analysis // that were made, by objective
	fixed   space.Assignment            // of cuts: the values that the user holds
	board   *study.Leaderboard          // the posterior of noisy values; nil: values count
}

// view is a session's study, with its journal unread.
func (s call) view(c runner.Session) *view {
	return &view{call: s, Source: figures.Source{Study: c.Study}, session: c, fits: map[string]*runner.Analysis{}}
}

// read reads the journal, unless an error was found in the arguments, and shows the warnings about it.
func (v *view) read(found error) error {
	if found != nil {
		return found
	}
	state, warnings, err := v.session.Read(v.ctx)
	v.Log.warn(warnings...)
	if err == nil {
		v.set(state)
	}
	return err
}

// set has the view show the trials of a state.
func (v *view) set(state *journal.State) { v.state, v.Trials = state, state.Trials }

// unread is a view of the study, with its journal unread.
func (s call) unread() (*view, error) {
	c, err := s.session()
	return s.view(c), err
}

// look reads the study and its journal.
func (s call) look() (*view, error) {
	v, err := s.unread()
	return v, v.read(err)
}

// goal is the study as it is for one of its objectives.
func (v *view) goal(k int) *view {
	one := *v
	one.session = v.session.For(k)
	one.Study, one.Standing, one.board = one.session.Study, nil, nil
	return &one
}

// asked are the places of the objectives that are asked for by --objective: of the named one, or all.
func (v *view) asked(objective string) ([]int, error) {
	names := v.Study.Goals()
	places := lists.Where(len(names), func(k int) bool { return objective == "" || objective == names[k] })
	if len(places) == 0 {
		return nil, usage("objectives: "+strings.Join(names, ", "), "there is no objective %q", objective)
	}
	return places, nil
}

// goals reads the journal for the views of the objectives that are asked for.
func (v *view) goals(objective string) ([]*view, error) {
	places, err := v.asked(objective)
	err = v.read(err)
	return lists.Of(places, v.goal), err
}

// forEach calls do for the views of objectives. One of several that no surrogate can be fitted
// to is left out with a warning; where that is so of all, it is the error.
func forEach(goals []*view, do func(goal *view) error) error {
	var none error
	var left []string
	for _, goal := range goals {
		err := do(goal)
		if err != nil && (len(goals) == 1 || !study.HasCode(err, study.NoResult)) {
			return err
		}
		if err != nil {
			none, left = err, append(left, "objective "+goal.Study.Objective().Name+" is left out: "+err.Error())
		}
	}
	if len(left) == len(goals) {
		return none
	}
	goals[0].Log.warn(left...)
	return nil
}

// analysis has the predictions of the surrogate of the objective; it is fitted once.
func (v *view) analysis() (a *runner.Analysis, err error) {
	name := v.Study.Objective().Name
	if a = v.fits[name]; a == nil {
		defer v.fitting()()
		if a, err = v.session.Analyze(v.ctx, v.state); err == nil {
			v.fits[name] = a
		}
	}
	return a, err
}

// fit adds the predictions of the only objective's surrogate. Too little to fit is an error only where the surrogate is
// needed. The trials of several objectives are ranked as far as they can be trusted.
func (v *view) fit(needed bool) (err error) {
	if v.Study.Several() {
		return v.trust()
	}
	v.a, err = v.analysis()
	switch {
	case errors.As(err, &v.unfit) && v.unfit.Code == study.NoResult && !needed:
		v.stand(nil)
		return nil
	case err != nil:
		return err
	}
	if needed {
		v.Log.warn(v.a.Warnings...)
	}
	v.Surrogate, v.Importance = v.a.Predict, importances(v.a.Importance(v.Study.Space, v.state.Seed))
	v.Feasible, err = v.a.Satisfying(v.ctx)
	var board *study.Leaderboard
	if err == nil && v.session.Noisy(v.state) {
		board, err = v.session.Leaderboard(v.ctx, v.state, true)
	}
	v.stand(board)
	return err
}

// stand makes the values of trials count, or the posterior means of a board.
func (v *view) stand(board *study.Leaderboard) {
	if v.board = board; board == nil {
		v.Standing = v.measured()
	} else {
		v.Standing = board.Standing
	}
}

// best are the best n trials, while none has the full resource those at the highest level with a value.
func (v *view) best(n int) []study.Trial {
	if below, level := policy.BestBelow(v.Study, v.Trials, 0, n); level > 0 {
		return below
	}
	return v.Standing.Best(n)
}

// measured holds the values of trials that count.
func (v *view) measured() *study.Standing { return v.Study.Standing(study.Pointers(v.Trials)) }

// trust finds out whose values count, unless it is known: where the best value may be luck the leaders' posterior
// means. Why nobody can be named is a warning at once.
func (v *view) trust() error {
	if v.Standing != nil {
		return nil
	}
	v.stand(nil)
	counts := func(t study.Trial) bool { return v.Study.Counts(&t) }
	if !slices.ContainsFunc(v.Trials, counts) || !v.session.Noisy(v.state) {
		return nil
	}
	if n := len(study.In(study.Complete, v.Trials)); n > runner.MostShown {
		v.Log.warn(fmt.Sprintf("values are noisy, and the best of %d may be luck: `bohier best --by posterior` fits the "+
			"surrogate to them all", n))
		return nil
	}
	board, err := v.leaders(false)
	switch {
	case err == nil:
		v.stand(board)
	case v.ctx.Err() == nil:
		v.Log.warn("values are noisy, and no surrogate could be fitted to rank them: " + err.Error())
		return nil
	}
	return err
}

// leaders ranks by posterior mean, with several objectives by the noisy ones, or by all; nil
// where no feasible trial lies in today's space.
func (v *view) leaders(all bool) (*study.Leaderboard, error) {
	defer v.fitting()()
	return v.session.Leaderboard(v.ctx, v.state, all)
}

// ranks are those of the trials among several objectives, by number, and by the leaders if led; nil for one objective.
func (v *view) ranks(led bool) (map[int]int, error) {
	if !v.Study.Several() {
		return nil, nil
	}
	if !led {
		return v.measured().Ranks(), nil
	}
	if err := v.trust(); err != nil {
		return nil, err
	}
	return v.Standing.Ranks(), nil
}

// fitting shows on a terminal that surrogates are fitted, until the function that it returns is called.
func (v *view) fitting() (done func()) {
	told := study.Count(len(study.In(study.Complete, v.Trials)), "trial")
	return busy(v.line(), "fitting the surrogate to "+told, busyAfter, busyEvery)
}
