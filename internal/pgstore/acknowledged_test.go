package pgstore

import (
	"sync"
	"testing"

	"bohier/internal/journal"
)

// acknowledged are the trials that writers were told of, by key.
type acknowledged struct {
	mu  sync.Mutex
	ids map[string]string
}

// Add notes that the writer of a key was told an id.
func (a *acknowledged) Add(t testing.TB, key, id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ids == nil {
		a.ids = map[string]string{}
	}
	if was, known := a.ids[key]; known && was != id {
		t.Errorf("key %s is %s and then %s", key, was, id)
	}
	a.ids[key] = id
}

// Len is the number of keys.
func (a *acknowledged) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.ids)
}

// Check compares what was acknowledged with what is there: nothing lost, no trial for
// two keys, every line whole. It returns the number of keys.
func (a *acknowledged) Check(t testing.TB, o journal.Options) int {
	t.Helper()
	o.Memory = nil
	s, _, err := journal.Read(t.Context(), o)
	must(t, err)
	if rep, err := journal.Verify(t.Context(), o); err != nil || len(rep.Problems) > 0 {
		t.Errorf("verify: %+v, %v", rep, err)
	}
	seen := map[string]string{}
	for key, id := range a.ids {
		if other, twice := seen[id]; twice {
			t.Errorf("trial %s for keys %s and %s", id, key, other)
		}
		seen[id] = key
		if tr := s.ByKey(key); tr == nil || tr.ID() != id {
			t.Errorf("key %s: acknowledged as %s, recorded as %v", key, id, tr)
		}
	}
	return len(a.ids)
}
