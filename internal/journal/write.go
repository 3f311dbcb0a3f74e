package journal

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"bohier/internal/study"
)

// framed are records as lines, each with its newline.
type framed struct {
	lines    [][]byte // several in one where they are written at once
	at       string   // the time of all that have none of their own
	reserved []int    // numbers
	spilled  bool     // further lines are in the draft of the journal
}

// lines are the records of all parts of a decision.
func (decide decision) lines(ctx context.Context, o *Options, s *State, kind string,
	spill func(*framed) error) (f framed, err error) {
	more := true
	for part := 0; more; part++ {
		var recs []Record
		view, err := s.withNote(o, kind)
		if err != nil {
			return f, err
		}
		if recs, more, err = decide(view, part); err != nil {
			return f, err
		}
		if ctx.Err() != nil {
			return f, interrupted(o, ctx.Err())
		}
		if len(recs) > 0 {
			if err := addLines(s, o, kind, stamp(s, recs), &f); err != nil {
				return f, err
			}
		}
		if more && len(f.lines) > 0 {
			if err := spill(&f); err != nil {
				return f, notRecorded(o, err)
			}
		}
	}
	return f, nil
}

// withNote is the state after the note of a changed study, where the next records come after one: the state of the
// trials at that time decides them. It is s where none comes.
func (s *State) withNote(o *Options, kind string) (*State, error) {
	if !s.Exists {
		return s, nil
	}
	notes, err := before(s, o, kind)
	if err != nil || len(notes) == 0 {
		return s, err
	}
	view, note := s.Apart(), notes[0]
	note.Seq = s.Seq + 1
	return view, view.fold(&note)
}

// add appends the line of a record to the lines of one write, if there is room.
func (f *framed) add(r *Record, older bool) error {
	if len(f.lines) == 0 {
		f.begin(nil)
	}
	last := &f.lines[len(f.lines)-1]
	before := len(*last)
	text, err := appendRecord(*last, r, older)
	if *last = text; before > 0 && len(text) > pieceSize {
		*last = text[:before]
		f.begin(text[before:])
	}
	return err
}

// begin begins a further write, in the memory of one that was taken away or in as much.
func (f *framed) begin(line []byte) {
	n := len(f.lines)
	f.lines = slices.Grow(f.lines, 1)[:n+1]
	if f.lines[n] == nil {
		f.lines[n] = make([]byte, 0, pieceSize+8<<10) // and for most lines that are too much
	}
	f.lines[n] = append(f.lines[n][:0], line...)
}

// addLines gives the records, and the marks that a journal of that lock kind needs before them, their places after
// those of the state, folds them, and adds their lines to f.
func addLines(s *State, o *Options, kind string, recs []Record, f *framed) error {
	before, err := before(s, o, kind)
	if err != nil {
		return err
	}
	if f.at == "" {
		f.at = o.at()
	}
	for _, list := range [2][]Record{before, recs} {
		for i := range list {
			r := &list[i]
			older := r.At != ""
			r.Seq, r.Prev, r.At = s.Seq+1, s.pos().Sum, cmp.Or(r.At, f.at)
			if err := f.add(r, older); err != nil {
				return study.Wrap(study.Usage, err, "", "the record cannot be written")
			}
			if err := s.fold(r); err != nil {
				return study.Wrap(study.Unexpected, err, "", "the record contradicts the journal")
			}
			if r.Kind == KindReserve {
				f.reserved = append(f.reserved, r.Trial)
			}
		}
	}
	return nil
}

// append writes the records, a piece of them by one write and one sync.
// When one fails, those before it are taken back too.
func (w *writer) append(ctx context.Context, f framed) error {
	o := w.o
	if err := w.lock.valid(); err != nil {
		return err
	}
	if o.Hold != nil {
		if err := o.Hold.take(ctx, lockBytes{w.lock.f}, f.reserved); err != nil {
			return notRecorded(o, err)
		}
	}
	if w.f == nil || w.tail.end == 0 && (w.lock.lease == nil || w.lock.lease.fresh != nil) {
		return w.create(f.lines, len(f.reserved))
	}
	if err := o.room(w.f, f.lines, len(f.reserved)); err != nil {
		return notRecorded(o, err)
	}
	return w.write(f.lines)
}

// room makes sure, where the file system reports it, that a journal has room for lines and for the
// records of the numbers that they reserve: else a full disk would keep numbers without trials.
func (o *Options) room(f file, lines [][]byte, reserved int) error {
	r, ok := f.(interface{ Room(size int64) error })
	if !ok || reserved == 0 {
		return nil
	}
	size, err := f.Size()
	if err != nil {
		return err
	}
	for _, line := range lines {
		size += int64(len(line))
	}
	const most = 1 << 20 // of a large batch
	return r.Room(size + min(most, int64(reserved)*int64(1<<10+4*len(o.Study))))
}

