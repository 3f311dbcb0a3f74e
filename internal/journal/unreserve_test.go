package journal

import (
	"bytes"
	"errors"
	"testing"

	"bohier/internal/study"
)

// takeNumbers reserves numbers and returns what the journal was before.
func takeNumbers(t *testing.T, m *memFS, o Options, a Asking) (trials []study.Trial, before []byte) {
	t.Helper()
	before = bytes.Clone(m.bytes(o.Path))
	_, trials, err := numbers(o, a)
	must(t, err)
	return trials, before
}

// Reservations that nobody can have built on are cut off; all others stay.
func TestUnreserve(t *testing.T) {
	for name, c := range map[string]struct {
		a     Asking
		kind  string
		after func(o Options)
		want  bool
	}{
		"one":                  {Asking{N: 1}, "", nil, true},
		"three":                {Asking{N: 3}, "", nil, true},
		"with a key":           {Asking{N: 1, Key: "k"}, "", nil, false},
		"of a worker":          {Asking{N: 1, Worker: "w"}, "", nil, false},
		"under a lease":        {Asking{N: 1}, LockLease, nil, false},
		"with a record behind": {Asking{N: 1}, "", func(o Options) { mustAsk(t, o, "", 0.75) }, false},
		"before a key's": {Asking{N: 1}, "", func(o Options) {
			o.Hold = &Hold{}
			reserve(t, o, Asking{N: 1, Key: "other"})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemFS()
			o := memOptions(m, 1)
			o.Lock = c.kind
			mustAsk(t, o, "", 0.5)
			o.Hold = &Hold{}
			trials, before := takeNumbers(t, m, o, c.a)
			if c.after != nil {
				other := memOptions(m, 2)
				c.after(other)
			}
			full := bytes.Clone(m.bytes(o.Path))
			back, err := Unreserve(ctx, o, trials)
			if back != c.want || err != nil {
				t.Fatal(back, err)
			}
			if !back {
				before = full
			}
			if !bytes.Equal(m.bytes(o.Path), before) {
				t.Errorf("the journal is\n%s", m.bytes(o.Path))
			}
			must(t, o.Hold.Close())
			o.Hold = nil
			mustAsk(t, o, "", 0.25)
		})
	}
}

// While another process computes a suggestion from a state that has the reservation, it stays.
func TestUnreserveWhileOthersCompute(t *testing.T) {
	m := newMemFS()
	o := memOptions(m, 1)
	mustAsk(t, o, "", 0.5)
	other := memOptions(m, 2)
	other.Hold = &Hold{}
	takeNumbers(t, m, other, Asking{N: 1})
	o.Hold = &Hold{}
	trials, _ := takeNumbers(t, m, o, Asking{N: 1})
	if back, err := Unreserve(ctx, o, trials); back || err != nil {
		t.Error(back, err)
	}
	must(t, other.Hold.Close())
	if back, err := Unreserve(ctx, o, trials); !back || err != nil {
		t.Error(back, err)
	}
}

// Wherever taking back fails, or the process or the power dies, the journal reads and goes on.
func TestUnreserveAnywhere(t *testing.T) {
	for at := 1; ; at++ {
		m := newMemFS()
		o := memOptions(m, 1)
		mustAsk(t, o, "", 0.5)
		o.Hold = &Hold{}
		trials, _ := takeNumbers(t, m, o, Asking{N: 2})
		lock := m.names[o.lockPath()]
		lock.disk, lock.ops = lock.data, nil // the mark has reached the disk by itself
		died := func() (died bool) {
			defer func() { died = recover() != nil }()
			m.crashAt = m.calls + at
			_, _ = Unreserve(ctx, o, trials)
			return false
		}()
		m.kill()
		for sub := range 20 {
			back := m.powerFailure(newRand(uint64(at<<8 | sub)))
			after := memOptions(back, 3)
			s, _, err := Read(ctx, after)
			if err == nil {
				_, err = ask(after, "", 0.25)
			}
			if err != nil || s.Trials[0].State != study.Pending {
				t.Fatalf("call %d, power failure %d: %v", at, sub, err)
			}
		}
		if !died {
			break
		}
	}
}

// A forgetfulFS makes every link and says that it failed.
type forgetfulFS struct{ *memFS }

func (f forgetfulFS) Link(a, b string) error { return errors.Join(f.memFS.Link(a, b), errMem) }

// The reply to the link that creates a journal can be lost on its way: the journal is there all the same.
func TestCreationWhoseReplyIsLost(t *testing.T) {
	o := memOptions(newMemFS(), 1)
	o.fs = forgetfulFS{o.fs.(*memFS)}
	if _, err := ask(o, "", 0.5); err != nil {
		t.Error(err)
	}
}
