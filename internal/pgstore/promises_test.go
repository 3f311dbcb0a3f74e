package pgstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// An opener makes journals. Each call is as of another process: nothing is shared but what
// is kept. The same name is the same journal.
type opener func(t testing.TB, name string) journal.Options

// A file keeps what every place for journals promises, with a lock of the system alone and with leases as on a network.
func TestFileKeepsThePromises(t *testing.T) {
	for _, kind := range []string{journal.LockPosix, journal.LockLease} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			promises(t, func(_ testing.TB, name string) journal.Options {
				return journal.Options{Path: filepath.Join(dir, name+".journal.jsonl"), Lock: kind}
			})
		})
	}
}

// suite counts what it compared, so that none that ran empty passes.
type suite struct {
	place  opener
	checks int
}

// promises runs what a journal promises wherever its lines are. That turns to compute are exclusive
// is tried where a place has them.
func promises(t *testing.T, place opener) {
	for _, p := range []struct {
		name string
		test func(*suite, *testing.T)
	}{
		{"round trip", (*suite).roundTrip},
		{"clocks", (*suite).clocks},
		{"reading needs no lock", (*suite).readingNeedsNoLock},
		{"all or nothing", (*suite).allOrNothing},
		{"holds", (*suite).holds},
		{"memory", (*suite).memory},
		{"settled", (*suite).settled},
		{"beats", (*suite).beats},
		{"copies", (*suite).copies},
		{"beginnings", (*suite).beginnings},
		{"concurrency", (*suite).concurrency},
	} {
		t.Run(p.name, func(t *testing.T) {
			s := &suite{place: place}
			p.test(s, t)
			if s.checks == 0 && !t.Failed() {
				t.Error("nothing was compared")
			}
		})
	}
}

func (s *suite) check(t *testing.T, holds bool, format string, args ...any) {
	t.Helper()
	s.checks++
	if !holds {
		t.Errorf(format, args...)
	}
}

// open is a journal, with a study and a lock that others may have for a while.
func (s *suite) open(t testing.TB, name string) journal.Options {
	o := s.place(t, name)
	seed := uint64(42)
	o.Seed, o.Study, o.LockTimeout = &seed, json.RawMessage(`{"space":{}}`), 30*time.Second
	return o
}

// reserve records one keyed trial and returns its id.
func reserve(ctx context.Context, o journal.Options, key string) (id string, err error) {
	var number int
	after, err := journal.Update(ctx, o, func(s *journal.State) ([]journal.Record, error) {
		recs, n, err := s.Reserve(journal.Asking{N: 1, Key: key})
		number = n
		return recs, err
	})
	if err != nil {
		return "", err
	}
	return after.Number(number).ID(), nil
}

// enqueue records one keyed request.
func enqueue(ctx context.Context, o journal.Options, key string) error {
	_, err := journal.Update(ctx, o, func(s *journal.State) ([]journal.Record, error) {
		return s.Enqueue(json.RawMessage(`{}`), key)
	})
	return err
}

func (s *suite) must(t *testing.T, err error) {
	t.Helper()
	must(t, err)
}

func (s *suite) read(t *testing.T, name string) *journal.State {
	t.Helper()
	state, _, err := journal.Read(t.Context(), s.open(t, name))
	s.must(t, err)
	return state
}

func (s *suite) roundTrip(t *testing.T) {
	o := s.open(t, "round")
	state, _, err := journal.Read(t.Context(), o)
	s.check(t, err == nil && !state.Exists, "a journal that is not there: %+v, %v", state, err)
	var ids []string
	for k := range 5 {
		id, err := reserve(t.Context(), o, fmt.Sprint("k", k))
		s.must(t, err)
		ids = append(ids, id)
	}
	again, err := reserve(t.Context(), s.open(t, "round"), "k3")
	s.check(t, err == nil && again == ids[3], "the same key again: %s, %v, not %s", again, err, ids[3])
	state = s.read(t, "round")
	s.check(t, len(state.Trials) == 5 && state.Seq == 6, "read elsewhere: %+v", state)
	rep, err := journal.Verify(t.Context(), s.open(t, "round"))
	s.check(t, err == nil && len(rep.Problems) == 0 && rep.Records == state.Seq, "verify: %+v, %v", rep, err)
	other := s.open(t, "other")
	_, err = reserve(t.Context(), other, "k0")
	s.must(t, err)
	s.check(t, len(s.read(t, "other").Trials) == 1, "two journals in one place mix")
}

// clocks holds that one that is a day off decides nothing.
func (s *suite) clocks(t *testing.T) {
	for _, off := range []time.Duration{0, -24 * time.Hour, 24 * time.Hour, -10 * 365 * 24 * time.Hour} {
		o := s.open(t, "clocks")
		o.Now = func() time.Time { return time.Now().Add(off) }
		id, err := reserve(t.Context(), o, off.String())
		s.check(t, err == nil && id != "", "%v off: %v", off, err)
	}
	s.check(t, len(s.read(t, "clocks").Trials) == 4, "trials are missing")
}

