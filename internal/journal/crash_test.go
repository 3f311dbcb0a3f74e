package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bohier/internal/study"
)

// soak scales a figure for the long runs.
func soak(ci, long int) int {
	if os.Getenv("BOHIER_SOAK") != "" {
		return long
	}
	return ci
}

// figure reports how much a test did, in the form that make soak adds up.
func figure(t *testing.T, what string, got, want int) {
	t.Helper()
	t.Logf("figure %s: %d", what, got)
	if got < want {
		t.Errorf("%s: %d, not %d", what, got, want)
	}
}

// zero is figure of something that must never happen.
func zero(t *testing.T, what string, got int) {
	t.Helper()
	figure(t, what, got, 0)
	if got > 0 {
		t.Errorf("%s: %d", what, got)
	}
}

// letterSource is a fixed stream of random bytes.
type letterSource struct{ r *rand.Rand }

func (l letterSource) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(l.r.Uint32())
	}
	return len(b), nil
}

// newRand is a generator of its own for every seed. BOHIER_SOAK=2, 3, … are other
// generators than BOHIER_SOAK=1 and none.
func newRand(seed uint64) *rand.Rand {
	round, _ := strconv.ParseUint(os.Getenv("BOHIER_SOAK"), 10, 64)
	return rand.New(rand.NewPCG(seed, 1+max(round, 1)))
}

func memOptions(m *memFS, seed uint64) Options {
	o := Options{Path: "/d/s.jsonl", Space: line{"one"}, Study: json.RawMessage(`{"a":1}`), Now: options0.Now, Host: "h"}
	o.Seed = options0.Seed
	o.fs, o.clock, o.rand = m, &fakeClock{}, letterSource{newRand(seed)}
	return o
}

var options0 = func() Options {
	seed := uint64(42)
	o := Options{Seed: &seed}
	o.Now = func() time.Time { return clockTime }
	return o
}()

// A step is one command of a history, keyed so that running it again is the same command.
type step struct {
	kind string
	n    int
}

// run does a step and returns what was acknowledged: a line about the trial.
func (s step) run(o Options) (string, error) {
	switch s.kind {
	case "ask":
		t, err := ask(o, fmt.Sprint("key", s.n), float64(s.n)/16)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s %v", t.ID(), t.Config.Value), nil
	case "tell", "part", "abandon":
		st, _, err := Read(ctx, o)
		if err != nil {
			return "", err
		}
		t := st.ByKey(fmt.Sprint("key", s.n))
		if t == nil {
			return "", nil
		}
		_, err = Update(ctx, o, func(st *State) ([]Record, error) {
			if s.kind == "abandon" {
				recs, _, err := st.Abandon(t.ID(), "")
				return recs, err
			}
			out := value(float64(s.n))
			if s.kind == "part" {
				out = partOf(float64(s.n))
			}
			recs, _, err := st.Observe(t.ID(), out)
			return recs, err
		})
		return "told " + t.ID(), err
	case "enqueue":
		_, err := Update(ctx, o, func(st *State) ([]Record, error) {
			return st.Enqueue(json.RawMessage(fmt.Sprintf(`{"x":%d}`, s.n)), fmt.Sprint("q", s.n))
		})
		return "", err
	case "batch":
		_, err := Update(ctx, o, func(st *State) ([]Record, error) {
			var as []study.Addition
			for i := range 3 {
				as = append(as, addition(json.RawMessage(`{"x":0.5}`), keyed(1, fmt.Sprintf("add%d-%d", s.n, i))))
			}
			recs, _, err := st.Add(as)
			return recs, err
		})
		return "", err
	case "merge":
		_, err := Merge(ctx, o, Options{Store: stored{lines: merged()}})
		return "", err
	}
	panic(s.kind)
}

// A stored journal is in a store that is only read.
type stored struct {
	Store
	lines []byte
}

func (s stored) String() string { return "other" }

func (s stored) Read(context.Context, Pos) (Chunk, error) { return Chunk{Lines: s.lines}, nil }

// merged is a journal of trials that were measured one after the other.
var merged = sync.OnceValue(func() []byte {
	o, moment := memOptions(newMemFS(), 99), clockTime.Add(-time.Hour)
	o.Now = func() time.Time { return moment }
	for k := range 3 {
		moment = moment.Add(time.Second)
		t, err := ask(o, fmt.Sprint("other", k), 0.5)
		if err == nil {
			_, err = tell(o, t.ID(), float64(k), study.Once)
		}
		if err != nil {
			panic(err)
		}
	}
	return o.fs.(*memFS).bytes(o.Path)
})

