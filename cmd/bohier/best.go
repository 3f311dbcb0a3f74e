package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

type bestOptions struct {
	format format
	prefix string
	by     string
	count  int
	array  bool
	pick   string
	at     float64
	picks  bool                // --pick was given
	known  *report.Leaderboard // of an earlier step; nil: to be found
}

func newBest(g *globals) *cobra.Command {
	var o bestOptions
	c := &cobra.Command{
		Use:         "best [flags]",
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9, 11),
		RunE: g.run(func(s call, args []string) error {
			o.array, o.picks = s.changed("number"), s.changed("pick")
			return o.run(s, args)
		}),
	}
	f := c.Flags()
	f.IntVarP(&o.count, "number", "n", 1, "number of trials, `N`; JSON output becomes an array")
	f.StringVar(&o.pick, "pick", "", "one trial of a front: best in the objective `NAME`, knee, or weights NAME=W,…")
	g.oneOf(c, f, &o.by, "by", "rank by recorded values or by posterior means", "auto", "observed", "posterior")
	f.Float64Var(&o.at, "at", 0, "rank the values at `RESOURCE` (studies with a fidelity)")
	f.StringVar(&o.prefix, "prefix", "", "prefix of the variables of -o env, as `TEXT`")
	g.addFormat(c, &o.format, oneFormats...)
	return c
}

func (o *bestOptions) run(s call, args []string) error {
	session, state, err := s.current()
	if err != nil {
		return err
	}
	if err := o.checkAt(session.Study); err != nil {
		return err
	}
	if session.Study.Several() {
		return runBestFront(s, o, session, state)
	}
	if o.picks {
		return usage("leave it out", "--pick is for several objectives")
	}
	if o.count < 1 {
		return usage("", "-n must be at least 1, not %d", o.count)
	}
	printer := trialPrinter{st: session.Study, format: o.format, prefix: o.prefix, array: o.array, details: !o.array, colour: s.Color}
	if err := printer.prepare(o.count); err != nil {
		return err
	}
	best, board, shown, err := o.find(s, session, state)
	if err != nil {
		return err
	}
	if o.level(session.Study, state.Trials) == 0 { // measurements are of the full resource
		printer.By = session.Study.Measurements(state.Trials)
	}
	printer.Own = board == nil
	if board != nil {
		printer.Posterior = report.Estimates{}
		for k := range best {
			printer.Posterior[best[k].Number] = *board.Leaders[k].Posterior.Estimate
		}
		if session.Noisy(state) && o.format.name == "table" {
			return s.print(leaderText(board, session.Study, o.count, s.Color))
		}
	}
	out, err := render(&printer, best, shown)
	if err != nil {
		return err
	}
	return s.show(o.format, out)
}

// runBestFront is runBest for several objectives.
func runBestFront(s call, o *bestOptions, session runner.Session, state *journal.State) error {
	printer := trialPrinter{st: session.Study, format: o.format, prefix: o.prefix, array: o.pick == "", details: o.pick != "", colour: s.Color}
	if err := printer.prepare(1); err != nil {
		return err
	}
	if err := o.checkFront(session.Study); err != nil {
		return err
	}
	st := session.Study
	front := st.Front(study.Pointers(state.Trials))
	if front == nil {
		return noBest(st, state.Trials)
	}
	board, err := o.board(s, session, state)
	if err != nil {
		return err
	}
	shown := o.judged(session, state, ranked(st, st.Standing(study.Pointers(state.Trials)), faithful(st, state)))
	if board != nil {
		front, shown = board.Front, marked(st, state, board)
	}
	best, err := o.frontTrials(st, front)
	if err != nil {
		return err
	}
	if all := len(front.Trials); !o.array && !o.picks && len(best) < all {
		s.Log.warn(fmt.Sprintf("these are %d of the %d on the front; -n 0 lists all", len(best), all))
	}
	if board != nil && o.format.name == "table" {
		return s.print(leaderText(board.Only(best), st, len(best), s.Color))
	}
	printer.By, printer.Own = st.Measurements(state.Trials), board == nil
	out, err := render(&printer, best, shown)
	if err != nil {
		return err
	}
	return s.show(o.format, out)
}

// find is the best trials, the leaderboard they are from, if there is one, and how
// each is shown.
func (o *bestOptions) find(s call, session runner.Session, state *journal.State) (best []study.Trial, board *report.Leaderboard, shown func(*space.Space, *study.Trial) report.Trial, err error) {
	st := session.Study
	if best, below, err := o.belowFull(s, st, state.Trials); below || err != nil {
		return best, nil, single(st), err
	}
	if best = st.Best(state.Trials, o.count); len(best) == 0 {
		return nil, nil, nil, noBest(st, state.Trials)
	}
	if board, err = o.board(s, session, state); err != nil {
		return nil, nil, nil, err
	}
	if board != nil {
		best = trialsOf(board, o.count)
	}
	shown = o.judged(session, state, faithful(st, state))
	switch {
	case board != nil && session.Noisy(state):
		shown = marked(st, state, board)
	case board != nil:
		rank := map[int]int{} // by number
		for k := range best {
			rank[best[k].Number] = k
		}
		plain := faithful(st, state)
		shown = func(sp *space.Space, t *study.Trial) report.Trial {
			r := plain(sp, t)
			r.Posterior, r.By = &board.Leaders[rank[t.Number]].Posterior, "posterior"
			return r
		}
	}
	return best, board, shown, nil
}

// judged has the contract form of trials say that they are the best by their values, where
// that was asked for or noise would have it otherwise.
func (o *bestOptions) judged(c runner.Session, state *journal.State, shown func(*space.Space, *study.Trial) report.Trial) func(*space.Space, *study.Trial) report.Trial {
	if o.by != "observed" && !c.Noisy(state) {
		return shown
	}
	return func(sp *space.Space, t *study.Trial) report.Trial {
		r := shown(sp, t)
		r.By = "observed"
		return r
	}
}

// board ranks by posterior mean, where that was asked for or noise asks for it.
func (o *bestOptions) board(s call, c runner.Session, state *journal.State) (*report.Leaderboard, error) {
	switch o.by {
	case "observed":
		return nil, nil
	case "auto":
		if o.known != nil {
			return o.known, nil
		}
		board, _, err := leaders(s, c, state)
		return board, err
	}
	board, warnings, err := believed(s, c, state, true)
	if err != nil {
		return nil, err
	}
	s.Log.warn(warnings...)
	if board == nil {
		return nil, study.Errorf(study.NoResult, "`bohier best --by observed` shows the best value", "no feasible trial lies in today's space")
	}
	return board, nil
}

// leaderText is the first n leaders with what there is to say about the first.
func leaderText(b *report.Leaderboard, st *study.Study, n int, colour bool) []byte {
	out := b.Table(st, n).Text(colour)
	for _, line := range b.Words() {
		out = append(append(out, line...), '\n')
	}
	return out
}

// noCost is the error of a picture by cost without any.
func noCost() error {
	return study.Errorf(study.NoResult, "report costs with `bohier observe --cost`", "no trial has a cost")
}

// noBest says why no trial is the best.
func noBest(st *study.Study, trials []study.Trial) error {
	why, hint := runner.WithoutResult(st, trials)
	return study.Errorf(study.NoResult, hint, "there is no result yet: %s", why)
}