func (s *suite) readingNeedsNoLock(t *testing.T) {
	o := s.open(t, "lock")
	s.must(t, enqueue(t.Context(), o, "first"))
	had := make(chan time.Duration, 1)
	o.Locked = func(got time.Duration) { had <- got }
	_, err := journal.Update(t.Context(), o, func(*journal.State) ([]journal.Record, error) {
		other := s.open(t, "lock")
		_, _, err := journal.Read(t.Context(), other)
		s.check(t, err == nil, "reading while another has the lock: %v", err)
		other.LockTimeout = 300 * time.Millisecond
		err = enqueue(t.Context(), other, "second")
		s.check(t, code(err) == study.LockTimeout && strings.Contains(err.Error(), "held by") &&
			strings.Contains(err.Error(), fmt.Sprint(os.Getpid())),
			"writing while another has the lock: %v", err)
		return nil, nil
	})
	s.must(t, err)
	got := <-had
	s.check(t, got >= 300*time.Millisecond, "the lock was had for %v by its own account", got)
	s.must(t, enqueue(t.Context(), s.open(t, "lock"), "third"))
}

// allOrNothing holds that a decision that fails leaves nothing behind.
func (s *suite) allOrNothing(t *testing.T) {
	o := s.open(t, "nothing")
	failed := errors.New("no")
	_, err := journal.Update(t.Context(), o, func(state *journal.State) ([]journal.Record, error) {
		recs, _, err := state.Reserve(journal.Asking{N: 1})
		s.must(t, err)
		return recs, failed
	})
	s.check(t, errors.Is(err, failed) && !s.read(t, "nothing").Exists, "a decision that failed: %v", err)
	seven := func(state *journal.State, part int) ([]journal.Record, bool, error) {
		recs, _, err := state.Reserve(journal.Asking{N: 7}, []int{1, 2, 3, 4, 5, 6}[:part]...)
		return recs, part < 6, err
	}
	_, err = journal.UpdateInParts(t.Context(), o, false, seven)
	s.must(t, err)
	s.check(t, len(s.read(t, "nothing").Trials) == 7, "seven in one update")
}

// holds holds that a number is one process's while that computes.
func (s *suite) holds(t *testing.T) {
	first := s.open(t, "holds")
	first.Hold = &journal.Hold{}
	id, err := reserve(t.Context(), first, "")
	s.must(t, err)
	second := s.open(t, "holds")
	second.Hold = &journal.Hold{}
	other, err := reserve(t.Context(), second, "")
	s.check(t, err == nil && number(other) != number(id), "one number for two: %s and %s, %v", id, other, err)
	release, ok, err := first.Hold.Compute(t.Context(), first)
	if err != nil { // leases: each computes by itself, and no number is taken for free
		return
	}
	s.check(t, ok && err == nil, "the turn to compute: %v, %v", ok, err)
	_, ok, err = second.Hold.Compute(t.Context(), second)
	s.check(t, !ok && err == nil, "a second turn to compute: %v, %v", ok, err)
	release()
	release, ok, err = second.Hold.Compute(t.Context(), second)
	s.check(t, ok && err == nil, "the turn when it was given back: %v, %v", ok, err)
	release()
	s.must(t, first.Hold.Close())
	third, err := reserve(t.Context(), s.open(t, "holds"), "")
	s.check(t, err == nil && number(third) == number(id),
		"what nobody holds any more is not asked for again: %s, not %s, %v", third, id, err)
	s.must(t, second.Hold.Close())
}

func number(id string) string { n, _, _ := strings.Cut(id, "-"); return n }

// memory holds that what was read is not read again, and that one who goes on notices what others wrote.
func (s *suite) memory(t *testing.T) {
	kept := s.open(t, "memory")
	kept.Memory = &journal.Memory{}
	for k := range 3 {
		s.must(t, enqueue(t.Context(), s.open(t, "memory"), fmt.Sprint(k)))
		state, _, err := journal.Read(t.Context(), kept)
		s.check(t, err == nil && state.Seq == 2+k && len(state.Queue) == k+1, "after %d records: %+v, %v", k+1, state, err)
	}
}

// settled holds that who waits for a reserved trial sees that it is settled, by what is kept
// and without it, and is not told so of another trial that has the number.
func (s *suite) settled(t *testing.T) {
	kept := s.open(t, "settled")
	kept.Memory = &journal.Memory{}
	_, err := reserve(t.Context(), s.open(t, "settled"), "")
	s.must(t, err)
	state := s.read(t, "settled")
	waits := state.Trials[0]
	settled := func(o journal.Options, t0 *study.Trial) (bool, int) {
		now, _, err := journal.Read(t.Context(), o)
		s.must(t, err)
		is := now.Current(t0)
		return is == nil || is.State != study.Reserved || is.Released, now.Seq
	}
	for _, o := range []journal.Options{kept, s.open(t, "settled")} {
		done, seq := settled(o, &waits)
		s.check(t, !done && seq == state.Seq, "reserved: settled %v, record %d of %d", done, seq, state.Seq)
		other := waits
		other.Tag = "zzzz"
		done, _ = settled(o, &other)
		s.check(t, done, "another trial has this number")
	}
	_, err = journal.Update(t.Context(), s.open(t, "settled"), func(now *journal.State) ([]journal.Record, error) {
		return now.Release(now.Trials, "given back"), nil
	})
	s.must(t, err)
	for _, o := range []journal.Options{kept, s.open(t, "settled")} {
		done, seq := settled(o, &waits)
		s.check(t, done && seq == state.Seq+1, "released: settled %v, record %d after %d", done, seq, state.Seq)
	}
}

