package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bohier/internal/execute"
	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func runStatus(s call, _ []string) error {
	var err error
	if s.on("watch") {
		err = watchStatus(s)
	} else {
		err = showStatus(s)
	}
	if err != nil || !s.on("over") {
		return err
	}
	session, state, err := s.current()
	if err != nil {
		return err
	}
	return over(s.ctx, session, state.Trials)
}

// showStatus shows the present state of the study.
func showStatus(s call) error {
	session, state, err := s.current()
	if err != nil {
		return err
	}
	board, err := leaders(s, session, state)
	if err != nil {
		return err
	}
	ended := ""
	if runner.MayBeOver(session.Study, state) {
		err := over(s.ctx, session, state.Trials)
		if s.ctx.Err() != nil {
			return err
		}
		if study.HasCode(err, study.Exhausted) || study.HasCode(err, study.NoResult) {
			ended = err.Error()
		}
	}
	return printStatus(s, session.Study, state, board, ended)
}

// printStatus shows a study's state by its board; ended reports why nothing is left to do, empty: unknown.
func printStatus(s call, st *study.Study, state *journal.State, board *study.Leaderboard, ended string) error {
	status := statusOf(st, state, board, standing(st, state, board), st.Measurements(state.Trials))
	status.Ended = ended
	return present(s, []report.Status{status}, false, func() []byte {
		fresh := func(t *study.Trial) bool { return !t.Stale }
		stale := len(slices.DeleteFunc(study.Pointers(state.Trials), fresh))
		var bounds, noise []string
		if status.Best != nil {
			bounds = report.Bounds(st, &state.Trials[status.Best.Trial-1])
		}
		if board != nil {
			noise = report.NoiseWords(board)
		}
		return report.Sheet("status", map[string]any{"r": &status, "st": st, "state": state, "stale": stale,
			"outside": status.Outside - stale, "workers": execute.Workers(runner.FilesDir(st), state.Trials),
			"bounds": bounds, "noise": noise, "progress": report.ProgressTable(st, status.Progress)})
	})
}

// over is why nothing is left to do in a study; nil where something can be suggested
// or taken, or others have trials to finish.
func over(ctx context.Context, session runner.Session, trials []study.Trial) error {
	for k := range trials {
		if trials[k].State == study.Pending && !trials[k].Waiting {
			return nil
		}
	}
	_, _, err := session.Suggest(ctx, runner.Ask{DryRun: true})
	return err
}

// statusOf is the status of a study, of noisy values by its board.
func statusOf(st *study.Study, state *journal.State, board *study.Leaderboard, in *study.Standing,
	by report.Repeated) report.Status {
	status := report.Status{Schema: "bohier/status/1", Study: st.Name}
	status.Count(state.Trials)
	status.Fidelity = report.NewFidelityStatus(st, state.Trials, runner.NoNew(st, state))
	if left, limited := runner.Left(st, state.Trials); limited {
		status.Budget = &report.Budget{Trials: st.Budget.Trials, Left: left}
	}
	status.Queued, status.Shortfall = len(state.Queue), st.Shortfall(state.Trials)
	status.Cost = report.Spent(state.Trials)
	best, l := in.Best(1), report.Listing{By: by, Board: board}
	if board != nil {
		status.Noise = board.Noise
	}
	switch {
	case st.Several():
		status.Lacking = lacking(st, state.Trials)
		if f := in.Front(); f != nil {
			if board == nil {
				l.Ranks = f.Ranks()
			}
			for k := range f.Trials {
				status.Front = append(status.Front, report.TrialOf(st, &f.Trials[k], l))
			}
			status.Knee, status.Hypervolume = f.Trials[f.Knee()].ID(), report.NewHypervolume(st, f)
		}
		return status
	case len(best) > 0:
		status.Best = new(report.TrialOf(st, &best[0], l))
	}
	if status.Cost != nil {
		status.Progress = report.Progress(in, state.Trials)
	}
	return status
}

// lacking counts, by name, the complete trials without a value of an objective.
func lacking(st *study.Study, trials []study.Trial) map[string]int {
	out := map[string]int{}
	for k := range trials {
		if t := &trials[k]; t.State == study.Complete {
			for _, name := range st.Missing(t) {
				out[name]++
			}
		}
	}
	return out
}

// watch calls step for the journal as it is, and again whenever it has grown, under the study that it began with, until
// the study is over; last means that this is so. It looks as often as --every says.
func watch(s call, step func(s call, last bool) error) error {
	s.kept = &keptSession{forGood: true}
	session, err := s.session()
	if err != nil {
		return err
	}
	tick := time.NewTicker(s.span("every"))
	defer tick.Stop()
	for seen := -1; ; {
		state, _, err := session.Read(s.ctx)
		if err != nil {
			return err
		}
		s.tellChange()
		if state.Seq != seen {
			seen = state.Seq
			last := runner.Over(session.Study, state) != nil
			if err := step(s, last); err != nil || last {
				return err
			}
		}
		select {
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		case <-tick.C:
		}
	}
}

// watchReport rewrites the report as the journal grows.
func watchReport(s call, out outFile) error {
	if out.stdout() {
		return usage("bohier report --watch --out report.html", "--watch needs a file to rewrite")
	}
	seconds := max(int(s.span("every").Seconds()), 1)
	return watch(s, func(s call, last bool) error {
		if last {
			seconds = 0
		}
		var text bytes.Buffer
		if err := makeReport(s, &text, seconds); err != nil {
			return err
		}
		if last {
			s.Log.Info().Msg(fmt.Sprintf("%s: the study is over", string(out)))
		}
		return out.save(s, text.Bytes())
	})
}

// watchStatus shows the status as the journal grows: on a terminal in place, with the
// picture of convergence where it fits.
func watchStatus(s call) error {
	return watch(s, func(s call, _ bool) error {
		var screen bytes.Buffer
		one := s
		one.Stdout = &screen
		if s.Screen && s.format == "text" {
			screen.WriteString("\x1b[H\x1b[2J") // to the corner, and clear
		}
		if err := showStatus(one); err != nil {
			return err
		}
		if s.Screen && s.format == "text" {
			f, err := plotKinds[0].picture(one, nil)
			if err == nil {
				screen.WriteByte('\n')
				screen.Write(f.Text(cmp.Or(s.Columns, 80)))
			}
		}
		return s.deliver(screen.Bytes())
	})
}
