package journal

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"bohier/internal/study"
)

// Archive moves the journal aside, whole and checked, so that the study begins
// anew. to is the new name, empty for one with the run in it; the name it got is
// returned. Nothing is ever overwritten.
func Archive(ctx context.Context, o Options, to string) (string, error) {
	o = o.defaults()
	o.adoptSpace, o.replaces = true, true
	if o.Store != nil {
		return o.archiveStore(ctx, to)
	}
	w, err := open(ctx, &o)
	if err != nil {
		return "", err
	}
	defer w.close()
	run := w.state.Run
	if !w.state.Exists {
		if m := readMark(w.lock.f); m.Run != "" {
			run = m.Run // perhaps archived by a process that was killed on the way
		}
	}
	if to == "" {
		to = strings.TrimSuffix(o.Path, ".jsonl") + "." + run + ".jsonl"
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
	err = o.fs.Link(o.Path, to)
	if err == nil && w.lock.lease != nil && !w.f.At(to) { // the lease is broken, and the name leads to another file
		return "", notRecorded(&o, errors.Join(errLeaseBroken, o.fs.Remove(to)))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = createCopy(o.fs, to, w.f) // another file system, or one without hard links
	}
	if errors.Is(err, fs.ErrExist) && sameContent(o.fs, to, w.f) {
		err = nil // archived before, by a process that was killed on the way
	}
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
