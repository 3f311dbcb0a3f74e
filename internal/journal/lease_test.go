package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"bohier/internal/study"
)

// A world runs processes one at a time in virtual time, choosing among the
// runnable ones at random: every interleaving of file system calls can happen.
type world struct {
	r     *rand.Rand
	now   time.Duration
	procs []*proc
	back  chan struct{} // the running process yields
	pause time.Duration // longest pause between two calls
}

type proc struct {
	w      *world
	wake   time.Duration
	offset time.Duration // its clock shows other numbers than everybody else's
	run    chan struct{}
	done   bool
	mortal bool // may die at any call while it takes the lease
}

// yield lets others run, for at least d.
func (p *proc) yield(d time.Duration) {
	p.wake = p.w.now + d
	p.w.back <- struct{}{}
	<-p.run
}

func (p *proc) Now() time.Duration { return p.w.now + p.offset }

func (p *proc) Sleep(_ context.Context, d time.Duration) error {
	p.yield(d)
	return nil
}

func (w *world) spawn(f func(p *proc)) {
	p := &proc{w: w, run: make(chan struct{}), offset: time.Duration(w.r.Int64N(int64(time.Hour)))}
	w.procs = append(w.procs, p)
	go func() {
		<-p.run
		f(p)
		p.done = true
		w.back <- struct{}{}
	}()
}

func (w *world) simulate() {
	for {
		var ready []*proc
		next := time.Duration(-1)
		for _, p := range w.procs {
			switch {
			case p.done:
			case p.wake <= w.now:
				ready = append(ready, p)
			case next < 0 || p.wake < next:
				next = p.wake
			}
		}
		switch {
		case len(ready) > 0:
			p := ready[w.r.IntN(len(ready))]
			p.run <- struct{}{}
			<-w.back
		case next >= 0:
			w.now = next
		default:
			return
		}
	}
}

// A procFS is the world's file system as one process calls it: before any call the process may be held up.
type procFS struct {
	*memFS
	p *proc
}

func (f procFS) stall() {
	if f.p.mortal && f.p.w.r.IntN(400) == 0 {
		panic(crash{})
	}
	d := time.Duration(0)
	if f.p.w.r.IntN(25) == 0 {
		d = time.Duration(f.p.w.r.Int64N(int64(f.p.w.pause)))
	}
	f.p.yield(d)
}

func (f procFS) Open(name string, flag int, perm os.FileMode) (file, error) {
	f.stall()
	return f.memFS.Open(name, flag, perm)
}
func (f procFS) Link(a, b string) error   { f.stall(); return f.memFS.Link(a, b) }
func (f procFS) Rename(a, b string) error { f.stall(); return f.memFS.Rename(a, b) }
func (f procFS) Remove(a string) error    { f.stall(); return f.memFS.Remove(a) }

// A section is the time one holder wrote.
type section struct {
	proc        int
	first, last time.Duration
	writes      int
}

// sections has processes take the lease and write under it, on machines whose file locks do not reach each other. Some
// crash in the middle, some are paused for longer than any lease and go on as if nothing had happened.
func sections(seed uint64, procs, each int, pause time.Duration) (done []section, crashed, stopped, died int) {
	w := &world{r: newRand(seed), back: make(chan struct{}), pause: pause}
	m := newMemFS()
	for i := range procs {
		w.spawn(func(p *proc) {
			o := memOptions(m, seed<<8|uint64(i))
			o.fs, o.clock = procFS{m, p}, p
			o.Now = func() time.Time { // a wall clock that jumps, which must not matter
				return clockTime.Add(time.Duration(w.r.Int64N(int64(time.Hour))) - 30*time.Minute)
			}
			for range each {
				l := takeOrDie(p, &o)
				if l == nil {
					died++
					continue
				}
				s := section{proc: i}
				fate := w.r.IntN(20)
				for range 1 + w.r.IntN(5) {
					if fate == 0 {
						p.yield(time.Duration(w.r.Int64N(int64(100 * time.Second)))) // paused and resumed
					} else {
						p.yield(time.Duration(w.r.Int64N(int64(time.Second))))
					}
					if l.spent() {
						stopped++
						break
					}
					// Between the look at the clock and the write a process can be held up, but not for half a lease.
					p.yield(time.Duration(w.r.Int64N(int64(pause))) * time.Duration(w.r.IntN(2)))
					if s.writes == 0 {
						s.first = w.now
					}
					s.last = w.now
					s.writes++
				}
				if s.writes > 0 {
					done = append(done, s)
				}
				if fate == 1 {
					crashed++
					p.yield(time.Minute)
					continue // died: the lease stays, the machine comes back as another process
				}
				l.giveBack()
			}
		})
	}
	w.simulate()
	return done, crashed, stopped, died
}

// takeOrDie takes the lease; nil if the process died on the way, leaving everything as it was.
func takeOrDie(p *proc, o *Options) (l *lease) {
	defer func() {
		p.mortal = false
		if d := recover(); d != nil {
			if _, ok := d.(crash); !ok {
				panic(d)
			}
		}
	}()
	p.mortal = true
	l, err := takeLease(ctx, o, p.Now()+1000*time.Hour)
	if err != nil {
		panic(err)
	}
	return l
}

