package runner

import (
	"context"
	"errors"
	"strings"
	"time"

	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// A batch is the trials of one request on their way: their numbers are reserved, unless the trials were there, and one
// after the other gets its configuration.
type batch struct {
	Session
	ask    Ask            // with the surrogate's opinion of paused trials
	state  *journal.State // the newest that was read
	trials []study.Trial
	begun  bool // the journal held nothing else
}

// reserve takes numbers for the trials to compute, as many as the budget allows.
func (b *batch) reserve(ctx context.Context) error {
	for try := 0; ; try++ {
		if policy.Continues(b.Study) {
			known, _, err := b.Read(ctx)
			if err != nil {
				return err
			}
			b.ask.weighed, err = b.weigh(ctx, known, b.ask)
			if known.Done(); err != nil {
				return err
			}
		}
		var again, judged bool
		var given []int
		var first int
		var asked journal.Asking
		state, err := journal.UpdateInParts(ctx, b.Journal, true, func(s *journal.State, part int) ([]journal.Record, bool,
			error) {
			asked = asking(b.Study, s, b.ask)
			if w := b.ask.weighed; w != nil && part == 0 {
				if again = try < recompute && s.Seq > w.seq || w.idle && !s.HasFor(asked); again {
					return nil, false, nil
				}
			}
			if part == 0 {
				given, judged, first = nil, false, s.NextNumber()
			}
			asked.First = first
			recs, number, err := s.Reserve(asked, given...)
			switch none := number == 0; {
			case none && len(given) > 0 && !study.HasCode(err, study.Conflict):
				return nil, false, nil
			case err == nil && (none || len(recs) > 0) && !judged: // something new is asked for
				if judged, err = true, stopped(b.Study, s.Trials, s.LastFit); err == nil && none {
					err = budgetUsed(b.Study)
				}
			}
			given = append(given, number)
			return recs, len(given) < b.ask.N, err
		})
		if again {
			state.Done()
			continue
		}
		if err != nil {
			return err
		}
		b.state, b.trials = state, state.Given(asked, given)
		b.begun = state.Seq == 1+len(b.trials)
		return nil
	}
}

// suggest computes the configuration of a reserved trial and records it. Choices of other processes meanwhile are taken
// into account by computing again, and when that goes on for too long by taking a spare.
func (b *batch) suggest(ctx context.Context, trial *study.Trial, a Ask) (warnings []string, err error) {
	t := *trial
	for try := 0; ; try++ {
		sug, queue := a.weighed.suggestion(b.state, t.Number), 0
		if sug == nil {
			if sug, queue, err = b.choose(ctx, b.state, t.Number, a); err != nil {
				return nil, err
			}
		}
		if b.Study.Fidelity.Early() && (sug.Source == "enqueued" || sug.Source == "initial") {
			t.Course = courseOf(b.Study, b.state, queue, t)
		}
		from, then := b.state.Seq, lists.Of(b.state.Pending(), func(t *study.Trial) int { return t.Number })
		b.state.Done()
		again := false
		b.state, err = journal.Update(ctx, b.Journal, func(s *journal.State) ([]journal.Record, error) {
			if again = try < recompute && sug.Source == "model" && len(s.Pending()) > len(then); again {
				return nil, nil
			}
			recs, now, err := s.Suggest(t, sug, from, queue, suggest.TooClose(b.Study.Space, sug, then, s.Pending())...)
			if again = errors.Is(err, journal.ErrTaken); again {
				return nil, nil
			}
			if err == nil {
				t = *now
			}
			return recs, err
		})
		if err == nil && !again {
			*trial = t
		}
		if err != nil || !again {
			return sug.Warnings, err
		}
	}
}

// endAt ends a batch whose k-th trial got no configuration: the trials before it are the answer, where there is no
// more to suggest, or none is. The error names the records that remain.
func (b *batch) endAt(ctx context.Context, k int, warnings []string, err error) ([]study.Trial, []string, error) {
	finish := context.WithoutCancel(ctx)
	exhausted := study.HasCode(err, study.Exhausted)
	if exhausted {
		if failed := b.Release(finish, b.trials[k:], "nothing to suggest"); failed != nil {
			warnings = append(warnings, "a number stays reserved until the next suggestion: "+failed.Error())
		}
	}
	if k > 0 && (exhausted || errors.Is(err, journal.ErrGone)) {
		return b.trials[:k], append(warnings, err.Error()), nil
	}
	if ctx.Err() != nil && b.ask.Key == "" && b.ask.Worker == "" { // nobody will learn of them, or wait long for others
		soon, end := context.WithTimeout(finish, time.Second)
		defer end()
		_ = b.Release(soon, b.trials, "interrupted") // the next suggestion takes what stays reserved
	}
	if study.HasCode(err, study.NotRecorded) {
		err = b.undo(finish, k, err)
	}
	return nil, warnings, err
}

// undo gives back the numbers and trials of a batch whose k-th trial could not be recorded; those before it have a
// configuration. A key or a worker gets its own again by asking again. The error names the records that remain.
func (b *batch) undo(ctx context.Context, k int, err error) error {
	var pending, numbers []study.Trial
	for i, t := range b.trials {
		if t.State == study.Reserved && i >= k {
			numbers = append(numbers, t)
		} else {
			pending = append(pending, t)
		}
	}
	var left []string
	if len(pending) > 0 && b.ask.Key == "" && b.ask.Worker == "" {
		if b.Release(ctx, pending, "the rest of the batch could not be recorded") != nil {
			ids := lists.Of(study.Pointers(pending), (*study.Trial).ID)
			left = append(left, "of the batch, pending: "+strings.Join(ids, " "))
		}
	}
	back := false
	if len(pending) == 0 {
		back, _ = journal.Unreserve(ctx, b.Journal, numbers)
	}
	switch {
	case !back:
		left = append(left, "a number stays reserved, which the next suggestion takes")
	case b.begun:
		left = append(left, "the journal has begun, with no trial in it")
	}
	e, ok := errors.AsType[*study.Error](err)
	if len(left) == 0 || !ok {
		return err
	}
	more := *e
	more.Hint = "Results are as they were; " + strings.Join(left, "; ") +
		". Make room or lift the limit and run the command again."
	return &more
}
