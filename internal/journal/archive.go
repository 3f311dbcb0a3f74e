package journal

import (
	"bytes"
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
	o.adoptSpace = true
	w, err := open(ctx, &o)
	if err != nil {
		return "", err
	}
	defer w.close()
	run := w.state.Header.Run
	if !w.state.Exists {
		if m, _ := readMark(w.lock.f); m.run != "" {
			run = m.run // perhaps archived by a process that was killed on the way
		}
	}
	if to == "" {
		to = strings.TrimSuffix(o.Path, ".jsonl") + "." + run + ".jsonl"
	}
	if !w.state.Exists {
		if s, _, err := Read(ctx, Options{Path: to, fs: o.fs, clock: o.clock}); err == nil && s.Exists && s.Header.Run == run {
			o.aside(s, to)
			writeMark(w.lock.f, mark{})
			return to, nil
		}
		return "", study.Errorf(study.Usage, "", "there is no journal %s", o.Path)
	}
	if err := w.lock.valid(); err != nil {
		return "", err
	}
	data, err := readAll(w.f)
	if err != nil {
		return "", readFailure(&o, err)
	}
	err = o.fs.Link(o.Path, to)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = createFile(o.fs, to, data) // another file system, or one without hard links
	}
	if errors.Is(err, fs.ErrExist) {
		if there, e := readFile(o.fs, to); e == nil && bytes.Equal(there, data) {
			err = nil // archived before, by a process that was killed on the way
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return "", failure(study.Usage, err, "Choose another name.", "%s exists", to)
	}
	if err == nil {
		err = o.fs.SyncDir(filepath.Dir(to))
	}
	failpoint("before-remove")
	if err == nil {
		o.aside(w.state, to)
		err = o.fs.Remove(o.Path)
	}
	failpoint("after-remove")
	if err != nil {
		return "", notRecorded(&o, err)
	}
	writeMark(w.lock.f, mark{})
	if err := o.fs.SyncDir(filepath.Dir(o.Path)); err != nil {
		return to, perhapsRecorded(&o, err)
	}
	return to, nil
}

func (o *Options) aside(s *State, to string) {
	if o.Aside != nil {
		o.Aside(s, to)
	}
}
