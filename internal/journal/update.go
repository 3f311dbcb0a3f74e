package journal

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"bohier/internal/study"
)

// Update locks the journal, reads it, lets decide choose records from that very
// state, appends them, syncs and unlocks. It returns the state after; the records that decide read are on disk by then,
// so a decision to write nothing (because it is already there) may be acknowledged too. A journal that does not exist
// is created, with its header, when there is a record to write.
//
// On an error nothing was recorded, except for study.PerhapsRecorded.
func Update(ctx context.Context, o Options, decide func(*State) ([]Record, error)) (*State, error) {
	return o.update(ctx, decision(func(s *State, _ int) ([]Record, bool, error) {
		recs, err := decide(s)
		return recs, false, err
	}), true)
}

// A decision chooses records from a state. As long as there are more it is asked for the next part,
// from the state with the records before.
type decision func(s *State, part int) (recs []Record, more bool, err error)

// UpdateInParts is Update of records that are decided one part after the other, each from the state with those before.
// All are written after the last part is decided, or none. The state after is returned where it is wanted.
func UpdateInParts(ctx context.Context, o Options, wanted bool, decide decision) (*State, error) {
	return o.update(ctx, decide, wanted)
}

// A choice is of lines to append to a journal, which it folds into the state. kind is that of the
// lock. spill may take lines away as long as more follow.
type choice interface {
	lines(ctx context.Context, o *Options, s *State, kind string, spill func(*framed) error) (framed, error)
}

// update returns the state after, if wanted.
func (o Options) update(ctx context.Context, choose choice, wanted bool) (*State, error) {
	o = o.defaults()
	if s := o.Supposed; s != nil {
		_, err := choose.lines(ctx, &o, s, cmp.Or(s.Lock, LockPosix), func(*framed) error { return nil })
		s.show()
		s.configure()
		return s, err
	}
	if o.Store != nil {
		return o.updateStore(ctx, choose, wanted)
	}
	if o.Memory != nil { // so that the lock is short; faults are reported under it
		if from, end, err := o.storage(ctx); err == nil {
			s, _, _ := o.Memory.read(&o, from)
			s.Done()
			end()
		}
	}
	w, err := open(ctx, &o)
	if err != nil {
		return nil, err
	}
	defer w.close()
	seq, end := w.state.Seq, w.tail.end
	f, err := choose.lines(ctx, &o, w.state, w.kind, w.spill)
	if err != nil {
		w.sound = untouched(w.state, seq, err)
		return nil, w.unlessLost(err)
	}
	wrote := len(f.lines) > 0 || f.spilled
	if wrote {
		if err := w.append(ctx, f); err != nil {
			return nil, err
		}
		if h := o.Hold; h != nil && len(f.reserved) > 0 {
			if seq == 0 { // the header stays
				seq, end = 1, int64(bytes.IndexByte(f.lines[0], '\n')+1)
			}
			h.last.before, h.last.end, h.last.after = seq, end, w.state.pos()
		}
	}
	from := openFile{w.f}
	if err := w.finish(wrote); err != nil {
		return nil, err
	}
	w.sound = from.file != nil
	return w.memory.keep(w.state, from, w.tail, wanted), nil
}

// untouched reports whether a state is as it was at record seq in spite of an error: that of a decision,
// before a record was folded.
func untouched(s *State, seq int, err error) bool {
	return s.Seq == seq && !study.HasCode(err, study.Unexpected)
}

// A writer has the lock and has read the journal.
type writer struct {
	o          *Options
	kind       string // of the lock
	lock       *lock
	memory     *Memory // locked
	sound      bool    // the memory agrees with the journal
	f          file    // the journal; nil: it does not exist yet
	state      *State
	tail       tail
	wrote      [][]byte // the lines that end the journal since
	known      bool     // the mark names the last record
	generation string   // of the journal, for the mark
}