// holds checks that a state still has what a step acknowledged.
func (s step) holds(st *State, ack string) error {
	switch s.kind {
	case "ask", "tell", "part", "abandon":
		t := st.ByKey(fmt.Sprint("key", s.n))
		if t == nil {
			return fmt.Errorf("trial of key%d is gone", s.n)
		}
		if s.kind == "ask" && fmt.Sprintf("%s %v", t.ID(), t.Config.Value) != ack {
			return fmt.Errorf("trial of key%d is %s %v, not %s", s.n, t.ID(), t.Config.Value, ack)
		}
		if s.kind == "tell" && (t.State != study.Complete || t.Values.Of("loss") != float64(s.n)) {
			return fmt.Errorf("trial of key%d lost its value", s.n)
		}
		if s.kind == "part" && t.Values.Of("latency") != float64(s.n) {
			return fmt.Errorf("trial of key%d lost a part of its values", s.n)
		}
		if s.kind == "abandon" && t.State != study.Abandoned {
			return fmt.Errorf("trial of key%d is not abandoned", s.n)
		}
	case "merge":
		n := 0
		for i := range st.Trials {
			if t := &st.Trials[i]; strings.HasPrefix(t.Key, mergePrefix) && t.State == study.Complete {
				n++
			}
		}
		if n != 3 {
			return fmt.Errorf("%d of 3 merged trials are there", n)
		}
	case "enqueue":
		if st.enqueued[fmt.Sprint("q", s.n)] == nil {
			return fmt.Errorf("queue entry %d is gone", s.n)
		}
	case "batch":
		for i := range 3 {
			if st.ByKey(fmt.Sprintf("add%d-%d", s.n, i)) == nil {
				return fmt.Errorf("added trial %d-%d is gone", s.n, i)
			}
		}
	}
	return nil
}

var histories = [][]step{
	{{"ask", 1}},
	{{"ask", 1}, {"part", 1}, {"tell", 1}},
	{{"ask", 1}, {"ask", 2}, {"tell", 2}, {"abandon", 1}},
	{{"enqueue", 1}, {"ask", 1}, {"tell", 1}},
	{{"batch", 1}, {"ask", 1}},
	{{"ask", 1}, {"batch", 1}, {"tell", 1}, {"enqueue", 2}},
	{{"ask", 1}, {"merge", 1}, {"tell", 1}},
	{{"ask", 1}, {"ask", 2}, {"ask", 3}, {"tell", 3}, {"tell", 1}},
}

type acked struct {
	step
	ack string
}

// play runs steps until the file system crashes.
func play(o Options, steps []step) (acks []acked, died bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(crash); !ok {
				panic(p)
			}
			died = true
		}
	}()
	for _, s := range steps {
		a, e := s.run(o)
		if e != nil {
			return acks, false, fmt.Errorf("%v: %w", s, e)
		}
		acks = append(acks, acked{s, a})
	}
	return acks, false, nil
}

// recovered checks a file system after an accident: the journal reads, has all
// that was acknowledged, and the history can go on from the start.
func recovered(m *memFS, seed uint64, acks []acked, steps []step) error {
	o := memOptions(m, seed)
	st, _, err := Read(ctx, o)
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	for _, a := range acks {
		if err := a.holds(st, a.ack); err != nil {
			return err
		}
	}
	more, _, err := play(o, steps)
	if err != nil {
		return fmt.Errorf("running again: %w", err)
	}
	if st, _, err = Read(ctx, o); err != nil {
		return fmt.Errorf("reading again: %w", err)
	}
	for _, a := range append(acks, more...) {
		if err := a.holds(st, a.ack); err != nil {
			return fmt.Errorf("after running again: %w", err)
		}
	}
	if st.Torn {
		return errors.New("still torn after running again")
	}
	return nil
}

// isPrefix checks that the records that came back are a prefix of those written,
// with those of at most one write that was not synced.
func isPrefix(back, m *memFS) error {
	const path = "/d/s.jsonl"
	n := m.names[path]
	if n == nil {
		return nil
	}
	data := back.bytes(path)
	end, err := scan(sourceOf(data), func(*Record) error { return nil })
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(n.data, data[:end.end]) {
		return errors.New("what came back is not a prefix of what was written")
	}
	nl := []byte{'\n'}
	write := 0 // records
	for _, o := range n.ops {
		write = max(write, bytes.Count(o.data, nl))
	}
	if records, synced := bytes.Count(data[:end.end], nl), bytes.Count(n.disk, nl); records > synced+write {
		return fmt.Errorf("%d records came back, %d were synced", records, synced)
	}
	return nil
}

