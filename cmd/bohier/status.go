package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

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

// showStatus shows how the study stands now.
func showStatus(s call) error {
	session, state, err := s.current()
	if err != nil {
		return err
	}
	board, err := leaders(s, session, state)
	if err != nil {
		return err
	}
	return printStatus(s, session.Study, state, board, "")
}

// printStatus shows how a study stands by its board; ended says why a run is over, empty: none is.
func printStatus(s call, st *study.Study, state *journal.State, board *study.Leaderboard, ended string) error {
	status := statusOf(st, state, board)
	status.Ended = ended
	return present(s, []report.Status{status}, false, func() []byte { return statusText(status, st, state, board) })
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
func statusOf(st *study.Study, state *journal.State, board *study.Leaderboard) report.Status {
	status := report.Status{Schema: "bohier/status/1", Study: st.Name}
	status.Count(state.Trials)
	status.Fidelity = report.NewFidelityStatus(st, state.Trials, runner.NoNew(st, state))
	if left, limited := runner.Left(st, state.Trials); limited {
		status.Budget = &report.Budget{Trials: st.Budget.Trials, Left: left}
	}
	status.Queued, status.Shortfall = len(state.Queue), st.Shortfall(state.Trials)
	status.Cost = report.Spent(state.Trials)
	best, l := st.Best(state.Trials, 1), report.Listing{By: st.Measurements(state.Trials), Board: board}
	if board != nil {
		status.Noise, best = board.Noise, trialsOf(board, 1)
	}
	switch {
	case st.Several():
		in := standing(st, state, board)
		if status.Lacking = lacking(st, state.Trials); board == nil {
			l.Ranks = in.Ranks()
		}
		if f := in.Front(); f != nil {
			for k := range f.Trials {
				status.Front = append(status.Front, report.TrialOf(st, &f.Trials[k], l))
			}
			status.Knee, status.Hypervolume = f.Trials[f.Knee()].ID(), report.NewHypervolume(st, f)
		}
		return status
	case len(best) > 0:
		t := report.TrialOf(st, &best[0], l)
		status.Best = &t
	}
	if status.Cost != nil {
		status.Progress = report.Progress(st, state.Trials, estimates(st, board, state.Trials))
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

// lackingText is lacking for people, after a head of width columns.
func lackingText(b []byte, width int, count map[string]int) []byte {
	for _, name := range slices.Sorted(maps.Keys(count)) {
		b = fmt.Appendf(b, "%-*s%s: no value in %s, which can be reported\n", width, "lacking", name,
			study.Count(count[name], "complete trial"))
	}
	return b
}

// statusText is a status for people.
func statusText(r report.Status, st *study.Study, state *journal.State, board *study.Leaderboard) []byte {
	file := st.Journal
	b := fmt.Appendf(nil, "study    %s\n", r.Study)
	if !state.Exists {
		file += " (not begun)"
	}
	b = fmt.Appendf(b, "journal  %s\n", file)
	b = fmt.Appendf(b, "trials   %s\n", r.Counts())
	for k, line := range execute.Workers(runner.FilesDir(st), state.Trials) {
		b = fmt.Appendf(b, "%-8s %s\n", [...]string{"workers", ""}[min(k, 1)], line)
	}
	if r.Fidelity != nil {
		b = append(b, r.Fidelity.Text()...)
	}
	if r.Budget != nil {
		b = fmt.Appendf(b, "budget   %d of %d left\n", r.Budget.Left, r.Budget.Trials)
	}
	if r.Queued > 0 {
		b = fmt.Appendf(b, "queue    %s\n", study.Count(r.Queued, "configuration"))
	}
	outside := r.Outside
	for k := range state.Trials {
		if state.Trials[k].Stale {
			outside--
		}
	}
	if stale := r.Outside - outside; stale > 0 {
		b = fmt.Appendf(b, "context  %s; %s of another one, data only\n", st.Context, study.Count(stale, "trial"))
	} else if st.Context != "" {
		b = fmt.Appendf(b, "context  %s\n", st.Context)
	}
	if outside > 0 {
		b = fmt.Appendf(b, "outside  %s made under another space, data only\n", study.Count(outside, "trial"))
	}
	if why := st.WorstTie(state.Trials); why != "" {
		b = fmt.Appendf(b, "ties     %s\n", why)
	}
	b = lackingText(b, 9, r.Lacking)
	for _, row := range r.Standing(st) {
		b = fmt.Appendf(b, "%-8s %s\n", row[0], row[1])
	}
	if r.Front == nil && r.Best == nil && r.Complete > 0 {
		b = fmt.Appendf(b, "best     %s\n", r.Shortfall)
	}
	if r.Best != nil {
		for k, line := range report.Bounds(st, &state.Trials[r.Best.Trial-1]) {
			b = fmt.Appendf(b, "%-8s %s\n", [...]string{"bounds", ""}[min(k, 1)], line)
		}
	}
	if board != nil {
		for _, line := range report.NoiseWords(board) {
			name, rest, _ := strings.Cut(line, ": ")
			b = fmt.Appendf(b, "%-8s %s\n", name, rest)
		}
	}
	if r.Ended != "" {
		b = fmt.Appendf(b, "ended    %s\n", r.Ended)
	}
	if c := r.Cost; c != nil {
		b = fmt.Appendf(b, "cost     %s in %s", report.Rounded(c.Total), study.Count(c.Trials, "trial"))
		if c.Unknown > 0 {
			b = fmt.Appendf(b, ", unknown in %d", c.Unknown)
		}
		b = append(b, '\n')
		if len(r.Progress) > 0 {
			b = append(b, '\n')
			b = append(b, report.ProgressTable(st, r.Progress).Text(false)...)
		}
	}
	return b
}