// open takes the lock of the journal's kind and reads it.
func open(ctx context.Context, o *Options) (*writer, error) {
	for {
		kind := o.lockKind()
		l, err := acquire(ctx, o, kind)
		if err != nil {
			return nil, err
		}
		w := &writer{o: o, kind: kind, lock: l}
		if err := w.load(); err != nil {
			err = w.unlessLost(err)
			w.close()
			return nil, err
		}
		// Somebody else may have created the journal meanwhile, with another kind.
		if w.state.Exists && w.state.Lock != kind {
			w.close()
			continue
		}
		return w, nil
	}
}

// lockKind is the kind in the journal's header, or the one a new journal gets.
func (o *Options) lockKind() string {
	if f, err := o.fs.Open(o.Path, os.O_RDONLY, 0); err == nil {
		defer f.Close()
		if kind := headerLock(f); kind == LockPosix || kind == LockLease {
			return kind
		}
	}
	if o.Lock != "" {
		return o.Lock
	}
	return o.fs.LockKind(filepath.Dir(o.Path))
}

// headerLock is the lock kind the first line names, empty if it has none.
func headerLock(f file) (kind string) {
	for size := 4 << 10; ; size *= 16 {
		head := make([]byte, size)
		n, _ := f.ReadAt(head, 0)
		if n < size || size > maxLine || bytes.IndexByte(head, '\n') >= 0 {
			_, _ = scan(sourceOf(head[:n]), func(r *Record) error { kind = r.Lock; return errEnough })
			return kind
		}
	}
}

func (w *writer) load() error {
	o := w.o
	m := readMark(w.lock.f)
	w.generation = m.Generation
	w.memory = cmp.Or(o.Memory, &Memory{Own: true})
	w.memory.mu.Lock()
	f, err := w.lock.openJournal()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.state = newState(o)
		w.state.Warnings = o.missing(m)
		w.state.held = w.lock.held
		return checkRun(w.state, o)
	case err != nil:
		return readFailure(o, err)
	}
	w.f = f
	w.state, w.tail, err = w.memory.readOn(o, openFile{f})
	if err != nil {
		return err
	}
	w.state.Torn = w.tail.torn()
	if err := check(w.state, o, m, w.tail); err != nil {
		return err
	}
	w.state.held = w.lock.held
	if w.tail.torn() {
		if err := w.cut(); err != nil {
			return err
		}
	}
	// A writer killed between write and sync leaves a record that everybody reads
	// and a power failure would take. It must be on disk before anyone relies on it.
	w.known = m.Run == w.state.Run && m.Seq == w.state.Seq
	if !w.known && w.state.Exists {
		err := w.f.Sync()
		if err == nil {
			err = o.fs.SyncDir(filepath.Dir(o.Path)) // its creator may have died before this
		}
		if err != nil {
			return perhapsRecorded(o, err)
		}
	}
	return nil
}

// finish makes reads and writes durable, after which they may be acknowledged.
func (w *writer) finish(wrote bool) error {
	o := w.o
	failed := func(err error) error {
		if wrote {
			return perhapsRecorded(o, err)
		}
		return leaseLost(o, err)
	}
	if err := w.look(); err != nil {
		return failed(err)
	}
	if err := w.closeJournal(); err != nil {
		return perhapsRecorded(o, err)
	}
	if err := w.lock.confirm(); err != nil {
		return failed(err)
	}
	if s := w.state; s.Exists && (wrote || !w.known) { // else, and where this fails, the older one is true, too
		_ = writeMark(w.lock.f, s.markOf(s.Seq, w.generation))
	}
	return nil
}

// unlessLost is err, or that the lease was lost: then err may come of an old file.
func (w *writer) unlessLost(err error) error {
	if study.HasCode(err, study.PerhapsRecorded) {
		return err
	}
	if lost := w.lock.confirm(); lost != nil {
		return leaseLost(w.o, lost)
	}
	return err
}

// closeJournal closes the journal; network file systems may report earlier errors here.
func (w *writer) closeJournal() error {
	if w.f == nil {
		return nil
	}
	f := w.f
	w.f = nil
	return f.Close()
}

func (w *writer) close() {
	_ = w.closeJournal() // after a failure, which the caller reports
	if w.state != nil {
		w.state.held = nil
	}
	if w.memory != nil {
		if !w.sound {
			w.memory.state = nil
		}
		w.memory.mu.Unlock()
	}
	w.lock.release()
}
