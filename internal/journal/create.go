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
	"slices"

	"bohier/internal/study"
)

// complete puts the header, or a note of a changed study, before the records.
func (s *State) complete(o *Options, kind string, recs []Record) ([]Record, error) {
	switch {
	case !s.Exists:
		seed := o.Seed
		if seed == nil {
			seed = new(uint64)
			if err := binary.Read(o.rand, binary.LittleEndian, seed); err != nil {
				return nil, failure(study.Unexpected, err, "", "no randomness for a seed")
			}
		}
		h := Record{Kind: KindHeader, Bohier: formatOf(o.Study), MinReader: formatOf(o.Study), Run: o.nonce(16),
			Lock: kind, Seed: seed, Study: o.Study}
		if o.Space != nil {
			h.Space = o.Space.Fingerprint()
		}
		return append([]Record{h}, recs...), nil
	case s.studyChanged(o) && !o.adoptSpace:
		n := Record{Kind: KindNote, Note: "the study changed", Study: o.Study}
		if o.Seed != nil && *o.Seed != s.Seed {
			n.Seed = o.Seed
		}
		return append([]Record{n}, recs...), nil
	}
	return slices.Clone(recs), nil
}

// formatOf is the format of a new journal for a study.
func formatOf(normal []byte) int {
	if member(normal, "fidelity") != nil {
		return withFidelity
	}
	return plainFormat
}

func (l *lock) kind() string {
	if l.lease != nil {
		return LockLease
	}
	return LockPosix
}

// create brings the journal into the world with its first lines: complete and
// on disk before the name exists, and never over another file.
// An empty file of that name is replaced.
func (w *writer) create(lines [][]byte, reserved int) error {
	o := w.o
	dir := filepath.Dir(o.Path)
	if w.f != nil && w.lock.lease != nil {
		return w.createUnderLease(lines, reserved)
	}
	tmp := o.Path + ".tmp-" + o.nonce(8)
	f, err := o.fs.Open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return notRecorded(o, err)
	}
	if err := o.room(f, lines, reserved); err != nil {
		_ = f.Close()        // nothing is in it
		_ = o.fs.Remove(tmp) // a leftover name does no harm
		return notRecorded(o, err)
	}
	if err := fill(f, bytes.Join(lines, nil)); err != nil {
		_ = o.fs.Remove(tmp)
		return notRecorded(o, err)
	}
	failpoint("before-link")
	if w.f == nil {
		if err = o.fs.Link(tmp, o.Path); err != nil && sameFile(o.fs, tmp, o.Path) {
			err = nil // the reply was lost on its way
		}
	} else {
		err = o.fs.Rename(tmp, o.Path)
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

// createUnderLease puts the first lines in the place of an empty journal, unless the
// lease is broken.
func (w *writer) createUnderLease(lines [][]byte, reserved int) error {
	o := w.o
	if err := o.room(w.lock.lease.fresh, lines, reserved); err != nil {
		return notRecorded(o, err)
	}
	replace, err := w.lock.replacement(bytes.Join(lines, nil))
	if err != nil {
		return notRecorded(o, err)
	}
	if err := w.lock.valid(); err != nil {
		return errors.Join(err, replace(false))
	}
	if err := replace(true); err != nil {
		return notRecorded(o, err)
	}
	_ = w.closeJournal() // the empty one, which nobody looks at any more
	if err := o.fs.SyncDir(filepath.Dir(o.Path)); err != nil {
		return perhapsRecorded(o, err)
	}
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
	err := saveNew(o, name, rest)
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

// saveNew writes b to a new file; if the name is taken by the same bytes that
// will do, else .2, .3, … are tried.
func saveNew(o *Options, name string, b []byte) error {
	for i := 1; ; i++ {
		to := name
		if i > 1 {
			to = fmt.Sprintf("%s.%d", name, i)
		}
		err := createFile(o.fs, to, b)
		if err == nil {
			return o.fs.SyncDir(filepath.Dir(name))
		}
		if !errors.Is(err, fs.ErrExist) || i == 1000 {
			return err
		}
		if old, e := readHead(o.fs, to, len(b)+1); e == nil && bytes.Equal(old, b) {
			return nil
		}
	}
}