// pieceSize bounds the lines that one write appends, in bytes; a longer line has a write of its own.
const pieceSize = 64 << 10

// write appends lines; the journal ends where w.tail says.
func (w *writer) write(lines [][]byte) error {
	end := w.tail.end
	for _, text := range lines {
		if w.tail.open {
			text = append([]byte{'\n'}, text...)
			w.tail.open = false
		}
		if err := w.lock.valid(); err != nil {
			if end == w.tail.end {
				return err
			}
			return perhapsRecorded(w.o, err)
		}
		size, err := w.f.Size()
		if err != nil {
			return w.takeBack(notRecorded(w.o, err))
		}
		if size != end && end == w.tail.end { // such bytes are left alone
			return notRecorded(w.o, errIntruder)
		} else if size != end {
			return perhapsRecorded(w.o, errIntruder)
		}
		failpoint("before-write")
		failwrite("short", w.f, text)
		n, err := w.f.Write(text)
		if err == nil && n < len(text) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return w.takeBack(notRecorded(w.o, err))
		}
		failpoint("before-sync")
		if err := w.f.Sync(); err != nil {
			return w.unknown(err)
		}
		failpoint("after-sync")
		end += int64(len(text))
		if w.lock.lease != nil {
			w.wrote = append(w.wrote, text)
		}
	}
	w.tail.end, w.tail.size = end, end
	return nil
}

// look reads records written under a lease again: whether it stands where it was put, at the end of the file that is
// the journal.
func (w *writer) look() error {
	if w.lock.lease == nil || w.f == nil {
		return nil
	}
	if !w.f.At(w.o.Path) {
		return errLeaseBroken
	}
	if len(w.wrote) == 0 {
		return nil
	}
	text := bytes.Join(w.wrote, nil)
	there := make([]byte, len(text)+1)
	n, err := w.f.ReadAt(there, w.tail.end-int64(len(text)))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(there[:n], text) {
		return errIntruder
	}
	return nil
}

// errIntruder is for bytes that no holder of the lock wrote.
var errIntruder = errors.New("another program is writing to it without the lock")

// takeBack cuts off the lines of this update and returns cause, or worse if the journal cannot be restored.
func (w *writer) takeBack(cause error) error {
	if err := w.lock.valid(); err != nil {
		return perhapsRecorded(w.o, errors.Join(cause, err))
	}
	size, err := w.f.Size()
	if err == nil && size > w.tail.end {
		if err = w.f.Truncate(w.tail.end); err == nil {
			err = w.f.Sync()
		}
	}
	if err != nil {
		return perhapsRecorded(w.o, errors.Join(cause, err))
	}
	return cause
}

// unknown handles a failed sync: the pages may be marked clean without being on disk, so syncing again proves nothing.
// They are dropped, so that the command writes them anew when it is run again.
func (w *writer) unknown(cause error) error {
	if w.lock.valid() == nil { // a sync can hang for longer than a lease
		_ = w.f.Truncate(w.tail.end) // if this fails too, the record stays readable, and exit 8 says so
	}
	return perhapsRecorded(w.o, cause)
}

// stamp adds the context of now to records of measurements. A correction keeps the context of its measurement.
func stamp(s *State, recs []Record) (out []Record) {
	if s.context == "" {
		return recs
	}
	for i := 0; i < len(recs); i++ {
		r := recs[i]
		if out = append(out, r); !measuredNow(s, &r) {
			continue
		}
		m := Record{Kind: KindMeasure, Optional: true, Trial: r.Trial, Tag: r.Tag}
		if i+1 < len(recs) && recs[i+1].Kind == KindMeasure && recs[i+1].Trial == r.Trial {
			i++
			m = recs[i]
		}
		if m.Metrics.Of(study.ContextMetric) == nil {
			m.Metrics = m.Metrics.With(study.Metrics{{Name: study.ContextMetric, Value: s.context}})
		}
		out = append(out, m)
	}
	return out
}

// measuredNow reports whether a record is of a measurement that was made for it.
func measuredNow(s *State, r *Record) bool {
	if r.At != "" || len(r.Values) == 0 && r.State != study.Failed { // merged, or no measurement
		return false
	}
	switch r.Kind {
	case KindObserve, KindReplicate, KindPartial, KindReport, KindAdd:
		return true
	case KindReplace:
		t := s.Number(r.Trial)
		return t != nil && isOpen(t)
	}
	return false
}

// Tests end or hold up the process at a failpoint and in the middle of a write (failpoint_test.go).
var (
	failpoint = func(string) {}
	failwrite = func(string, file, []byte) {}
)
