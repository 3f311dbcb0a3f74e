package runner

import (
	"context"
	"slices"
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

// share gives the k-th trial, which is reserved, its configuration, or waits until somebody has. The strings are
// warnings.
func (b *batch) share(ctx context.Context, k int) ([]string, error) {
	if b.ask.N > 1 || len(b.ask.Fixed) > 0 || b.ask.Deadline > 0 || b.ask.DryRun || b.Study.Fidelity.Early() {
		return b.suggest(ctx, &b.trials[k], b.ask)
	}
	seq, began := b.state.Seq, time.Now()
	for moved := began; ; {
		release, ok, err := b.Journal.Hold.Compute(ctx, b.Journal)
		if ok {
			defer release()
		}
		now, _, failed := b.Read(ctx)
		if failed != nil {
			return nil, failed
		}
		if b.state.Done(); now.Seq != seq {
			moved = time.Now()
		}
		b.state, seq = now, now.Seq
		alone := err != nil || time.Since(moved) > stuckAfter // such holds do not work here, or who has this one is stopped
		switch {
		case b.chosen(k):
			return nil, nil
		case ok:
			return b.suggestAll(ctx, k)
		case alone:
			return b.suggest(ctx, &b.trials[k], b.ask)
		}
		select {
		case <-time.After(min(max(firstLook, time.Since(began)/patience), lastLook)):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// chosen reports whether the k-th trial has a configuration by now, and takes it.
func (b *batch) chosen(k int) bool {
	now := b.state.Current(&b.trials[k])
	if now == nil || now.State == study.Reserved || now.Released {
		return false
	}
	b.trials[k] = *now
	return true
}

// suggestAll is suggest of the k-th trial and then of the trials that living processes have reserved and wait for.
func (b *batch) suggestAll(ctx context.Context, k int) ([]string, error) {
	var others []study.Trial
	waits := func(o study.Trial) bool {
		return o.State == study.Reserved && !o.Released && o.Number != b.trials[k].Number
	}
	if slices.ContainsFunc(b.state.Trials, waits) {
		b.state.Done()
		now, err := journal.Update(ctx, b.Journal, func(s *journal.State) ([]journal.Record, error) {
			others = lists.Only(s.Trials, func(o study.Trial) bool { return waits(o) && o.Flags == "" && s.Held(o.Number) })
			return nil, nil
		})
		if err != nil {
			return nil, err
		}
		b.state = now
	}
	if b.chosen(k) {
		return nil, nil // in the last moment
	}
	warnings, err := b.suggest(ctx, &b.trials[k], b.ask)
	for i := 0; err == nil && i < len(others) && ctx.Err() == nil; i++ {
		if _, failed := b.suggest(ctx, &others[i], Ask{N: 1}); failed != nil {
			break // they ask by themselves, and learn why
		}
	}
	return warnings, err
}
