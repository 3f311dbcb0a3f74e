package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bohier/internal/study"
)

// before is what comes before further records: the header, or a note of a changed study.
func before(s *State, o *Options, kind string) ([]Record, error) {
	switch {
	case !s.Exists:
		seed := o.Seed
		if seed == nil {
			seed = new(uint64)
			if err := binary.Read(o.rand, binary.LittleEndian, seed); err != nil {
				return nil, study.Wrap(study.Unexpected, err, "", "no randomness for a seed")
			}
		}
		h := Record{Kind: KindHeader, Bohier: formatOf(o.Study), MinReader: formatOf(o.Study), Run: o.nonce(16),
			Lock: kind, Seed: seed, Study: o.Study}
		if o.Space != nil {
			h.Space = o.Space.Fingerprint()
		}
		return []Record{h}, nil
	case studyChanged(s, o) && !o.adoptSpace:
		n := Record{Kind: KindNote, Note: "the study changed", Study: o.Study}
		if o.Seed != nil && *o.Seed != s.Seed {
			n.Seed = o.Seed
		}
		return []Record{n}, nil
	}
	return nil, nil
}

// formatOf is the format of a new journal for a study.
func formatOf(normal []byte) int {
	if member(normal, "fidelity") != nil {
		return withFidelity
	}
	return plainFormat
}

// draft writes a file that is to get the journal's name, synced, with room for what will be
// recorded for reserved numbers. Under a lease its own name is one that goes when the lease is broken.
func (l *lock) draft(lines [][]byte, reserved int) (name string, err error) {
	o := l.o
	var f file
	switch {
	case l.begun.file != nil:
		name, f = l.begun.name, l.begun.file
		l.begun.file = nil
	case l.lease != nil && l.lease.fresh != nil:
		name, f = l.lease.name(newName), l.lease.fresh
		l.lease.fresh = nil
	default:
		name = o.beside(".tmp-" + o.nonce(8))
		if f, err = o.fs.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
			return "", err
		}
	}
	if err = o.room(f, lines, reserved); err != nil {
		_ = f.Close() // nothing is in it
	} else {
		err = fill(f, lines...)
	}
	if err != nil {
		_ = o.fs.Remove(name) // best effort: the first error is what matters
	}
	return name, err
}

// A begunFile is a draft that is written in part; the file is nil where there is none.
type begunFile struct {
	name string
	file file
}

// spill writes lines of a part to the draft of a journal that does not exist, so that very many need not
// be in memory together. Under a lease they stay there.
func (w *writer) spill(f *framed) (err error) {
	l := w.lock
	if w.f != nil || l.lease != nil || len(f.reserved) > 0 {
		return nil
	}
	if l.begun.file == nil {
		l.begun.name = w.o.beside(".tmp-" + w.o.nonce(8))
		l.begun.file, err = w.o.fs.Open(l.begun.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err == nil {
		err = writeAll(l.begun.file, f.lines)
	}
	f.lines, f.spilled = nil, true
	return err
}

// giveUp removes a draft that was not finished.
func (l *lock) giveUp() {
	if f := l.begun.file; f != nil {
		l.begun.file = nil
		_ = errors.Join(f.Close(), l.o.fs.Remove(l.begun.name)) // it has no reader
	}
}

// create brings the journal into the world with its first lines: complete and
// on disk before the name exists, and never over another file.
// An empty file of that name is replaced.
func (w *writer) create(lines [][]byte, reserved int) error {
	o := w.o
	dir := filepath.Dir(o.Path)
	tmp, err := w.lock.draft(lines, reserved)
	if err != nil {
		return notRecorded(o, err)
	}
	if err := w.lock.valid(); err != nil {
		return errors.Join(err, o.fs.Remove(tmp))
	}
	failpoint("before-link")
	if w.f == nil {
		if err = o.fs.Link(tmp, o.Path); err != nil && sameFile(o.fs, tmp, o.Path) {
			err = nil // the reply was lost on its way
		}
	} else {
		err = o.fs.Rename(tmp, o.Path)
		_ = w.closeJournal() // the empty one, which nobody looks at any more
	}
	failpoint("after-link")
	_ = o.fs.Remove(tmp) // a leftover name does no harm
	if err != nil {
		return notRecorded(o, err)
	}
	if err := o.fs.SyncDir(dir); err != nil {
		return perhapsRecorded(o, err)
	}
	failpoint("after-create")
	return nil
}

// cut saves an unfinished last line beside the journal and removes it.
func (w *writer) cut() error {
	o := w.o
	if err := w.lock.valid(); err != nil {
		return err
	}
	rest := make([]byte, w.tail.size-w.tail.end)
	if n, err := w.f.ReadAt(rest, w.tail.end); err != nil && (!errors.Is(err, io.EOF) || n != len(rest)) {
		return readFailure(o, err)
	}
	name := fmt.Sprintf("%s.torn-%d", o.Path, w.state.Seq+1)
	create := func(to string) error { return createFile(o.fs, to, rest) }
	_, err := o.keepAs(name, create, func(to string) bool {
		there, err := readHead(o.fs, to, len(rest)+1)
		return err == nil && bytes.Equal(there, rest)
	})
	if err != nil {
		return notRecorded(o, err)
	}
	failpoint("before-cut")
	if err := w.f.Truncate(w.tail.end); err != nil {
		return notRecorded(o, err)
	}
	failpoint("after-cut")
	// On disk before anything is appended, or the two could come back mixed.
	if err := w.f.Sync(); err != nil {
		return perhapsRecorded(o, err)
	}
	w.tail.size = w.tail.end
	w.state.Torn = false
	return nil
}

// keepAs keeps something under a name, or under .2, .3, … if that is taken: create makes the
// file, and same reports whether one has the content already.
func (o *Options) keepAs(name string, create func(to string) error, same func(to string) bool) (string, error) {
	for i := 1; ; i++ {
		to := name
		if i > 1 {
			to = fmt.Sprintf("%s.%d", name, i)
		}
		err := create(to)
		switch {
		case err == nil, errors.Is(err, fs.ErrExist) && same(to):
			return to, o.fs.SyncDir(filepath.Dir(name))
		case !errors.Is(err, fs.ErrExist) || i == 1000:
			return "", err
		}
	}
}
