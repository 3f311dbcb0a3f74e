package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"bohier/internal/study"
)

// A CopyReport counts the lines of a Copy.
type CopyReport struct {
	Records  int      // in both journals now
	Added    int      // so many of them were not there before
	Sum      [32]byte // SHA-256 of the bytes of each
	Warnings []string
}

// Copy brings a journal's lines, byte for byte, into another place, from a file or a store into a file or a store. The
// other one must be absent or a beginning of this one, so that copying again adds the later records. An unfinished last
// line stays behind; line ends that something changed are as they were written.
func Copy(ctx context.Context, from, to Options) (*CopyReport, error) {
	from.bare, to.bare = true, true
	to = to.defaults()
	source := original{Options: from.defaults(), left: 1}
	if err := source.read(ctx); err != nil {
		return nil, err
	}
	if !source.state.Exists {
		return nil, study.Errorf(study.Usage, "", "there is no journal %s", source.Path)
	}
	rep := &CopyReport{}
	to.AnySpace, to.Space, to.Study, to.Lock = true, nil, nil, source.state.Lock
	to.Memory = &Memory{Own: true}
	for source.left > 0 {
		if _, err := to.update(ctx, &source, false); err != nil {
			return nil, err
		}
		rep.Added += source.part
	}
	to.Memory = nil // the copy is read once more, and it may be long
	there, _, _, err := to.content(ctx)
	if err != nil {
		return nil, err
	}
	rep.Records, rep.Sum, rep.Warnings = source.state.Seq, sha256.Sum256(source.text), source.warnings
	if !bytes.HasPrefix(there, source.text) {
		return nil, study.Errorf(study.NotRecorded, "Run the command again.", "%s was changed while it was copied", to.Path)
	}
	return rep, nil
}

// An original is the journal to copy, as it was read last. It is a choice: of the lines that the copy lacks.
type original struct {
	Options
	text     []byte
	state    *State
	warnings []string

	part int // records in the part that was copied last
	left int // bytes that came after it
}

func (o *original) read(ctx context.Context) (err error) {
	o.text, o.state, o.warnings, err = o.content(ctx)
	return err
}

// Lines is all that counts of a journal, each line with its newline; a journal that does
// not exist has none. With an error of code Damaged come the bytes as far as somewhat beyond the damage.
func Lines(ctx context.Context, o Options) ([]byte, error) {
	o = o.defaults()
	lines, _, _, err := o.content(ctx)
	return lines, err
}

// content is Lines with the state that they make, and warnings.
func (o *Options) content(ctx context.Context) ([]byte, *State, []string, error) {
	src, end, failed := o.source(ctx)
	switch {
	case errors.Is(failed, fs.ErrNotExist):
		src, failed = sourceOf(nil), nil
	case src == nil:
		return nil, nil, nil, failed
	default:
		defer end()
	}
	s, t, err := o.fold(src, 0)
	if err != nil { // the file may be endless
		t.end = min(src.size, src.at+window)
	}
	data, unread := stretch(src.r, 0, t.end)
	if err = cmp.Or(failed, err); unread != nil {
		return nil, nil, nil, readFailure(o, unread)
	} else if err != nil {
		return data, nil, nil, err
	}
	warnings := t.warnings(o)
	if t.torn() {
		warnings = append(warnings, fmt.Sprintf("%s: %d bytes of an unfinished last line stay behind", o.Path, t.size-t.end))
	}
	if t.warned { // by a program that changed line ends or added a byte order mark
		data = bytes.ReplaceAll(bytes.TrimPrefix(data, byteOrder), []byte("\r\n"), []byte("\n"))
	}
	if t.open {
		data = append(data, '\n')
	}
	return data, s, warnings, nil
}

