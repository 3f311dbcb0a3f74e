package journal

import (
	"context"
	"os"

	"bohier/internal/study"
)

// Settled reports whether a trial that was reserved is that no more, or whether only Read
// can tell; and the number of the last record. It reads what came since o.Memory last read
// and copies nothing of it, so that many who wait can look often.
func Settled(ctx context.Context, o Options, t *study.Trial) (settled bool, seq int) {
	o = o.defaults()
	m := o.Memory
	if m == nil {
		m = &Memory{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.look(ctx, &o)
	if err != nil {
		return true, 0
	}
	now := s.Number(t.Number)
	return now == nil || now.Tag != t.Tag || now.State != study.Reserved || now.Released, s.Seq
}

// look is the state as it is now, which stays m's.
func (m *Memory) look(ctx context.Context, o *Options) (*State, error) {
	if o.Store != nil {
		s, _, err := m.readOn(o, inStore{ctx, o.Store})
		return s, err
	}
	f, err := o.fs.Open(o.Path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing can be lost
	s, _, err := m.readOn(o, openFile{f})
	return s, err
}
