package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"bohier/internal/lists"
	"bohier/internal/parallel"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// LoopOptions are the surroundings of a study's command.
type LoopOptions struct {
	Dir    string        // the command's working directory
	Trials string        // a directory for each trial's files is made in it
	Worker string        // the NAME under which trials are taken; see WorkerName
	For    time.Duration // > 0: stop after this time, which ends no study
	Most   int           // > 0: stop after this many trials, which ends no study
	Wait   bool          // stay while other runs have trials, which may be lost
	Beat   time.Duration // > 0: in place of a minute between signs of life; the times of lost workers change with it
	Event  func(Event)   // receives the events, one at a time; may be nil
}

// EventKind is the kind of an event in a loop.
type EventKind int

// The kinds of events.
const (
	Started  EventKind = iota // a command begins; Again is set for a trial that was given back before
	Retried                   // a command failed and is run again; Err reports why
	Recorded                  // a trial is over and on disk; Err reports why it failed
	Returned                  // a trial that was under way is given back
	Warned                    // Err is something the user should know
)

// An Event is one step of a loop.
type Event struct {
	Kind  EventKind
	Trial study.Trial // none for Warned
	Again bool
	Err   error
}

// Summary counts the trials of a loop.
type Summary struct {
	Complete, Failed int
	Returned         int    // trials under way when it was stopped, which wait now
	Reason           string // why it ended
	TimeUp           bool   // LoopOptions.For or Most is used up: the study goes on
}

// looping counts the loops of this process.
var looping atomic.Int32

// Looping reports whether commands of trials run in this process or may start.
func Looping() bool { return looping.Load() > 0 }

// Loop runs the command of c's study on one suggestion after the other until there is nothing
// left to suggest. Trials that wait come first, and trials of a run on this machine that died.
//
// The end is normal where there is a result, where the time of o.For is up, and where the remaining trials are with
// living workers; a NoResult error says that the study has ended without one. When ctx ends, or a time is up, the
// running commands get TERM. Commands that end well in the time left to them are recorded; the rest is killed and all
// their trials are given back at once. The error is then the cause of ctx. After any other error no further command
// starts, and the error is returned once the running ones are recorded.
func Loop(ctx context.Context, c runner.Session, o LoopOptions) (Summary, error) {
	looping.Add(1)
	defer looping.Add(-1)
	cmd, err := newCommand(c.Study, o.Dir)
	if err == nil {
		err = checkName(o.Worker)
	}
	if err != nil {
		return Summary{}, err
	}
	cmd.database = c.Journal.Store != nil
	cmd.nonce = newNonce()
	if o.Trials, err = filepath.Abs(o.Trials); err != nil {
		return Summary{}, err
	}
	l := &loop{Session: c, LoopOptions: o, cmd: cmd, nonce: cmd.nonce}
	l.Warn = func(line string) { l.note("%s", line) }
	if c.Study.Run.Submits() {
		l.jobs = &jobs{command: *cmd, loop: l, late: resultTime, Jobs: &c.Study.Run.Jobs}
		l.jobs.nonce = ""
	}
	state, _, err := l.Read(ctx)
	if err != nil {
		return Summary{}, err
	}
	if state.Exists {
		l.Journal.Run = state.Run
	}
	before := state.Trials
	if l.jobs == nil {
		before = nil
		state.Done()
	}
	if err := l.enlist(); err != nil {
		return Summary{}, err
	}
	if err := l.forget(ctx); err != nil {
		l.leave(true)
		return Summary{}, err
	}

	timed, stop := l.limited(ctx, o.For)
	defer stop()
	l.pulse = newPulse(c, o, l.nonce)
	beating, still := context.WithCancel(ctx)
	var pulses parallel.Group
	pulses.Go(func() { l.pulse.run(beating, l) })
	defer func() { still(); pulses.Wait() }()
	l.work(timed, before)
	lost := l.giveBack()
	if l.jobs != nil && ctx.Err() != nil {
		l.jobs.lastWord()
	}
	l.leave(lost == nil && !l.unclean && (l.failure == nil || study.HasCode(l.failure, study.NoResult)))
	return l.finish(ctx, timed, lost)
}

// A loop is one call of Loop.
type loop struct {
	runner.Session
	LoopOptions
	cmd  *command
	jobs *jobs // in place of cmd; nil: none

	nonce    string // of this process's workers
	self     process
	lifeFile string // says that this process lives
	lifeLock *os.File

	pulse   *pulse
	taken   []int
	left    []study.Trial // not run to their end, to be given back
	failure error         // the first that was not the study's normal end
	reason  error         // the last normal end that a slot met
	underWay

	turns sync.Map // *sync.Mutex by trial number: held by the slot that runs the trial

	mu      sync.Mutex // guards the rest, and events
	locked  []int      // trials that wait by the journal and that another process runs
	unclean bool       // a trial stays pending although its command has ended
	sum     Summary
	alike   alike
	heard   bool // some trial made a report on its way
	unheard int  // trials before that which made none, though one could have ended them
}

