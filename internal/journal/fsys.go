package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"bohier/internal/study"
)

// A fileSystem is the few operations the journal's promises rest on, so that tests can fail or crash each of them.
type fileSystem interface {
	Open(name string, flag int, perm os.FileMode) (file, error) // never follows a symbolic link
	Link(old, new string) error                                 // fails if new exists
	Rename(old, new string) error
	Remove(name string) error
	SyncDir(name string) error
	List(prefix string) ([]entry, error) // the files whose paths begin so, of one directory
	LockKind(dir string) string          // LockLease on network file systems
}

// A file is an open file description.
type file interface {
	io.ReaderAt
	io.Writer // at the end, whatever others did
	WriteAt(b []byte, off int64) (int, error)
	Truncate(size int64) error
	Sync() error // data and size, not times
	Size() (int64, error)
	TryLock(off int64) (bool, error) // takes byte off unless another description has it
	Unlock(off int64) error
	Locked(off int64) (bool, error) // by another description
	At(name string) bool            // whether name still leads to this file
	Like(other file) error          // takes the mode, and as far as allowed the group, of other
	Close() error
}

// osFS is the operating system's file system; differences between systems are in fsys_*.go.
type osFS struct{}

func (osFS) Link(old, new string) error   { return os.Link(old, new) }
func (osFS) Rename(old, new string) error { return os.Rename(old, new) }
func (osFS) Remove(name string) error     { return os.Remove(name) }

func (osFS) LockKind(dir string) string {
	if _, network, err := fileSystemOf(dir); err != nil || network {
		return LockLease
	}
	return LockPosix
}

func (osFS) List(prefix string) ([]entry, error) {
	dir := filepath.Dir(prefix)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []entry
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			out = append(out, entry{name, info.ModTime()})
		}
	}
	return out, nil
}

type osFile struct{ *os.File }

// regular is an opened file, unless it is something else than a file of bytes.
func regular(f *os.File) (file, error) {
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		f.Close()
		if err == nil {
			err = &os.PathError{Op: "open", Path: f.Name(), Err: errors.New("not a regular file")}
		}
		return nil, err
	}
	return osFile{f}, nil
}

