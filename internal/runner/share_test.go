package runner_test

import (
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Many who ask at once get different suggestions, and each is computed once: nobody
// computes again because others chose meanwhile.
func TestAskersShareTheWork(t *testing.T) {
	st, measure := studytest.NewStudy(t, studytest.PlainSpace()...), studytest.Value(studytest.Bowl(0.3, 1))
	c := newCycle(t, st)
	play(t, c, 8, measure)
	before := mustRead(t, c)
	const askers = 8
	var mu sync.Mutex
	computed, ids := 0, map[string]bool{}
	var group sync.WaitGroup
	for range askers {
		group.Go(func() {
			mine := c
			mine.Journal.Memory = &journal.Memory{}
			mine.Debug = func(d study.Detail) {
				mu.Lock()
				defer mu.Unlock()
				if strings.Contains(d.String(), "source model") {
					computed++
				}
			}
			got, _, err := mine.Suggest(t.Context(), runner.Ask{N: 1})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ids[got[0].ID()] = true
			if got[0].State != study.Pending || len(got[0].Config.Value) == 0 {
				t.Errorf("%+v", got[0])
			}
		})
	}
	group.Wait()
	after := mustRead(t, c)
	if len(ids) != askers || len(after.Trials) != len(before.Trials)+askers || len(after.Pending()) != askers {
		t.Errorf("%d ids, %d trials, %d pending", len(ids), len(after.Trials)-len(before.Trials), len(after.Pending()))
	}
	if computed != askers {
		t.Errorf("%d suggestions were computed for %d askers", computed, askers)
	}
}

// A number whose asker has died is nobody's to wait for: it is left to the next one.
func TestDeadAskersAreNotServed(t *testing.T) {
	st, measure := studytest.NewStudy(t, studytest.PlainSpace()...), studytest.Value(studytest.Bowl(0.3, 1))
	c := newCycle(t, st)
	play(t, c, 1, measure)
	if _, err := journal.Update(t.Context(), c.Journal, func(s *journal.State) ([]journal.Record, error) {
		recs, _, err := s.Reserve(journal.Asking{N: 1, Key: "dead"})
		return recs, err
	}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Suggest(t.Context(), runner.Ask{N: 1}); err != nil {
		t.Fatal(err)
	}
	state := mustRead(t, c)
	if dead := state.ByKey("dead"); dead.State != study.Reserved {
		t.Errorf("%+v", dead)
	}
}

// One after the other with no result in between, suggestions rest on one fit: from the
// second on the hyperparameters hold, and what they were fitted to is in the journal. They
// replay. Where no trial is under way nothing of that is written.
func TestBatchesShareAFit(t *testing.T) {
	st, measure := studytest.NewStudy(t, studytest.PlainSpace()...), studytest.Value(studytest.Bowl(0.3, 1))
	c := newCycle(t, st)
	play(t, c, 8, measure)
	fit := func() study.HyperSet {
		t.Helper()
		s := mustRead(t, c)
		f := s.LastFit()
		return f.Models[f.Used].Hyper
	}
	if hyper := fit(); len(hyper.Values) == 0 || hyper.FittedTo.Data != 0 {
		t.Errorf("one at a time: %v", hyper)
	}
	batch := mustSuggest(t, c, runner.Ask{N: 2})
	second := fit()
	for range 3 { // calls of their own
		if _, _, err := c.Suggest(t.Context(), runner.Ask{N: 1}); err != nil {
			t.Fatal(err)
		}
		if now := fit(); now.FittedTo.Data == 0 || !reflect.DeepEqual(now, second) {
			t.Errorf("fitted again: %v, before %v", now, second)
		}
	}
	tell(t, c, &batch[0], measure)
	if _, _, err := c.Suggest(t.Context(), runner.Ask{N: 1}); err != nil {
		t.Fatal(err)
	}
	if now := fit(); now.FittedTo.Data == second.FittedTo.Data || reflect.DeepEqual(now, second) {
		t.Errorf("a result changes nothing: %v", now)
	}
	replayed(t, c, 14)
}

// A number that was reserved is another process's once the lock is gone that kept it, as
// with a session of a database: the asker gets another one.
func TestReservationIsLost(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	for _, n := range []int{1, 3} {
		c := newCycle(t, st)
		mine, other := c, []study.Trial(nil)
		mine.Journal.Locked = func(time.Duration) {
			if other != nil {
				return
			}
			if err := os.Remove(c.Journal.Path + ".lock"); err != nil {
				t.Error(err)
			}
			other = propose(t, c, runner.Ask{N: 1})
		}
		got, _, err := mine.Suggest(t.Context(), runner.Ask{N: n})
		if err != nil || len(got) != n {
			t.Fatalf("%d of %d trials: %v", len(got), n, err)
		}
		if other[0].Number != 1 {
			t.Fatalf("the other process has trial %d and not the first one's number", other[0].Number)
		}
		state, _, err := c.Read(t.Context())
		if err != nil || len(state.Pending()) != n+1 {
			t.Errorf("%d trials are pending, not %d: %v", len(state.Pending()), n+1, err)
		}
	}
}
