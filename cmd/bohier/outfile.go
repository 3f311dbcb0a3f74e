package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An outFile is the FILE of --out; empty or - is standard output.
type outFile string

func (o outFile) stdout() bool { return o == "" || o == "-" }

// kind is the lower-case extension without its dot, which must be one of those
// known; a name without an extension has none. It refuses early what save would
// refuse.
func (o outFile) kind(s call, known ...string) (string, error) {
	if o.stdout() {
		return "", nil
	}
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(string(o)), "."))
	if kind != "" && !slices.Contains(known, kind) {
		return "", usage("known: ."+strings.Join(known, " ."), "%s: cannot write .%s", string(o), kind)
	}
	return kind, o.refuse(s)
}

// refuse says why a file cannot be replaced: only regular files are.
func (o outFile) refuse(s call) error {
	if o.stdout() {
		return nil
	}
	info, err := os.Lstat(s.path(string(o)))
	switch {
	case err != nil: // not there, or said when it is written
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return usage("name the file itself, or remove the link", "%s is a symbolic link; nothing is written through one",
			string(o))
	case info.IsDir():
		return usage("name a file in it", "%s is a directory", string(o))
	case !info.Mode().IsRegular():
		return usage("leave --out away to write to standard output", "%s is not a regular file", string(o))
	}
	return nil
}

// save puts the content into the file at once: readers see the file before or the
// whole new one. It never writes through a link.
func (o outFile) save(s call, content []byte) error { return o.saveAs(s, contentOf(content)) }

func contentOf(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// saveAs is save of what write writes.
func (o outFile) saveAs(s call, write func(io.Writer) error) error {
	if err := o.refuse(s); err != nil {
		return err
	}
	if err := replaceFile(s.path(string(o)), write); err != nil {
		return undelivered(fmt.Errorf("%s: %w", string(o), err))
	}
	return nil
}

// replaceFile writes a temporary file beside the named one and renames it. A file
// that was there keeps its permissions.
func replaceFile(name string, write func(io.Writer) error) (err error) {
	old, statErr := os.Lstat(name)
	dir, base := filepath.Split(name)
	// less the process's mask
	f, err := os.OpenFile(filepath.Join(dir, "."+base+"."+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err = write(f); err == nil && statErr == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
