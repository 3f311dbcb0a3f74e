package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bohier/internal/execute"
	"bohier/internal/policy"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func runStatus(s call, _ []string) error {
	show := showStatus
	if s.on("watch") {
		show = watchStatus
	}
	if err := show(s); err != nil || !s.on("over") {
		return err
	}
	v, err := s.look()
	if err != nil {
		return err
	}
	return v.over()
}

// showStatus shows the present state of the study.
func showStatus(s call) error {
	v, err := s.look()
	if err == nil {
		err = v.trust()
	}
	if err != nil {
		return err
	}
	ended, err := v.ended()
	if err != nil {
		return err
	}
	return v.printStatus(ended)
}

// ended is why the study is over, as far as the journal or a search tells; empty: something is left to do. The error is
// that of the signal that ended the search.
func (v *view) ended() (why string, err error) {
	if !runner.MayBeOver(v.Study, v.state) {
		return "", nil
	}
	err = v.over()
	switch {
	case v.ctx.Err() != nil:
		return "", err
	case study.HasCode(err, study.Exhausted), study.HasCode(err, study.NoResult):
		return err.Error(), nil
	}
	return "", nil
}

// printStatus shows a study's state; ended reports why nothing is left to do, empty: unknown.
func (v *view) printStatus(ended string) error {
	st := v.Study
	status := v.status(st.Measurements(v.Trials))
	status.Ended = ended
	return present(v.call, []report.Status{status}, false, func() []byte {
		fresh := func(t *study.Trial) bool { return !t.Stale }
		stale := len(slices.DeleteFunc(study.Pointers(v.Trials), fresh))
		var bounds, noise []string
		if status.Best != nil {
			bounds = report.Bounds(st, &v.Trials[status.Best.Trial-1])
		}
		if v.board != nil {
			noise = report.NoiseWords(v.board)
		}
		return report.Sheet("status", map[string]any{"r": &status, "st": st, "state": v.state, "stale": stale,
			"outside": status.Outside - stale, "workers": execute.Workers(runner.FilesDir(st), v.Trials),
			"ties": policy.WorstTie(st, v.Trials), "bounds": bounds, "noise": noise,
			"progress": report.ProgressTable(st, status.Progress)})
	})
}

// over is why nothing is left to do in a study; nil where something can be suggested
// or taken, or others have trials to finish.
func (v *view) over() error {
	if slices.ContainsFunc(study.In(study.Pending, v.Trials), func(t *study.Trial) bool { return !t.Waiting }) {
		return nil
	}
	_, _, err := v.session.Suggest(v.ctx, runner.Ask{DryRun: true})
	return err
}

// status is that of the study, of noisy values by the board.
func (v *view) status(by report.Repeated) report.Status {
	st := v.Study
	status := report.Status{Schema: "bohier/status/1", Study: st.Name}
	status.Count(v.Trials)
	status.Fidelity = report.NewFidelityStatus(st, v.Trials, runner.NoNew(st, v.state))
	if left, limited := runner.Left(st, v.Trials); limited {
		status.Budget = &report.Budget{Trials: st.Budget.Trials, Left: left}
	}
	status.Queued, status.Shortfall = len(v.state.Queue), st.Shortfall(v.Trials)
	status.Cost = report.Spent(v.Trials)
	best, l := v.best(1), report.Listing{By: by, Board: v.board}
	if v.board != nil {
		status.Noise = v.board.Noise
	}
	switch {
	case st.Several():
		status.Lacking = lacking(st, v.Trials)
		if f := v.Standing.Front(); f != nil {
			if v.board == nil {
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
		status.Progress = report.Progress(v.Standing, v.Trials)
	}
	return status
}

// lacking counts, by name, the complete trials without a value of an objective.
func lacking(st *study.Study, trials []study.Trial) map[string]int {
	out := map[string]int{}
	for _, t := range study.In(study.Complete, trials) {
		for _, name := range st.Missing(t) {
			out[name]++
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
			v := s.view(session)
			v.set(state)
			ended, err := v.ended()
			if err == nil {
				err = step(s, ended != "")
			}
			if err != nil || ended != "" {
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
