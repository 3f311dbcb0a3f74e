package journal

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bohier/internal/study"
)

// What killed processes left of their leases goes when the next lease is broken; what may still be somebody's stays.
func TestLeftoversOfLeasesAreTidied(t *testing.T) {
	m := leaseJournal(t)
	o := memOptions(m, 5)
	o.Lock, o.LockTimeout = LockLease, time.Hour
	name := func(kind, nonce string) string { return o.Path + kind + strings.Repeat(nonce, nonceLen) }
	old := clockTime.Add(-2 * strayAge)
	for kind, modified := range map[string]time.Time{ownName: old, freeName: old, copyName: old, newName: old,
		".lease-": old} {
		m.set(name(kind, "k"), &inode{data: []byte(strings.Repeat("m", nonceLen)), lock: map[int64]*memFile{},
			modified: modified})
	}
	stay := []string{name(ownName, "h"), name(freeName, "h"), o.Path + ".lease-notes", o.Path + ".lease.tmp-x"}
	for _, n := range stay {
		m.set(n, &inode{data: []byte("x"), lock: map[int64]*memFile{}, modified: clockTime})
	}
	members, err := leaseMembers(&o)
	must(t, err)
	dead := o.defaults()
	if l, err := claim(&dead, members); l == nil || err != nil { // and never gives it back
		t.Fatal(err)
	}
	o.fs = touchingFS{m}
	must(t, jot(o, "after the dead"))
	left := m.leftovers(o.Path)
	for _, n := range stay {
		if !slices.Contains(left, n) {
			t.Error("gone:", n)
		}
	}
	if len(left) != len(stay)+2 { // the list itself
		t.Errorf("left: %q", left)
	}
}

// A touchingFS gives every file that is linked its time, as a server does.
type touchingFS struct{ *memFS }

func (f touchingFS) Link(a, b string) error {
	err := f.memFS.Link(a, b)
	if err == nil {
		f.names[b].modified = clockTime
	}
	return err
}

// An archive under a lease that is broken on the way moves nothing that others write, and
// leaves no second name of their journal.
func TestArchiveUnderABrokenLease(t *testing.T) {
	for _, call := range []string{"link", "rename"} {
		m := leaseJournal(t)
		w := &world{r: newRand(1), back: make(chan struct{})}
		var archived, noted error
		w.spawn(func(p *proc) {
			o := memOptions(m, 2)
			o.Lock, o.clock = LockLease, p
			o.fs = &remoteFS{memFS: m, during: heldUp(p, func(c, name string) (before, after time.Duration) {
				if c == call && (name == "/d/old.jsonl" || name == o.Path) {
					return 40 * time.Second, 0
				}
				return 0, 0
			})}
			_, archived = Archive(ctx, o, "/d/old.jsonl")
		})
		w.spawn(func(p *proc) {
			p.yield(time.Second)
			o := memOptions(m, 3)
			o.Lock, o.clock = LockLease, p
			o.fs = &remoteFS{memFS: m, during: heldUp(p, func(string, string) (before, after time.Duration) { return 0, 0 })}
			noted = jot(o, "beside the archive")
		})
		w.simulate()
		if noted != nil || archived == nil || code(archived) == study.Unexpected {
			t.Fatal(call, archived, noted)
		}
		if call == "rename" && !errors.Is(archived, errLeaseBroken) {
			t.Error(archived)
		}
		if missing, damaged := lost(m, []string{"first", "beside the archive"}); missing != nil || damaged != nil {
			t.Errorf("%s: lost %q %v", call, missing, damaged)
		}
		if old := m.names["/d/old.jsonl"]; old != nil && old == m.names["/d/s.jsonl"] {
			t.Error("the journal has a second name")
		}
	}
}

// After an archive under a lease a new journal begins, complete or not at all.
func TestNewJournalAfterAnArchiveUnderALease(t *testing.T) {
	for at := 1; ; at++ {
		m := leaseJournal(t)
		o := memOptions(m, 2)
		o.Lock, o.LockTimeout = LockLease, time.Hour
		if _, err := Archive(ctx, o, "/d/old.jsonl"); err != nil {
			t.Fatal(err)
		}
		died := func() (died bool) {
			defer func() { died = recover() != nil }()
			m.crashAt = m.calls + at
			if err := jot(o, "anew"); err != nil {
				t.Error(err)
			}
			return false
		}()
		m.kill()
		for sub := range 6 {
			back := m.powerFailure(newRand(uint64(at<<8 | sub)))
			after := memOptions(back, 3)
			after.Lock, after.LockTimeout = LockLease, time.Hour
			if err := jot(after, "after that"); err != nil {
				t.Fatalf("call %d: %v", at, err)
			}
		}
		if !died {
			break
		}
	}
}
