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

// createFile writes a new file, syncs it and closes it; on failure it is removed.
func createFile(fs fileSystem, name string, b []byte) error {
	f, err := fs.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
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
	if err != nil {
		_ = fs.Remove(name) // best effort: the first error is what matters
	}
	return err
}
