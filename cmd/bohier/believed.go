package main

import (
	"fmt"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// leaders is who leads where noise is material: the best, or of several objectives the
// front, by posterior means; nil elsewhere. Why nobody can be named is a warning at once.
func leaders(s call, c runner.Session, state *journal.State) (*study.Leaderboard, error) {
	counts := func(t study.Trial) bool { return c.Study.Counts(&t) }
	if !slices.ContainsFunc(state.Trials, counts) || !c.Noisy(state) {
		return nil, nil
	}
	if n := len(study.In(study.Complete, state.Trials)); n > runner.MostShown {
		s.Log.warn(fmt.Sprintf("values are noisy, and the best of %d may be luck: `bohier best --by posterior` fits the "+
			"surrogate to them all", n))
		return nil, nil
	}
	board, err := believed(s, c, state, false)
	if err == nil || s.ctx.Err() != nil {
		return board, err
	}
	s.Log.warn("values are noisy, and no surrogate could be fitted to rank them: " + err.Error())
	return nil, nil
}

// standing holds the values of trials that count: by a board or, where nobody leads, by measured values.
func standing(st *study.Study, state *journal.State, b *study.Leaderboard) *study.Standing {
	if b != nil {
		return b.Standing
	}
	return st.Standing(study.Pointers(state.Trials))
}

// ranks are those of the trials among several objectives, by number, and by the leaders if led; nil for one objective.
func ranks(s call, c runner.Session, state *journal.State, led bool) (map[int]int, error) {
	if !c.Study.Several() {
		return nil, nil
	}
	var board *study.Leaderboard
	var err error
	if led {
		board, err = leaders(s, c, state)
	}
	return standing(c.Study, state, board).Ranks(), err
}

// believed ranks by posterior mean, with several objectives by the noisy ones, or by all; nil
// where no feasible trial lies in today's space.
func believed(s call, c runner.Session, state *journal.State, all bool) (*study.Leaderboard, error) {
	defer fitting(s, state)()
	return c.Leaderboard(s.ctx, state, all)
}
