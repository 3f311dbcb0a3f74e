package runner

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/study"
)

// Many who ask at once would each compute a suggestion, and again because the others chose meanwhile. Instead, one of
// them computes for all who have reserved a number by then, one after the other; the rest wait for theirs to appear in
// the journal. Whose turn it is is a hold, which ends with its process. A lone asker computes at once.
const (
	firstLook  = 10 * time.Millisecond
	lastLook   = 4 * time.Second
	patience   = 8           // a process that has waited for a time looks again after an eighth of that time
	stuckAfter = time.Minute // without a new record for so long a process computes by itself: the other may be stopped
)

// share settles a reserved trial, or waits until somebody has.
func (c Session) share(ctx context.Context, state *journal.State, t study.Trial, a Ask) (*journal.State, study.Trial,
	[]string, error) {
	if a.N > 1 || len(a.Fixed) > 0 || a.Deadline > 0 || a.DryRun || c.Study.Fidelity.Early() {
		return c.settle(ctx, state, t, a)
	}
	seq, began := state.Seq, time.Now()
	for moved := began; ; {
		release, ok, err := c.Journal.Hold.Compute(ctx, c.Journal)
		if ok {
			defer release()
		}
		now, _, failed := c.Read(ctx)
		if failed != nil {
			return state, t, nil, failed
		}
		if state.Done(); now.Seq != seq {
			moved = time.Now()
		}
		state, seq = now, now.Seq
		alone := err != nil || time.Since(moved) > stuckAfter // such holds do not work here, or who has this one is stopped
		if now := chosen(state, t); now != nil {
			return state, *now, nil, nil
		}
		switch {
		case ok:
			return c.settleAll(ctx, state, t, a)
		case alone:
			return c.settle(ctx, state, t, a)
		}
		select {
		case <-time.After(min(max(firstLook, time.Since(began)/patience), lastLook)):
		case <-ctx.Done():
			return state, t, nil, context.Cause(ctx)
		}
	}
}

// chosen is the trial that was reserved as t with the configuration that it has by now; nil: it has none.
func chosen(state *journal.State, t study.Trial) *study.Trial {
	if now := state.Current(&t); now != nil && now.State != study.Reserved && !now.Released {
		return now
	}
	return nil
}

// settleAll settles a trial and then the trials that living processes have reserved and wait for.
func (c Session) settleAll(ctx context.Context, state *journal.State, t study.Trial, a Ask) (*journal.State,
	study.Trial, []string, error) {
	var others []study.Trial
	if slices.ContainsFunc(state.Trials,
		func(o study.Trial) bool { return o.State == study.Reserved && o.Number != t.Number && !o.Released }) {
		state.Done()
		now, err := journal.Update(ctx, c.Journal, func(s *journal.State) ([]journal.Record, error) {
			others = nil
			for _, o := range s.Trials {
				if o.State == study.Reserved && !o.Released && o.Number != t.Number && o.Flags == "" && s.Held(o.Number) {
					others = append(others, o)
				}
			}
			return nil, nil
		})
		if err != nil {
			return state, t, nil, err
		}
		state = now
	}
	if now := chosen(state, t); now != nil {
		return state, *now, nil, nil // in the last moment
	}
	state, t, warnings, err := c.settle(ctx, state, t, a)
	for i := 0; err == nil && i < len(others) && ctx.Err() == nil; i++ {
		next, _, _, failed := c.settle(ctx, state, others[i], Ask{N: 1})
		if failed != nil {
			break // they ask by themselves, and learn why
		}
		state = next
	}
	return state, t, warnings, err
}

// undo gives back the numbers and trials of a batch that could not be recorded: asked are its trials as they were
// reserved or taken; the trials before k have a configuration; begun reports whether the journal held nothing else. A
// key or a worker gets its own again by asking again. The error names the records that remain.
func (c Session) undo(ctx context.Context, a Ask, begun bool, asked, trials []study.Trial, k int, err error) error {
	var e *study.Error
	if !errors.As(err, &e) || e.Code != study.NotRecorded {
		return err
	}
	var pending, numbers []study.Trial
	for i := range asked {
		if asked[i].State == study.Reserved && i >= k {
			numbers = append(numbers, asked[i])
		} else {
			pending = append(pending, trials[i])
		}
	}
	var left []string
	if len(pending) > 0 && a.Key == "" && a.Worker == "" {
		if c.Release(ctx, pending, "the rest of the batch could not be recorded") != nil {
			ids := lists.Of(study.Pointers(pending), (*study.Trial).ID)
			left = append(left, "of the batch, pending: "+strings.Join(ids, " "))
		}
	}
	back := false
	if len(pending) == 0 {
		back, _ = journal.Unreserve(ctx, c.Journal, numbers)
	}
	switch {
	case !back:
		left = append(left, "a number stays reserved, which the next suggestion takes")
	case begun:
		left = append(left, "the journal has begun, with no trial in it")
	}
	if len(left) == 0 {
		return err
	}
	told := *e
	told.Hint = "Results are as they were; " + strings.Join(left, "; ") +
		". Make room or lift the limit and run the command again."
	return &told
}