// lines are the lines that a copy lacks: all lines or, in a store, where each part is a transaction, the first.
func (o *original) lines(ctx context.Context, to *Options, s *State, _ string, _ func(*framed) error) (f framed,
	err error) {
	if s.Seq > o.state.Seq { // another copy may have brought the later records
		if err := o.read(ctx); err != nil {
			return f, err
		}
	}
	same, both := 0, min(s.Seq, o.state.Seq)
	for same < both && s.sums[same] == o.state.sums[same] {
		same++
	}
	switch {
	case same < both:
		return f, study.Errorf(study.Damaged,
			"To bring the trials of one into the other: bohier journal merge "+study.ShellWord(o.Path)+
				" --journal "+study.ShellWord(to.Path),
			"%s and %s have forked: line %d differs", o.Path, to.Path, same+1)
	case both < s.Seq:
		return f, study.Errorf(study.Damaged,
			fmt.Sprintf("To restore them: bohier journal copy %s %s; to copy the rest: another name", study.ShellWord(to.Path),
				study.ShellWord(o.Path)),
			"%s has %s that %s lacks: the former went on, or the latter was rolled back", to.Path,
			study.Count(s.Seq-both, "record"), o.Path)
	}
	rest := o.text
	for range same {
		rest = rest[bytes.IndexByte(rest, '\n')+1:]
	}
	part := rest
	if f.lines = batches(rest); to.Store != nil && len(rest) > 0 {
		part, f.lines = f.lines[0], f.lines[:1]
	}
	o.part, o.left = bytes.Count(part, []byte("\n")), len(rest)-len(part)
	seq := s.Seq + o.part // their records were read in the original
	s.Exists, s.Run, s.Lock, s.Seq, s.sums = true, o.state.Run, o.state.Lock, seq, slices.Clip(o.state.sums[:seq])
	return f, nil
}

// batches cuts lines into parts of about a megabyte.
func batches(lines []byte) (parts [][]byte) {
	for len(lines) > 0 {
		end := len(lines)
		if end > maxLine {
			end = bytes.IndexByte(lines[maxLine-1:], '\n') + maxLine
		}
		parts, lines = append(parts, lines[:end]), lines[end:]
	}
	return parts
}

// Archive moves the journal aside, whole and checked, so that the study begins anew. to is the new name, empty for one
// with the run in it; the name it got is returned. Nothing is ever overwritten.
func Archive(ctx context.Context, o Options, to string) (string, error) {
	o = o.defaults()
	o.AnySpace, o.replaces = true, true
	if o.Store != nil {
		return o.archiveStore(ctx, to)
	}
	w, err := open(ctx, &o)
	if err != nil {
		return "", err
	}
	defer w.close()
	run := cmp.Or(w.state.Run, readMark(w.lock.f).Run) // perhaps archived by a process that was killed on the way
	to = cmp.Or(to, strings.TrimSuffix(o.Path, ".jsonl")+"."+run+".jsonl")
	// One name on some file systems, whatever its case: the link would be there already.
	if strings.EqualFold(fromRoot(to), fromRoot(o.Path)) {
		return "", study.Errorf(study.Usage, "Choose another name.", "%s is the journal's own name", to)
	}
	if !w.state.Exists {
		if s, _, err := Read(ctx, Options{Path: to, fs: o.fs, clock: o.clock}); err == nil && s.Exists &&
			s.Run == run {
			o.aside(s, to)
			if err := writeMark(w.lock.f, mark{}); err != nil {
				return to, perhapsRecorded(&o, err)
			}
			return to, nil
		}
		return "", study.Errorf(study.Usage, "", "there is no journal %s", o.Path)
	}
	if err := w.lock.valid(); err != nil {
		return "", err
	}
	err = o.keep(to, w.f)
	if errors.Is(err, fs.ErrExist) {
		return "", study.Wrap(study.Usage, err, "Choose another name.", "%s exists", to)
	}
	if err == nil {
		err = o.fs.SyncDir(filepath.Dir(to))
	}
	failpoint("before-remove")
	if err == nil {
		o.aside(w.state, to)
		err = w.unname()
	}
	failpoint("after-remove")
	if err != nil {
		return "", notRecorded(&o, err)
	}
	err = o.fs.SyncDir(filepath.Dir(o.Path))
	if err == nil {
		err = w.lock.confirm()
	}
	if err == nil { // last: by the mark an archive that ended before is known for one
		err = writeMark(w.lock.f, mark{})
	}
	if err != nil {
		return to, perhapsRecorded(&o, err)
	}
	return to, nil
}

func (o *Options) aside(s *State, to string) {
	if o.Aside != nil {
		o.Aside(s, to)
	}
}

// unname removes the journal's name, now that its file has another. Under a lease the name may
// lead to another file by now, with records that were acknowledged to others. An empty file
// therefore takes its place, by a name that disappears when the lease is broken.
func (w *writer) unname() error {
	l := w.lock.lease
	if l == nil {
		return w.o.fs.Remove(w.o.Path)
	}
	// An empty journal would contradict the mark and the marks that arrive late.
	if _, err := w.lock.newGeneration(); err != nil {
		return err
	}
	won, err := l.rename(newName, w.o.Path, func() bool { return l.fresh.At(w.o.Path) })
	if err == nil && !won {
		err = errLeaseBroken
	}
	return err
}
