package main

import (
	"fmt"

	"bohier/internal/journal"
	"bohier/internal/policy"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// bestOptions say which trials are the best.
type bestOptions struct {
	prefix string
	by     string
	count  int
	array  bool // --number was given
	pick   string
	at     float64
	picks  bool               // --pick was given
	known  *study.Leaderboard // of an earlier step; nil: to be found
}

func runBest(s call, session runner.Session, state *journal.State, _ []string) (err error) {
	o := bestOptions{prefix: s.text("prefix"), by: s.text("by"), count: s.count("number"), array: s.changed("number"),
		pick: s.text("pick"), picks: s.changed("pick")}
	o.at, err = s.resource(session.Study, "at", "there is no fidelity with levels to compare trials at", true)
	if err == nil {
		err = o.check(s, session.Study)
	}
	if err != nil {
		return err
	}
	return o.show(s, session, state)
}

func (o *bestOptions) show(s call, session runner.Session, state *journal.State) error {
	st := session.Study
	printer := trialPrinter{st: st, call: s, prefix: o.prefix, array: o.array, details: !o.array}
	count := o.count
	if st.Several() {
		printer.array, printer.details, count = o.pick == "", o.pick != "", 1
	}
	if err := printer.prepare(count); err != nil {
		return err
	}
	best, l, err := o.find(s, session, state)
	if err != nil {
		return err
	}
	printer.Listing = l
	if s.format != "table" {
		return printer.show(study.Pointers(best))
	}
	printer.Ranks = nil // all are on the front
	if l.Board == nil {
		return printer.show(study.Pointers(best))
	}
	out := report.TrialTable(st, study.Pointers(best), printer.Listing).Text(s.Color)
	for _, line := range report.NoiseWords(l.Board) {
		out = append(append(out, line...), '\n')
	}
	return s.print(out)
}

// check says what of the flags makes no sense for a study.
func (o *bestOptions) check(s call, st *study.Study) error {
	switch high := st.Fidelity.High(); {
	case o.at > 0 && o.at < high && o.by == "posterior":
		return usage("leave one of the two out", "posterior means are those of the full resource, %v", high)
	case st.Several():
		return o.checkFront(s, st)
	case o.picks:
		return usage("leave it out", "--pick is for several objectives")
	case o.count < 1:
		return usage("", "-n must be at least 1, not %d", o.count)
	}
	return nil
}

// find is the best trials, and what is shown of each: as leaders where values are noisy or the
// surrogate was asked.
func (o *bestOptions) find(s call, session runner.Session, state *journal.State) (best []study.Trial, l report.Listing,
	err error) {
	st := session.Study
	l.Own = true
	if best, below, err := o.belowFull(s, st, state.Trials); below || err != nil {
		return best, l, err
	}
	if best = st.Best(state.Trials, max(o.count, 1)); len(best) == 0 {
		return nil, l, noBest(st, state.Trials)
	}
	board, err := o.board(s, session, state)
	if err != nil {
		return nil, l, err
	}
	l.Own, l.By = board == nil, st.Measurements(state.Trials)
	l.Board = board
	if board == nil && (o.by == "observed" || session.Noisy(state)) {
		l.Judge = "observed"
	}
	if !st.Several() {
		if board != nil {
			best = trialsOf(board, o.count)
		}
		return best, l, nil
	}
	in := standing(st, state, nil)
	front := in.Front()
	if board != nil {
		front = board.Front
	} else {
		l.Ranks = in.Ranks()
	}
	best, err = o.frontTrials(st, front)
	if all := len(front.Trials); err == nil && !o.array && !o.picks && len(best) < all {
		s.Log.warn(fmt.Sprintf("these are %d of the %d on the front; -n 0 lists all", len(best), all))
	}
	return best, l, err
}

// board ranks by posterior mean, where that was asked for or noise asks for it.
func (o *bestOptions) board(s call, c runner.Session, state *journal.State) (*study.Leaderboard, error) {
	switch o.by {
	case "observed":
		return nil, nil
	case "auto":
		if o.known != nil {
			return o.known, nil
		}
		return leaders(s, c, state)
	}
	board, err := believed(s, c, state, true)
	switch {
	case err != nil:
		return nil, err
	case board == nil:
		return nil, study.Errorf(study.NoResult, "`bohier best --by observed` shows the best value",
			"no feasible trial lies in today's space")
	}
	s.Log.warn(board.Warnings...)
	return board, nil
}

// noBest says why no trial is the best.
func noBest(st *study.Study, trials []study.Trial) error {
	why, hint := runner.WithoutResult(st, trials)
	return study.Errorf(study.NoResult, hint, "there is no result yet: %s", why)
}

// belowFull are the best trials at the level that --at asks for or, where no trial has the
// full resource, at the highest that has one; below is false where those of the full resource count.
func (o *bestOptions) belowFull(s call, st *study.Study, trials []study.Trial) (best []study.Trial, below bool,
	err error) {
	f := &st.Fidelity
	best, level := policy.BestBelow(st, trials, o.at, o.count)
	switch {
	case level == 0 || o.by == "posterior":
		return nil, false, nil
	case best == nil:
		return nil, true, study.Errorf(study.NoResult, "`bohier status` shows how many trials have one at each level",
			"no trial has a value at %s %v that keeps the constraints", f.Name, level)
	case o.at == 0:
		s.Log.warn(fmt.Sprintf("no trial has all %v %s yet: the best at %v", f.High(), f.Name, level))
	}
	return best, true, nil
}
