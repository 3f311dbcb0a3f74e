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
	o.adoptSpace = true
	w, err := open(ctx, &o)
	if err != nil {
		return "", err
	}
	defer w.close()
	if !w.state.Exists {
		return "", study.Errorf(study.Usage, "", "there is no journal %s", o.Path)
	}
	if to == "" {
		to = strings.TrimSuffix(o.Path, ".jsonl") + "." + w.state.Header.Run + ".jsonl"
	}
	if err := w.lock.valid(); err != nil {
		return "", err
	}
	err = o.fs.Link(o.Path, to)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// Another file system, or one without hard links.
		var data []byte
		if data, err = readAll(w.f); err == nil {
			err = createFile(o.fs, to, data)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return "", failure(study.Usage, err, "Choose another name.", "%s exists", to)
	}
	if err == nil {
		err = o.fs.SyncDir(filepath.Dir(to))
	}
	if err == nil {
		err = o.fs.Remove(o.Path)
	}
	if err != nil {
		return "", notRecorded(&o, err)
	}
	writeMark(w.lock.f, mark{})
	if err := o.fs.SyncDir(filepath.Dir(o.Path)); err != nil {
		return to, perhapsRecorded(&o, err)
	}
	return to, nil
}