// work has the slots run commands until the loop is over. One suggestion is asked for at a time, since
// fits share the processors anyway. Jobs of the trials of before are cancelled where these have ended.
func (l *loop) work(ctx context.Context, before []study.Trial) {
	var slots parallel.Group
	if l.jobs != nil {
		slots.Go(func() { l.jobs.cancelEnded(ctx, before) })
	}
	free := lists.Every(max(1, l.Study.Run.Parallel)) // slots
	all, ended := len(free), make(chan func())
	more, stop := context.WithCancel(ctx) // ends when nothing more is to be started
	defer stop()
	for more.Err() == nil && (l.Most == 0 || len(l.taken) < l.Most) {
		var t *study.Trial
		err := error(nil)
		if len(free) > 0 {
			if err = l.sweep(ctx); err == nil {
				t, err = l.suggest(ctx, slot(l.Worker, free[0], l.nonce))
			}
		}
		switch exhausted := study.HasCode(err, study.Exhausted); {
		case len(free) == 0, exhausted && len(free) < all: // the trials of other slots may fail
			select {
			case end := <-ended:
				end()
			case <-ctx.Done():
			}
		case exhausted && l.Wait && l.othersRun(ctx):
			pause(ctx, l.pulse.every/waitShare)
		case err != nil:
			l.end(ctx, err)
			stop()
		default:
			if !slices.Contains(l.taken, t.Number) {
				l.taken = append(l.taken, t.Number)
			}
			k := free[0]
			free = free[1:]
			slots.Go(func() {
				var left bool
				var err error
				defer func() {
					ended <- func() {
						if free = append(free, k); left {
							l.left = append(l.left, *t)
						}
						l.end(ctx, err)
					}
				}()
				if left, err = l.attend(ctx, more, t); err != nil {
					stop()
				}
			})
		}
	}
	for len(free) < all {
		(<-ended)()
	}
	slots.Wait()
}

// othersRun reports whether other runs have trials under way.
func (l *loop) othersRun(ctx context.Context) bool {
	state, _, err := l.Read(ctx)
	if err != nil {
		return false
	}
	defer state.Done()
	return len(l.elsewhere(state.Trials)) > 0
}

// take claims a trial that was suggested; where another process runs the trial, although it
// was given back, neither a claim nor an error is returned.
func (l *loop) take(ctx context.Context, t *study.Trial) (*claim, error) {
	c, err := l.claim(t)
	if c != nil || err != nil {
		return c, err
	}
	l.mu.Lock()
	l.locked = append(l.locked, t.Number)
	l.mu.Unlock()
	_, err = l.ReturnAll(ctx, []study.Trial{*t}, "another process runs it")
	return nil, err
}

func (l *loop) suggest(ctx context.Context, worker string) (*study.Trial, error) {
	l.mu.Lock()
	a := runner.Ask{N: 1, Worker: worker, Except: slices.Clone(l.locked)}
	l.mu.Unlock()
	got, warnings, err := l.Propose(ctx, a)
	for _, w := range warnings {
		l.emit(Event{Kind: Warned, Err: errors.New(w)})
	}
	if err != nil {
		return nil, err
	}
	if l.Journal.Run != "" {
		return &got[0], nil
	}
	// The suggestion began the journal: from here on it is this one.
	state, _, err := l.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer state.Done()
	if _, err := state.Trial(got[0].ID()); err != nil {
		return nil, study.Wrap(study.NotRecorded, err, "`bohier run` begins again", "the journal was replaced")
	}
	l.Journal.Run = state.Run
	return &got[0], nil
}

// cannotRun is an error that no trial is to blame for. Trials were recorded before,
// perhaps, so that it is no mistake in the command line any more.
func cannotRun(err error) error {
	if err == nil || errors.As(err, new(*study.Error)) {
		return err
	}
	code := study.Unexpected
	if study.Refused(err) || study.Denied(err) {
		code = study.NotRecorded
	}
	return study.Wrap(code, err, "remove the cause; `bohier run` goes on", "the run cannot go on")
}

func (l *loop) emit(e Event) {
	if l.Event == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Event(e)
}

// dir holds a trial's files.
func (l *loop) dir(t *study.Trial) string { return filepath.Join(l.Trials, t.ID()) }

var errTimeUsed = errors.New("the time of --for is used")

// limited is ctx until the time of --for or the study's budget.wall is up; 0 is any time.
func (l *loop) limited(ctx context.Context, until time.Duration) (context.Context, func()) {
	wall := cmp.Or(l.Study.Budget.Wall, math.MaxInt64)
	ctx, first := context.WithTimeoutCause(ctx, cmp.Or(until, math.MaxInt64), errTimeUsed)
	ctx, second := context.WithTimeoutCause(ctx, wall,
		study.Errorf(study.Exhausted, "`bohier best` shows the result; `bohier run` goes on", "the wall time of %v is used",
			wall))
	return ctx, func() { first(); second() }
}

func (l *loop) note(format string, a ...any) {
	l.emit(Event{Kind: Warned, Err: fmt.Errorf(format, a...)})
}