func (s *suite) beats(t *testing.T) {
	o := s.open(t, "beats")
	s.must(t, enqueue(t.Context(), o, "a"))
	for worker, count := range map[string]uint64{"w/1#a": 1, "w/2#b": 6} {
		s.must(t, o.Beats().Beat(t.Context(), worker, count))
	}
	s.must(t, o.Beats().Beat(t.Context(), "w/2#b", 7))
	s.must(t, o.Beats().Leave(t.Context(), "w/1#a"))
	beats, err := s.open(t, "beats").Beats().Beats(t.Context())
	s.check(t, err == nil && len(beats) == 1 && beats["w/2#b"] == 7, "beats: %v, %v", beats, err)
}

// copies holds that a journal goes to a file and back byte for byte, that copying again adds
// what came since, also when several copy at once, and that a copy tells what its original lost.
func (s *suite) copies(t *testing.T) {
	o := s.open(t, "copied")
	s.must(t, enqueue(t.Context(), o, "a"))
	file := journal.Options{Path: filepath.Join(t.TempDir(), "copy.jsonl")}
	_, err := journal.Copy(t.Context(), o, file)
	s.must(t, err)
	s.must(t, enqueue(t.Context(), o, "b"))
	there, err := journal.Copy(t.Context(), o, file)
	s.must(t, err)
	back, err := journal.Copy(t.Context(), file, s.open(t, "back"))
	s.must(t, err)
	s.check(t, there.Added == 1 && there.Sum == back.Sum && back.Records == 3, "there %+v, back %+v", there, back)
	first, err := journal.Lines(t.Context(), o)
	s.must(t, err)
	second, err := journal.Lines(t.Context(), s.open(t, "back"))
	s.check(t, err == nil && len(first) > 0 && bytes.Equal(first, second), "the lines differ: %v\n%s%s", err, first,
		second)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				if _, err := journal.Copy(t.Context(), o, file); err != nil {
					t.Errorf("copied by several at once: %v", err)
					return
				}
			}
		})
	}
	for k := range 20 {
		s.must(t, enqueue(t.Context(), s.open(t, "copied"), fmt.Sprint("more", k)))
	}
	group.Wait()
	_, err = journal.Copy(t.Context(), file, s.open(t, "back"))
	s.must(t, err)
	s.must(t, enqueue(t.Context(), file, "c"))
	_, err = journal.Copy(t.Context(), s.open(t, "back"), file)
	s.check(t, code(err) == study.Damaged && strings.Contains(err.Error(), "has 1 record that"), "the copy has more: %v",
		err)
	_, err = journal.Copy(t.Context(), file, s.open(t, "back"))
	s.must(t, err)
	_, err = journal.Copy(t.Context(), s.open(t, "back"), file)
	s.check(t, err == nil, "given back: %v", err)
	s.must(t, enqueue(t.Context(), o, "d"))
	_, err = journal.Copy(t.Context(), o, file)
	s.check(t, code(err) == study.Damaged && strings.Contains(err.Error(), "fork"), "a copy that went its own way: %v",
		err)
}

// beginnings has workers begin a journal together: each gets a trial of its own, which it holds.
func (s *suite) beginnings(t *testing.T) {
	const rounds, workers = 3, 8
	for round := range rounds {
		name := fmt.Sprint("begun", round)
		var told acknowledged
		var group sync.WaitGroup
		start := make(chan struct{})
		for w := range workers {
			o := s.open(t, name)
			o.Hold = &journal.Hold{}
			defer o.Hold.Close()
			group.Go(func() {
				<-start
				key := fmt.Sprint("w", w)
				id, err := reserve(t.Context(), o, key)
				if err != nil {
					t.Errorf("worker %d of a new journal: %v", w, err)
					return
				}
				told.Add(t, key, id)
			})
		}
		close(start)
		group.Wait()
		s.check(t, told.Check(t, s.open(t, name)) == workers, "%d workers have %d trials", workers, told.Len())
	}
}

// concurrency has many append at once: one key is one trial, and one trial one key.
func (s *suite) concurrency(t *testing.T) {
	many, each := 8, 6
	if os.Getenv("BOHIER_SOAK") != "" {
		many, each = 32, 60
	}
	var told acknowledged
	var group sync.WaitGroup
	for w := range many {
		o := s.open(t, "many")
		group.Go(func() {
			for k := range each {
				key := fmt.Sprintf("%d-%d", w, k/2) // each key twice
				id, err := reserve(t.Context(), o, key)
				if err != nil {
					t.Error(err)
					return
				}
				told.Add(t, key, id)
			}
		})
	}
	group.Wait()
	s.checks += told.Check(t, s.open(t, "many"))
	t.Logf("figure keys acknowledged: %d", told.Len())
}
