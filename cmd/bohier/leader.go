package main

import (
	"context"
	"fmt"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// leaders is who leads where noise is material; both results are nil elsewhere.
// Why nobody can be named is a warning.
func leaders(ctx context.Context, s streams, c runner.Session, state *journal.State) (*report.Leaderboard, *runner.Analysis, error) {
	st := c.Study
	if st.Several() {
		return nil, nil, nil
	}
	n := len(st.Best(state.Trials, len(state.Trials)))
	if n == 0 || !c.Noisy(state) {
		return nil, nil, nil
	}
	if n > runner.MostShown {
		s.Log.warn(fmt.Sprintf("values are noisy, and the best of %d may be luck: `bohier best --by posterior` fits the surrogate to them all", n))
		return nil, nil, nil
	}
	a, err := analyze(ctx, s, c, state)
	switch {
	case err == nil:
		return leaderboard(st, a.Leaders(state)), a, nil
	case ctx.Err() != nil:
		return nil, nil, err
	}
	s.Log.warn("values are noisy, but no surrogate tells what is luck: " + err.Error())
	return nil, nil, nil
}

// leaderboard is the contract form of a runner's; nil for nil.
func leaderboard(st *study.Study, b *runner.Leaderboard) *report.Leaderboard {
	if b == nil {
		return nil
	}
	out := report.Leaderboard{Noise: report.Noise{SD: b.SD, Share: b.Share, Source: "estimated"}}
	switch {
	case b.Given:
		out.Noise.Source = "given"
	case b.Reported:
		out.Noise.Source = "estimated and reported"
	}
	for _, l := range b.Ranked {
		out.Leaders = append(out.Leaders, report.Leader{
			Trial: l.Trial, Posterior: report.Estimate{Mean: l.Mean, Std: l.Std},
			Measured: report.Measure(st.Outcomes(), l.Values), Probability: l.Probability,
		})
	}
	if k := b.Luckiest; k > 0 {
		t := &b.Ranked[k].Luckiest
		out.Luckiest = &report.Luckiest{
			Trial: t.Number, ID: t.ID(), Value: t.Values[st.Objective.Name], Posterior: out.Leaders[k].Posterior,
		}
	}
	return &out
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
	if b == nil {
		return nil
	}
	byKey := map[string]report.Estimate{}
	for _, l := range b.Leaders {
		byKey[st.Space.Key(l.Trial.Config)] = l.Posterior
	}
	out := report.Estimates{}
	for _, t := range st.Best(trials, len(trials)) {
		if !t.Outside {
			out[t.Number] = byKey[st.Space.Key(t.Config)]
		}
	}
	return out
}

// leading makes the leader the best of a status.
func leading(r *report.Status, st *study.Study, state *journal.State, b *report.Leaderboard) {
	if b == nil {
		return
	}
	t := faithful(st, state)(st.Space, &b.Leaders[0].Trial)
	b.Mark(&t, 0)
	r.Best, r.Noise = &t, map[string]report.Noise{st.Objective.Name: b.Noise}
}
