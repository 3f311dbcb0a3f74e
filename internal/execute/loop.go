package execute

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// LoopOptions tell Loop where to run a study's command.
type LoopOptions struct {
	Dir    string      // the command's working directory
	Trials string      // a directory for each trial's files is made in it
	Event  func(Event) // told what happens, one event at a time; may be nil
}

// EventKind is what happens in a loop.
type EventKind int

// The kinds of events.
const (
	Started  EventKind = iota // a command begins; Again is set for a trial of an interrupted run
	Retried                   // a command failed and is run again; Err says why
	Recorded                  // a trial is over and on disk; Err says why it failed
	Warned                    // Err is something the user should know
)

// An Event is one step of a loop.
type Event struct {
	Kind  EventKind
	Trial study.Trial // none for Warned
	Again bool
	Err   error
}

// Summary is what a loop did.
type Summary struct {
	Complete, Failed int
	Reason           string // why it ended
}

// Loop runs the command of c's study on one suggestion after the other until there is
// nothing left to suggest, which is a normal end. Trials of an earlier run on
// this machine that died without recording them come first.
//
// When ctx ends, the running commands are stopped, their trials recorded as
// transient failures, and the cause is returned. After any other error no
// further command starts, and the error is returned once the running ones are
// recorded. So is the Exhausted error of a study that may not fail any more.
func Loop(ctx context.Context, c runner.Cycle, o LoopOptions) (Summary, error) {
	cmd, err := newCommand(c.Study, o.Dir)
	if err != nil {
		return Summary{}, err
	}
	l := &loop{Cycle: c, cmd: cmd, event: o.Event, started: time.Now()}
	if l.trials, err = filepath.Abs(o.Trials); err != nil {
		return Summary{}, err
	}
	state, _, err := c.Read(ctx)
	if err != nil {
		return Summary{}, err
	}
	l.orphans = l.left(state.Trials)

	var slots sync.WaitGroup
	for k := range max(1, c.Study.Run.Parallel) {
		slots.Go(func() { l.end(l.work(ctx, worker(k))) })
	}
	slots.Wait()
	if ctx.Err() != nil {
		return l.sum, context.Cause(ctx)
	}
	return l.sum, l.failure
}

// A loop is one call of Loop.
type loop struct {
	runner.Cycle
	cmd     *command
	trials  string
	event   func(Event)
	started time.Time

	asking  sync.Mutex // one suggestion at a time: fits share the processors anyway
	orphans []study.Trial

	telling sync.Mutex // guards the rest, and events
	over    bool       // start nothing more
	sum     Summary
	failure error // the first that was not the study's normal end
}

// work runs commands one after the other until the loop is over.
func (l *loop) work(ctx context.Context, worker string) error {
	for {
		t, lock, again, err := l.next(ctx, worker)
		if err != nil || t == nil {
			return err
		}
		err = l.try(ctx, t, again)
		lock.Close()
		if err != nil {
			return err
		}
	}
}

// next is a trial to run, with its lock held: an orphan, else a new suggestion.
// It is nil when the loop is over.
func (l *loop) next(ctx context.Context, worker string) (t *study.Trial, lock *os.File, again bool, err error) {
	l.asking.Lock()
	defer l.asking.Unlock()
	for !l.isOver(ctx) {
		again = len(l.orphans) > 0
		if again {
			t, l.orphans = &l.orphans[0], l.orphans[1:]
		} else if t, err = l.suggest(ctx, worker); err != nil {
			return nil, nil, false, err
		}
		lock, err := l.claim(t)
		if err != nil {
			return nil, nil, false, err
		}
		if lock == nil { // another run has it
			continue
		}
		pending, err := l.isPending(ctx, t.Number)
		if pending {
			return t, lock, again, nil
		}
		lock.Close()
		if err != nil {
			return nil, nil, false, err
		}
	}
	return nil, nil, false, nil
}

func (l *loop) suggest(ctx context.Context, worker string) (*study.Trial, error) {
	if wall := l.Study.Budget.Wall; wall > 0 && time.Since(l.started) >= wall {
		return nil, study.Errorf(study.Exhausted, "", "the wall time of %v is used", wall)
	}
	got, warnings, err := l.Propose(ctx, runner.Ask{N: 1, Worker: worker})
	for _, w := range warnings {
		l.tell(Event{Kind: Warned, Err: errors.New(w)})
	}
	if err != nil {
		return nil, err
	}
	return &got[0], nil
}

// isPending tells whether a trial still is, now that its lock is held.
func (l *loop) isPending(ctx context.Context, number int) (bool, error) {
	state, _, err := l.Read(ctx)
	if err != nil {
		return false, err
	}
	return state.Trials[number-1].State == study.Pending, nil
}

// try runs the command for a trial, again after failures as often as the study
// allows, and records what came of it.
func (l *loop) try(ctx context.Context, t *study.Trial, again bool) error {
	l.tell(Event{Kind: Started, Trial: *t, Again: again})
	var a attempt
	for tries := 0; ; tries++ {
		var err error
		a, err = l.cmd.run(ctx, t, l.dir(t))
		if err != nil {
			note := runner.Tell{Failure: study.Transient, Note: err.Error()}
			if ctx.Err() == nil {
				note.Note = "not run: " + note.Note
			}
			_, _, recordErr := l.Observe(context.WithoutCancel(ctx), t.ID(), note)
			return errors.Join(err, recordErr)
		}
		if a.err == nil || !a.again || tries >= l.Study.Run.Retries {
			break
		}
		l.tell(Event{Kind: Retried, Trial: *t, Err: a.err})
	}
	if a.err != nil && a.result.Note == "" {
		a.result.Note = a.err.Error()
	}
	done, _, err := l.Observe(context.WithoutCancel(ctx), t.ID(), a.result)
	var e *study.Error
	if errors.As(err, &e) && e.Code == study.Conflict {
		l.tell(Event{Kind: Warned, Trial: *t, Err: fmt.Errorf("trial %s was reported from elsewhere meanwhile; kept that: %w", t.ID(), err)})
		return nil
	}
	if err != nil {
		return err
	}
	if done.State == study.Failed && a.err == nil {
		a.err = errors.New(done.Note)
	}
	l.telling.Lock()
	if done.State == study.Complete {
		l.sum.Complete++
	} else {
		l.sum.Failed++
	}
	l.telling.Unlock()
	l.tell(Event{Kind: Recorded, Trial: done, Err: a.err})
	return nil
}

// end notes why a slot stopped. A used budget, a reached target and an exhausted
// space are normal ends; too many failures are not.
func (l *loop) end(err error) {
	l.telling.Lock()
	defer l.telling.Unlock()
	l.over = true
	var e *study.Error
	if err == nil || l.failure != nil {
		return
	}
	l.sum.Reason = err.Error()
	if errors.As(err, &e) && e.Code == study.Exhausted {
		return
	}
	l.failure = err
}

func (l *loop) isOver(ctx context.Context) bool {
	l.telling.Lock()
	defer l.telling.Unlock()
	return l.over || ctx.Err() != nil
}

func (l *loop) tell(e Event) {
	if l.event == nil {
		return
	}
	l.telling.Lock()
	defer l.telling.Unlock()
	l.event(e)
}

// dir holds a trial's files.
func (l *loop) dir(t *study.Trial) string { return filepath.Join(l.trials, t.ID()) }
