package journal

import (
	"context"

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
	from, end, err := o.storage(ctx)
	if err != nil {
		return true, 0
	}
	defer end()
	s, _, err := m.readOn(&o, from) // which stays m's
	if err != nil {
		return true, 0
	}
	now := s.Number(t.Number)
	return now == nil || now.Tag != t.Tag || now.State != study.Reserved || now.Released, s.Seq
}