func (f osFile) Size() (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

func (f osFile) At(name string) bool {
	a, errA := f.Stat()
	b, errB := os.Lstat(name)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// readHead is up to n bytes from the beginning of a file.
func readHead(fs fileSystem, name string, n int) ([]byte, error) {
	f, err := fs.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing can be lost
	return io.ReadAll(io.NewSectionReader(f, 0, int64(n)))
}

// contentOf is all that a file holds, to be read once.
func contentOf(f file) io.Reader { return io.NewSectionReader(f, 0, math.MaxInt64) }

// stretch is the content of a file between two places.
func stretch(f io.ReaderAt, from, to int64) ([]byte, error) {
	b := make([]byte, to-from)
	_, err := io.ReadFull(io.NewSectionReader(f, from, to-from), b)
	return b, err
}

// copyFile appends the content of one file to another and gives it its mode.
func copyFile(to, from file) error {
	// A writer alone: short writes are errors, and every byte goes through Write.
	if _, err := io.Copy(struct{ io.Writer }{to}, contentOf(from)); err != nil {
		return err
	}
	return to.Like(from)
}

// sameFile reports whether two names lead to one file.
func sameFile(fs fileSystem, a, b string) bool {
	f, err := fs.Open(a, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close() // read only: nothing can be lost
	return f.At(b)
}

// sameContent reports whether a file holds the same bytes as another one.
func sameContent(fs fileSystem, name string, as file) bool {
	f, err := fs.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close() // read only: nothing can be lost
	a, b := sha256.New(), sha256.New()
	_, err1 := io.Copy(a, contentOf(f))
	_, err2 := io.Copy(b, contentOf(as))
	return err1 == nil && err2 == nil && bytes.Equal(a.Sum(nil), b.Sum(nil))
}

// createFile makes a new file of the output of put, synced; on failure it is removed.
func createFile(fs fileSystem, name string, put func(f file) error) error {
	f, err := fs.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	if err = syncAndClose(f, put(f)); err != nil {
		_ = fs.Remove(name) // best effort: the first error counts
	}
	return err
}

// syncAndClose syncs a file that was written without an error, and closes it.
func syncAndClose(f file, err error) error {
	if err == nil {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

// writeAll writes the content of a file, each of the lines by one write.
func writeAll(f file, lines [][]byte) error {
	for _, text := range lines {
		failwrite("file", f, text)
		if n, err := f.Write(text); err != nil || n < len(text) {
			return cmp.Or(err, io.ErrShortWrite)
		}
	}
	return nil
}

// FileSystem describes a directory's abilities for a journal.
type FileSystem struct {
	Schema      string        `json:"schema"`
	OK          bool          `json:"ok"`
	Dir         string        `json:"dir"`
	Type        string        `json:"type"`
	Network     bool          `json:"network"`  // other machines may share it
	Lock        string        `json:"lock"`     // kind a new journal gets here
	Locks       bool          `json:"locks"`    // open-file-description locks exclude other descriptions
	Links       bool          `json:"links"`    // link(2) creates a name once
	SyncDir     bool          `json:"sync_dir"` // directories can be synced
	Sync        time.Duration `json:"-"`        // median cost of one append and fdatasync
	SyncSeconds float64       `json:"sync_seconds"`
	Problems    []string      `json:"problems"`
	Experiment  []string      `json:"-"` // two lines to run on two hosts, when Network
}

// DescribeFS tries the operations of a journal in dir, with temporary files that it removes.
func DescribeFS(ctx context.Context, dir string) (*FileSystem, error) {
	dir = resolve(dir)
	d := &FileSystem{Schema: "bohier/doctor/1", Dir: dir, Lock: osFS{}.LockKind(dir), Problems: []string{}}
	var err error
	if d.Type, d.Network, err = fileSystemOf(dir); err != nil {
		return nil, study.Wrap(study.Usage, err, "", "%s cannot be examined", dir)
	}
	tmp, err := os.MkdirTemp(dir, ".bohier-doctor-")
	if err != nil {
		return nil, study.Wrap(study.NotRecorded, err, "", "nothing can be written in %s", dir)
	}
	defer os.RemoveAll(tmp)
	needs := func(ok bool, format string, args ...any) bool {
		if !ok {
			d.Problems = append(d.Problems, fmt.Sprintf(format, args...))
		}
		return ok
	}
	name := filepath.Join(tmp, "probe")
	locks, err := probeLocks(name)
	d.Locks = needs(locks, "locks do not work: %v", err)
	d.Links = needs(os.Link(name, name+".link") == nil && os.Link(name, name+".link") != nil,
		"hard links do not work: no journal can be created here")
	err = osFS{}.SyncDir(tmp)
	d.SyncDir = needs(err == nil, "directories cannot be synced: %v", err)
	d.Sync, err = probeSync(ctx, name)
	if study.Refused(err) && !errors.Is(err, syscall.EIO) { // a full disk says nothing of its locks
		return nil, study.Wrap(study.NotRecorded, err, "", "nothing can be written in %s", dir)
	}
	needs(err == nil, "sync fails: %v", err)
	d.OK, d.SyncSeconds = len(d.Problems) == 0, d.Sync.Seconds()
	if d.Network {
		at := study.ShellWord(filepath.Join(dir, "probe.journal.jsonl"))
		d.Experiment = []string{
			"on both hosts at once: for i in $(seq 100); do bohier suggest --journal " + at + " -o id; done > $(hostname).ids",
			"then anywhere: sort *.ids | uniq -d   # must print nothing",
		}
	}
	return d, nil
}

// probeLocks reports whether a second description of a file is kept out.
func probeLocks(name string) (bool, error) {
	var f [2]file
	for i := range f {
		var err error
		if f[i], err = (osFS{}).Open(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return false, err
		}
		defer f[i].Close()
	}
	first, err := f[0].TryLock(lockByte)
	if err != nil || !first {
		return false, err
	}
	second, err := f[1].TryLock(lockByte)
	return err == nil && !second, err
}

// probeSync is the median cost of an append with its sync.
func probeSync(ctx context.Context, name string) (time.Duration, error) {
	f, err := osFS{}.Open(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var times []time.Duration
	c := systemClock{}
	for range 15 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		start := c.Now()
		if _, err := f.Write(make([]byte, 300)); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		times = append(times, c.Now()-start)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}
