package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bohier/internal/study"
)

// before are the lines before further records: the header, or a note of a changed study.
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
	case studyChanged(s, o) && !o.AnySpace:
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

// A draft is a file that is to get the journal's name; the file is nil where there is none.
type draft struct {
	name string
	file file
}

// begin opens the draft. Under a lease its own name is one that goes when the lease is broken.
func (l *lock) begin() (err error) {
	switch o, d := l.o, &l.draft; {
	case d.file != nil:
	case l.lease != nil && l.lease.fresh != nil:
		d.name, d.file = l.lease.name(newName), l.lease.fresh
		l.lease.fresh = nil
	default:
		d.name = o.Path + ".tmp-" + o.nonce(8)
		d.file, err = o.fs.Open(d.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	return err
}

// finish ends the draft with lines, synced, with room for the records of reserved numbers.
func (l *lock) finish(lines [][]byte, reserved int) (name string, err error) {
	if err := l.begin(); err != nil {
		return "", err
	}
	d := l.draft
	l.draft.file = nil
	if err = l.o.room(d.file, lines, reserved); err == nil {
		err = writeAll(d.file, lines)
	}
	if err = syncAndClose(d.file, err); err != nil {
		_ = l.o.fs.Remove(d.name) // best effort: the first error counts
	}
	return d.name, err
}

// spill writes lines of a part to the draft of a journal that does not exist, so that very many need not
// be in memory together. Under a lease they stay there.
func (w *writer) spill(f *framed) error {
	l := w.lock
	if w.f != nil || l.lease != nil || len(f.reserved) > 0 {
		return nil
	}
	err := l.begin()
	if err == nil {
		err = writeAll(l.draft.file, f.lines)
	}
	f.lines, f.spilled = f.lines[:0], true
	return err
}

// create brings the journal into the world with its first lines: complete and on disk before the name exists, and never
// over another file. An empty file of that name is replaced.
func (w *writer) create(lines [][]byte, reserved int) error {
	o := w.o
	dir := filepath.Dir(o.Path)
	tmp, err := w.lock.finish(lines, reserved)
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
	rest, err := stretch(w.f, w.tail.end, w.tail.size)
	if err != nil {
		return readFailure(o, err)
	}
	name := fmt.Sprintf("%s.torn-%d", o.Path, w.state.Seq+1)
	_, err = o.keepAs(name, func(to string) error {
		err := createFile(o.fs, to, func(f file) error { return writeAll(f, [][]byte{rest}) })
		if there, e := readHead(o.fs, to, len(rest)+1); e == nil && bytes.Equal(there, rest) {
			return nil
		}
		return err
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

// keepAs keeps something under a name, or under .2, .3, … if that is taken: keep makes the
// file, unless it has the content already.
func (o *Options) keepAs(name string, keep func(to string) error) (string, error) {
	for i := 1; ; i++ {
		to := name
		if i > 1 {
			to = fmt.Sprintf("%s.%d", name, i)
		}
		switch err := keep(to); {
		case err == nil:
			return to, o.fs.SyncDir(filepath.Dir(name))
		case !errors.Is(err, fs.ErrExist) || i == 1000:
			return "", err
		}
	}
}

// keep gives a file that has or had the journal's name another one: by a link, else by a copy.
func (o *Options) keep(to string, f file) error {
	err := o.fs.Link(o.Path, to)
	if err == nil && !f.At(to) { // the lease is broken, and the name led to another file
		return errors.Join(errLeaseBroken, o.fs.Remove(to))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) { // another file system, or one without hard links
		err = createFile(o.fs, to, func(copy file) error { return copyFile(copy, f) })
	}
	if errors.Is(err, fs.ErrExist) && sameContent(o.fs, to, f) {
		err = nil // kept before, by a process that was killed on the way
	}
	return err
}
