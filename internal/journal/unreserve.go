package journal

import (
	"context"
	"errors"
	"io"

	"bohier/internal/study"
)

// Unreserve takes back reservations that will get no configuration, by cutting their records
// off, so that a failure leaves the journal byte for byte as it was. It reports whether it did.
// It does so only where nobody can have built on them: they are the last records, have neither
// key nor worker, by which another process might compute the same trial, and no other
// reservation is being computed, from a state that holds them. Under leases and in stores that
// cannot be known. A reservation that stays does no harm: the next suggestion takes the
// numbers.
func Unreserve(ctx context.Context, o Options, trials []study.Trial) (bool, error) {
	if o.Store != nil || len(trials) == 0 { // what a store has it keeps
		return false, nil
	}
	o = o.defaults()
	w, err := open(ctx, &o)
	if err != nil {
		return false, err
	}
	defer w.close()
	s := w.state
	mine := map[int]string{}
	for i := range trials {
		mine[trials[i].Number] = trials[i].Tag
	}
	if w.lock.lease != nil || w.f == nil {
		return false, nil
	}
	for i := range s.Trials {
		t := &s.Trials[i]
		if t.State == study.Reserved && mine[t.Number] != t.Tag && (t.Key != "" || t.Worker != "" || s.held(t.Number)) {
			return false, nil
		}
	}
	end, err := w.lastReservations(mine)
	if err != nil || end < 0 {
		return false, err
	}
	m := mark{Run: s.Run, Seq: s.Seq - len(mine), Generation: w.generation}
	m.Sum = hexSum(s.sums[m.Seq-1])
	// The older mark is true in either case; the newer one would speak of records that
	// are gone.
	if err := writeMark(w.lock.f, m); err != nil {
		return false, err
	}
	if err := w.lock.f.Sync(); err != nil {
		return false, err
	}
	if err := w.lock.valid(); err != nil {
		return false, err
	}
	if err := w.f.Truncate(end); err != nil {
		return false, err
	}
	return true, w.f.Sync()
}

// lastReservations is where the records begin by which the trials were reserved; -1 if
// they are not the last ones, or nothing would come before them.
func (w *writer) lastReservations(tags map[int]string) (int64, error) {
	const most = 64 << 10
	from := max(0, w.tail.end-most)
	b := make([]byte, w.tail.end-from)
	if n, err := w.f.ReadAt(b, from); err != nil && (!errors.Is(err, io.EOF) || n != len(b)) {
		return -1, err
	}
	d, end := newDecoder(), len(b)
	for range len(tags) {
		begin := end - 1 // the newline
		for begin > 0 && b[begin-1] != '\n' {
			begin--
		}
		var r Record
		if begin <= 0 || b[end-1] != '\n' || d.decode(b[begin:end-1], &r) != nil {
			return -1, nil
		}
		if r.Kind != KindReserve || tags[r.Trial] != r.Tag || r.Key != "" || r.Worker != "" {
			return -1, nil
		}
		end = begin
	}
	return from + int64(end), nil
}
