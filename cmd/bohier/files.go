package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"bohier/internal/exchange"
	"bohier/internal/journal"
	"bohier/internal/space"
)

// maxInput is the largest size in bytes of a file of trials or points.
const maxInput = exchange.MaxInput

// readFile reads a text named by the user; - is stdin.
func (s call) readFile(name string) ([]byte, error) {
	data, err := s.readBytes(name)
	switch {
	case err != nil:
		return nil, err
	case !utf8.Valid(data):
		return nil, usage("save it as plain text in UTF-8", "%s is not UTF-8", shownFile(name))
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// readBytes reads a file of any kind.
func (s call) readBytes(name string) ([]byte, error) {
	data, err := untilEnded(s, func() ([]byte, error) {
		in, size := s.Stdin, int64(0)
		if name != "-" {
			f, err := os.Open(s.path(name))
			if err != nil && strings.HasPrefix(name, "{") {
				return nil, usage("write the object to standard input, and - in place of the file", "%s is no file", name)
			}
			if err != nil {
				return nil, usage("", "%v", err)
			}
			defer f.Close()
			if info, err := f.Stat(); err == nil {
				size = info.Size()
			}
			in = f
		}
		data := bytes.NewBuffer(make([]byte, 0, bytes.MinRead+min(size, maxInput)))
		_, err := data.ReadFrom(io.LimitReader(in, maxInput+1))
		if err != nil {
			err = usage("", "%v", err)
		}
		return data.Bytes(), err
	})
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxInput:
		return nil, usage("split it", "%s has more than %d MiB", shownFile(name), maxInput>>20)
	}
	return data, nil
}

func shownFile(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}

// readPoints reads configurations, one JSON object a line: the parameters, or an object that holds them under "params".
func readPoints(s call, sp *space.Space, file string) ([]space.Configuration, error) {
	data, err := s.readFile(file)
	if err != nil {
		return nil, err
	}
	var out []space.Configuration
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var wrapped struct {
			Params json.RawMessage `json:"params"`
		}
		_, isParameter := sp.Index("params")
		if json.Unmarshal(line, &wrapped) == nil && wrapped.Params != nil && !isParameter {
			line = wrapped.Params
		}
		c, err := sp.ParseJSON(line)
		if err != nil {
			return nil, usage("each line needs a JSON object with every active parameter", "%s:%d: %v", shownFile(file), n, err)
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, usage("", "%s holds no configurations", shownFile(file))
	}
	return out, nil
}

// An outFile is the FILE of --out; empty or - is standard output.
type outFile string

func (o outFile) stdout() bool { return o == "" || o == "-" }

// kind is the lower-case extension without its dot, which must be one of those
// known; a name without an extension has none. It refuses early each path that save would refuse.
func (o outFile) kind(s call, known ...string) (string, error) {
	if o.stdout() {
		return "", nil
	}
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(string(o)), "."))
	if kind != "" && !slices.Contains(known, kind) {
		return "", usage("end it in ."+strings.Join(known, ", ."), "%s: cannot write .%s", string(o), kind)
	}
	return kind, o.refuse(s)
}

// refuse reports why a file cannot be replaced: only regular files are, and no study file and no journal.
func (o outFile) refuse(s call) error {
	path := s.path(string(o))
	info, err := os.Lstat(path)
	if o.stdout() || err != nil { // writing tells
		return nil
	}
	if !info.Mode().IsRegular() {
		return usage("name another file, or write to standard output",
			"%s is no regular file: directories, links and devices are not replaced", string(o))
	}
	studyFile, _ := os.Stat(s.path(s.file()))
	text, _ := os.ReadFile(strings.TrimSuffix(path, ".lock")) // a lock is of its journal
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if _, ours := journal.Sum(line); ours || os.SameFile(info, studyFile) && s.command.Name() != "init" {
		return usage("name another file, or write to standard output",
			"%s is a journal, its lock or the study file, which are not replaced", string(o))
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

// saveAs saves the output of write.
func (o outFile) saveAs(s call, write func(io.Writer) error) error {
	if err := o.refuse(s); err != nil {
		return err
	}
	if err := replaceFile(s.path(string(o)), write); err != nil {
		return undelivered(fmt.Errorf("%s: %w", string(o), err))
	}
	return nil
}

// replaceFile writes a temporary file beside the named one and renames it. A file that was there keeps its permissions.
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
