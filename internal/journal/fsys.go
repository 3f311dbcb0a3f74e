package journal

import (
	"io"
	"os"
)

// A fileSystem is the few operations the journal's promises rest on, so that
// tests can fail or crash each of them.
type fileSystem interface {
	Open(name string, flag int, perm os.FileMode) (file, error) // never follows a symbolic link
	Link(old, new string) error                                 // fails if new exists
	Rename(old, new string) error
	Remove(name string) error
	SyncDir(name string) error
	LockKind(dir string) string // LockLease on network file systems
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

// readAll is the whole content of a file.
func readAll(f file) ([]byte, error) {
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	n, err := f.ReadAt(b, 0)
	if err == io.EOF {
		err = nil
	}
	return b[:n], err
}

// readFile opens, reads and closes a file.
func readFile(fs fileSystem, name string) ([]byte, error) {
	f, err := fs.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	b, err := readAll(f)
	f.Close() // read only: nothing can be lost
	return b, err
}

// readHead is up to n bytes from the beginning of a file.
func readHead(fs fileSystem, name string, n int) ([]byte, error) {
	f, err := fs.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing can be lost
	b := make([]byte, n)
	n, err = f.ReadAt(b, 0)
	if err == io.EOF {
		err = nil
	}
	return b[:n], err
}

// copyFile appends the content of one file to another and gives it its mode.
func copyFile(to, from file) error {
	size, err := from.Size()
	if err != nil {
		return err
	}
	b := make([]byte, min(size+1, 1<<20))
	for off := int64(0); ; {
		n, err := from.ReadAt(b, off)
		if err != nil && err != io.EOF {
			return err
		}
		if w, e := to.Write(b[:n]); e != nil {
			return e
		} else if w < n {
			return io.ErrShortWrite
		}
		if off += int64(n); err == io.EOF {
			return to.Like(from)
		}
	}
}

// createFile writes a new file, syncs it and closes it; on failure it is removed.
func createFile(fs fileSystem, name string, b []byte) error {
	f, err := fs.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = fill(f, b)
	if err != nil {
		_ = fs.Remove(name) // best effort: the first error is what matters
	}
	return err
}

// fill writes the content of a new file, syncs it and closes it.
func fill(f file, b []byte) error {
	failwrite("file", f, b)
	n, err := f.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