// Every history, a crash at every call, and many subsets of what was unsynced come back; and the same after the
// processes alone died, ran again, and then the power failed.
func TestCrash(t *testing.T) {
	t.Parallel()
	states, subsets := 0, soak(1, 220)
	for h, steps := range histories {
		for at := 1; ; at++ {
			m := newMemFS()
			m.crashAt = at
			acks, died, err := play(memOptions(m, 1), steps)
			must(t, err)
			m.kill()
			try := min(subsets, 1<<min(m.unsynced(), 20))
			for sub := range try {
				r := newRand(uint64(h<<32 | at<<16 | sub))
				back := m.powerFailure(r)
				states++
				err := isPrefix(back, m)
				if err == nil {
					err = recovered(back, 2, acks, steps)
				}
				if err != nil {
					t.Fatalf("history %d, crash at call %d, subset %d: %v\n%s", h, at, sub, err, m.bytes("/d/s.jsonl"))
				}
			}
			// Killed, run again, then the power fails.
			alive := m.clone()
			more, _, err := play(memOptions(alive, 3), steps)
			if err != nil {
				t.Fatalf("history %d, killed at call %d: %v", h, at, err)
			}
			for sub := range max(try/3, 1) {
				back := alive.powerFailure(newRand(uint64(h<<32 | at<<16 | sub)))
				states++
				if err := recovered(back, 4, append(acks, more...), steps); err != nil {
					t.Fatalf("history %d, killed at call %d, run again, power failure %d: %v", h, at, sub, err)
				}
			}
			if !died {
				break
			}
		}
	}
	figure(t, "crash states", states, soak(500, 50000))
}

// The n-th call fails, once or from then on: the command says so by its exit
// code, an exit 7 leaves the journal as it was, and running again cures.
func TestFailingCalls(t *testing.T) {
	t.Parallel()
	runs := 0
	for h, steps := range histories {
		for _, forever := range []bool{false, true} {
			for k, short := range []int{1, 1 << 20, 0, 40}[:soak(2, 4)] {
				for at := 1 + k*soak(2, 0); ; at += soak(4, 1) { // the two by turns, or each at every call
					m := newMemFS()
					m.failAt, m.forever, m.fail, m.short = at, forever, errMem, short
					o := memOptions(m, 1)
					var acks []acked
					var failed error
					var before []byte
					for _, s := range steps {
						before = bytes.Clone(m.bytes(o.Path))
						var ack string
						if ack, failed = s.run(o); failed != nil {
							break
						}
						acks = append(acks, acked{s, ack})
					}
					runs++
					reached := m.failed != ""
					if failed != nil {
						c := code(failed)
						if c != study.NotRecorded && c != study.PerhapsRecorded {
							t.Fatalf("history %d, call %d (%s): %v has code %d", h, at, m.failed, failed, c)
						}
						after := m.bytes(o.Path)
						// A step that is two updates may have done the first.
						if c == study.NotRecorded && !bytes.HasPrefix(after, before) {
							t.Fatalf("history %d, call %d (%s): %v, and history changed", h, at, m.failed, failed)
						}
						if c == study.NotRecorded && len(after) > 0 && after[len(after)-1] != '\n' {
							t.Fatalf("history %d, call %d (%s): %v, and a torn line", h, at, m.failed, failed)
						}
					}
					m.kill()
					m.failed = ""
					back := m.powerFailure(newRand(uint64(at)))
					for _, fsys := range []*memFS{m, back} {
						if err := recovered(fsys, 2, acks, steps); err != nil {
							t.Fatalf("history %d, call %d, short %d, forever %v: %v", h, at, short, forever, err)
						}
					}
					if !reached {
						break
					}
				}
			}
		}
	}
	figure(t, "failing system calls", runs, soak(375, 4000))
}

// A thief takes the lock file away in the middle of a write that fails.
type thief struct {
	*memFS
	journal string
}

type robbed struct {
	file
	thief
}

func (t thief) Open(name string, flag int, perm os.FileMode) (file, error) {
	f, err := t.memFS.Open(name, flag, perm)
	if err == nil && name == t.journal && flag&os.O_RDWR != 0 {
		f = robbed{f, t}
	}
	return f, err
}

func (r robbed) Write(b []byte) (int, error) {
	n, _ := r.file.Write(b[:len(b)/2])
	return n, errors.Join(errMem, r.Remove(r.journal+".lock"))
}

func TestNothingIsTakenBackWithoutTheLock(t *testing.T) {
	m := newMemFS()
	o := memOptions(m, 1)
	mustAsk(t, o, "", 0.5)
	before := len(m.bytes(o.Path))
	o.fs = thief{m, o.Path}
	_, err := tell(o, "1", 3, study.Once)
	wantCode(t, err, study.PerhapsRecorded)
	if len(m.bytes(o.Path)) <= before {
		t.Error("a process without the lock has cut the journal")
	}
	o.fs = m
	if recorded, err := tell(o, "1", 3, study.Once); err != nil || !recorded {
		t.Error("running again:", recorded, err)
	}
}