func overlaps(done []section) (n int, example string) {
	for i, a := range done {
		for _, b := range done[:i] {
			if a.first < b.last && b.first < a.last || a.first == b.first && a.proc != b.proc {
				n++
				example = fmt.Sprintf("%+v %+v", a, b)
			}
		}
	}
	return n, example
}

func TestLeasesNeverOverlap(t *testing.T) {
	t.Parallel()
	total, crashed, stopped, died := 0, 0, 0, 0
	for seed := range uint64(soak(9, 300)) {
		done, c, s, d := sections(seed, 6, 20, leaseTime/2-time.Second)
		if n, example := overlaps(done); n > 0 {
			t.Fatalf("seed %d: %d overlaps in %d sections: %s", seed, n, len(done), example)
		}
		total, crashed, stopped, died = total+len(done), crashed+c, stopped+s, died+d
	}
	figure(t, "lease sections", total, soak(500, 10000))
	figure(t, "lease sections of crashed holders", crashed, soak(20, 500))
	figure(t, "lease sections never begun", died, soak(20, 500))
	figure(t, "lease sections ended by the lease", stopped, soak(20, 500))
}

// The simulation can see overlaps: holders held up for longer than the protocol allows make some.
func TestOverlapsAreSeen(t *testing.T) {
	for seed := range uint64(20) {
		if done, _, _, _ := sections(seed, 6, 20, 3*leaseTime); func() bool { n, _ := overlaps(done); return n > 0 }() {
			return
		}
	}
	t.Error("no overlap in 20 worlds without the rule")
}

func TestLeaseOfTheDeadIsBroken(t *testing.T) {
	m := newMemFS()
	o := memOptions(m, 1)
	o.Lock, o.LockTimeout = LockLease, 10*time.Second
	m.set(o.Path+".lease", &inode{data: []byte("0123456789abcdef"), lock: map[int64]*memFile{}})
	_, err := ask(o, "", 0.5)
	wantCode(t, err, 5)
	o.LockTimeout = time.Minute
	mustAsk(t, o, "", 0.5)
	// What stays is the lease of the last holder and that it is free.
	members, err := leaseMembers(&o)
	if left := m.leftovers(o.Path); err != nil || len(left) != 2 || len(members) != 2 || !isFree(members[1]) {
		t.Errorf("left %v, lease %v %v", left, members, err)
	}
	if got := read(t, o).Lock; got != LockLease {
		t.Errorf("lock kind %q", got)
	}
	// The kind stays what the header says.
	o.Lock = LockPosix
	mustAsk(t, o, "", 0.75)
}

// vagueFS says of every link that fails, as SFTP does, that it is not permitted.
type vagueFS struct {
	*memFS
	before func(to string) error
}

func (f vagueFS) Link(a, b string) error {
	if f.before(b) != nil || f.memFS.Link(a, b) != nil {
		return fs.ErrPermission
	}
	return nil
}

// Somebody who was faster is not taken for a file system without links, whether the
// name is still there when it is looked for or not.
func TestLeaseLinkFailsWithoutSayingWhy(t *testing.T) {
	for name, c := range map[string]struct {
		links func(m *memFS, n int, to string) error // the nth link
		want  study.Code
	}{
		"followed": {func(m *memFS, n int, to string) error {
			if n == 0 {
				m.set(to, &inode{data: []byte("0123456789abcdef"), lock: map[int64]*memFile{}})
			}
			return nil
		}, 0},
		"followed and dropped": {func(_ *memFS, n int, _ string) error {
			if n == 0 {
				return fs.ErrExist
			}
			return nil
		}, 0},
		"without links": {func(*memFS, int, string) error { return errors.ErrUnsupported }, study.Usage},
	} {
		m := newMemFS()
		o := memOptions(m, 1)
		o.Lock, o.LockTimeout = LockLease, time.Minute
		mustAsk(t, o, "", 0.5)
		n := -1
		o.fs = vagueFS{m, func(to string) error { n++; return c.links(m, n, to) }}
		if _, err := ask(o, "", 0.25); code(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An eventClock runs events, one at every sleep.
type eventClock struct {
	fakeClock
	events []func()
}

func (c *eventClock) Sleep(ctx context.Context, d time.Duration) error {
	if len(c.events) > 0 {
		e := c.events[0]
		c.events = c.events[1:]
		e()
	}
	return c.fakeClock.Sleep(ctx, d)
}

// Whoever waits for the lock gets it before one who comes later, even in the moment in which it is free.
func TestWhoWaitsComesNext(t *testing.T) {
	m := newMemFS()
	o := memOptions(m, 1)
	mustAsk(t, o, "", 0.5)
	d := o.defaults()
	first, err := acquire(ctx, &d, LockPosix)
	must(t, err)
	late := o
	late.LockTimeout = time.Millisecond
	note := func(*State) ([]Record, error) { return []Record{{Kind: KindNote, Note: "x"}}, nil }
	clock := &eventClock{}
	clock.events = []func(){func() {
		first.release()
		_, err := Update(ctx, late, note)
		wantCode(t, err, study.LockTimeout)
	}}
	o.clock = clock
	update(t, o, note)
	update(t, late, note) // and now it is free for anybody
	if len(clock.events) > 0 {
		t.Error("nobody waited")
	}
}
