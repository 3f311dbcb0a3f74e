package main

import (
	"fmt"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// leaders is who leads where noise is material: the best, or of several objectives the
// front, by posterior means, with warnings about the surrogates; nil elsewhere. Why
// nobody can be named is a warning at once.
func leaders(s call, c runner.Session, state *journal.State) (*report.Leaderboard, []string, error) {
	n := len(c.Study.Best(state.Trials, len(state.Trials)))
	if n == 0 || !c.Noisy(state) {
		return nil, nil, nil
	}
	if c.Study.Several() {
		n = complete(state)
	}
	if n > runner.MostShown {
		s.Log.warn(fmt.Sprintf("values are noisy, and the best of %d may be luck: `bohier best --by posterior` fits the "+
			"surrogate to them all", n))
		return nil, nil, nil
	}
	board, warnings, err := believed(s, c, state, false)
	switch {
	case err == nil:
		return board, warnings, nil
	case s.ctx.Err() != nil:
		return nil, nil, err
	}
	s.Log.warn("values are noisy, but no surrogate tells what is luck: " + err.Error())
	return nil, nil, nil
}

// quietLeaders is leaders of the journal as it is now, without a word: the terminal is taken.
func quietLeaders(s call, c runner.Session) *report.Leaderboard {
	state, _, err := c.Read(s.ctx)
	if err != nil || complete(state) > runner.MostShown {
		return nil
	}
	s.Terminal = false
	board, _, err := believed(s, c, state, false)
	if err != nil {
		return nil
	}
	return board
}

// standing is what is shown of several objectives: that of a board, or, where nobody leads,
// that of what was measured.
func standing(st *study.Study, state *journal.State, b *report.Leaderboard) *study.Standing {
	if b != nil && b.Standing != nil {
		return b.Standing
	}
	return st.Standing(study.Pointers(state.Trials))
}

// ranks are those of the trials among several objectives, by number, by what leads if that is to
// count; nil for one objective.
func ranks(s call, c runner.Session, state *journal.State, led bool) (map[int]int, error) {
	if !c.Study.Several() {
		return nil, nil
	}
	var board *report.Leaderboard
	var err error
	if led {
		board, _, err = leaders(s, c, state)
	}
	return standing(c.Study, state, board).Ranks(), err
}

// believed ranks by posterior mean, with several objectives by the noisy ones, or by all; nil
// where no feasible trial lies in today's space.
func believed(s call, c runner.Session, state *journal.State, all bool) (*report.Leaderboard, []string, error) {
	if c.Study.Several() {
		defer fitting(s, state)()
		f, err := c.Frontier(s.ctx, state, all)
		if f == nil || err != nil {
			return nil, nil, err
		}
		return frontBoard(c.Study, f), f.Warnings, nil
	}
	a, err := analyze(s, c, state)
	if err != nil {
		return nil, nil, err
	}
	return leaderboard(c.Study, a.Leaders(state)), a.Warnings, nil
}

// leaderboard is the contract form of a runner's; nil for nil.
func leaderboard(st *study.Study, b *runner.Leaderboard) *report.Leaderboard {
	if b == nil {
		return nil
	}
	out := report.Leaderboard{Noise: map[string]report.Noise{st.Objective().Name: report.Noise(b.Noise)}}
	for _, l := range b.Ranked {
		out.Leaders = append(out.Leaders,
			leader(st, &l, report.Posterior{Estimate: &report.Estimate{Mean: l.Mean, Std: l.Std}}))
	}
	if k := b.Luckiest; k > 0 {
		t := &b.Ranked[k].Luckiest
		out.Luckiest = &report.Luckiest{
			Trial: t.Number, ID: t.ID(), Value: t.Values[st.Objective().Name], Posterior: *out.Leaders[k].Posterior.Estimate,
		}
	}
	return &out
}

// frontBoard is leaderboard for several objectives.
func frontBoard(st *study.Study, f *runner.Frontier) *report.Leaderboard {
	out := report.Leaderboard{Noise: map[string]report.Noise{}, Front: f.Front, Standing: f.Standing}
	for name, n := range f.Noise {
		out.Noise[name] = report.Noise(n)
	}
	for _, m := range f.Members {
		p := report.Posterior{Objectives: map[string]report.Estimate{}}
		for j, ob := range st.Objectives {
			if _, believed := f.Noise[ob.Name]; believed {
				p.Objectives[ob.Name] = report.Estimate(m.Believed[j])
			}
		}
		out.Leaders = append(out.Leaders, leader(st, &m.Leader, p))
	}
	return &out
}

func leader(st *study.Study, l *runner.Leader, p report.Posterior) report.Leader {
	return report.Leader{Trial: l.Trial, Posterior: p, Measured: report.Measure(st.Outcomes(), l.Values),
		Probability: l.Probability}
}

// trialsOf are the trials of the first n leaders.
func trialsOf(b *report.Leaderboard, n int) []study.Trial {
	var out []study.Trial
	for _, l := range b.Leaders[:min(n, len(b.Leaders))] {
		out = append(out, l.Trial)
	}
	return out
}

// estimates are what a board believes of every trial that can be the best.
func estimates(st *study.Study, b *report.Leaderboard, trials []study.Trial) report.Estimates {
	if b == nil || b.Front != nil {
		return nil
	}
	byKey := map[string]report.Estimate{}
	for _, l := range b.Leaders {
		byKey[st.Space.Key(l.Trial.Config)] = *l.Posterior.Estimate
	}
	out := report.Estimates{}
	for _, t := range st.Best(trials, len(trials)) {
		out[t.Number] = byKey[st.Space.Key(t.Config)]
	}
	return out
}
