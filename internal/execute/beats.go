package execute

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// A worker gives a sign of life every beatTime or so, and looks at those of the others as often, when it begins, and
// when a silent one's time is up. No clock is compared with another: a worker is lost when its count has not changed
// for some time on the watcher's own clock. A wrong guess costs work but falsifies nothing: the first result of a trial
// counts, whichever worker reports it.
const (
	beatTime   = time.Minute
	sameName   = 150 * time.Second // a dead worker that had this one's name was started again: as this one
	waitShare  = 12                // --wait looks for something to do this often in a beatTime
	beatSpread = 6                 // a beat comes up to a sixth earlier or later
)

// errTaken stops a command whose trial another worker has by now.
var errTaken = errors.New("another worker has taken the trial")

// A sighting is the last sign of a worker that has a trial, and its time.
type sighting struct {
	worker string
	count  uint64
	since  time.Time
}

// A pulse gives signs of life and watches those of others.
type pulse struct {
	session runner.Session
	worker  string // NAME#NONCE
	every   time.Duration
	lost    time.Duration // of silence; negative: never
	same    time.Duration
	count   uint64
	seen    map[int]sighting // by trial number
	rng     *rand.Rand
}

func newPulse(c runner.Session, o LoopOptions, nonce string) *pulse {
	p := &pulse{session: c, worker: o.Worker + "#" + nonce, every: beatTime,
		lost: cmp.Or(c.Study.Run.Lost, study.LostTime), same: sameName, seen: map[int]sighting{}}
	if o.Beat > 0 { // tests: all times in proportion
		p.every = o.Beat
		share := float64(o.Beat) / float64(beatTime)
		p.lost, p.same = time.Duration(share*float64(p.lost)), time.Duration(share*float64(p.same))
	}
	seed := uint64(time.Now().UnixNano())
	p.rng = rand.New(rand.NewPCG(seed, uint64(len(nonce))))
	return p
}

// run gives signs of life until ctx ends, and then removes the last one: a worker that left is not a lost one.
func (p *pulse) run(ctx context.Context, l *loop) {
	failed := 0
	for due := p.next(); ; {
		err := p.look(ctx, l)
		if pause(ctx, time.Until(p.wake(due))); ctx.Err() != nil {
			if p.count > 0 {
				_ = p.session.Journal.Beats().Leave(context.WithoutCancel(ctx), p.worker) // it is as good as lost then
			}
			return
		}
		if time.Now().Before(due) {
			continue
		}
		due = p.next()
		p.count++
		err = errors.Join(err, p.session.Journal.Beats().Beat(ctx, p.worker, p.count))
		if failed++; err == nil {
			failed = 0
		}
		if failed == 3 && ctx.Err() == nil {
			l.note("no sign of life could be given: others may take the trials of this run for lost: %w", err)
		}
	}
}

// next is when the next sign is due: not for all workers at once.
func (p *pulse) next() time.Time {
	spread := p.every / beatSpread
	return time.Now().Add(p.every - spread + time.Duration(p.rng.Int64N(int64(2*spread)+1)))
}

// wake is when a sign is due, or before that the time of a worker that is silent will be up.
func (p *pulse) wake(due time.Time) time.Time {
	for _, s := range p.seen {
		if end := s.since.Add(p.patience(s.worker)); end.Before(due) && end.After(time.Now()) {
			due = end
		}
	}
	return due
}

// look is one look at the others.
func (p *pulse) look(ctx context.Context, l *loop) error {
	state, _, err := p.session.Read(ctx)
	if err != nil {
		return err
	}
	defer state.Done()
	l.stopTaken(state.Trials, l.jobs != nil)
	if p.lost < 0 {
		return nil
	}
	beats, err := p.session.Journal.Beats().Beats(ctx)
	if err != nil {
		return err
	}
	lost := p.silent(state.Trials, beats, l)
	if len(lost) == 0 {
		return nil
	}
	gone, err := p.session.Lose(ctx, lost)
	for _, t := range gone {
		l.note("trial %s of %s is given to others: no sign of that worker for %v", t.ID(), t.Worker, p.patience(t.Worker))
	}
	return err
}

// silent are the trials of workers that gave no sign for too long.
func (p *pulse) silent(trials []study.Trial, beats map[string]uint64, l *loop) (lost []study.Trial) {
	now, seen := time.Now(), map[int]sighting{}
	for _, t := range l.elsewhere(trials) {
		s := sighting{t.Worker, beats[processOf(t.Worker)], now}
		if before, known := p.seen[t.Number]; known && before.worker == s.worker && before.count == s.count {
			s.since = before.since
		}
		seen[t.Number] = s
		if now.Sub(s.since) >= p.patience(t.Worker) && l.lifeOf(nonceOf(t.Worker)) != alive {
			lost = append(lost, *t)
		}
	}
	p.seen = seen
	return lost
}

// patience is how long a worker may be silent.
func (p *pulse) patience(worker string) time.Duration {
	if name, _, _ := strings.Cut(processOf(worker), "#"); name+"#"+nonceOf(p.worker) == p.worker {
		return min(p.same, p.lost)
	}
	return p.lost
}

// processOf is the process of a worker: NAME#NONCE of NAME/k#NONCE.
func processOf(worker string) string {
	name, nonce := cutLast(worker, '#')
	name, _ = cutLast(name, '/')
	return name + "#" + nonce
}

// cutLast cuts s at the last sep; without one, after is empty.
func cutLast(s string, sep byte) (before, after string) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// underWay are the trials whose commands this process runs: stoppable, by number.
type underWay struct{ trials sync.Map }

// A stoppable trial is one as it was suggested, with a function that stops its command.
type stoppable struct {
	study.Trial
	stop func(cause error)
}

// begin notes a trial; its context ends when another worker has taken it.
func (u *underWay) begin(ctx context.Context, t *study.Trial) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	u.trials.Store(t.Number, stoppable{*t, cancel})
	return ctx, func() {
		u.trials.Delete(t.Number)
		cancel(nil)
	}
}

// stopTaken stops the commands of trials that other workers have by now and, with over set, of trials that have ended.
func (u *underWay) stopTaken(trials []study.Trial, over bool) {
	for i := range trials {
		t := &trials[i]
		known, ok := u.trials.Load(t.Number)
		if !ok {
			continue
		}
		switch mine := known.(stoppable); {
		case over && t.State != study.Pending:
			mine.stop(errElsewhere)
		case t.Course.Leg() > mine.Course.Leg(): // this one is over and its command about to end
		case t.State == study.Pending && !t.Waiting && t.Worker != mine.Worker:
			mine.stop(errTaken)
		}
	}
}
