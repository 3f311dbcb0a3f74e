//go:build !linux && !darwin && !windows

package journal

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"
)

// osFS reads journals on systems without open-file-description locks; it
// refuses to lock, so nothing is ever written there.
type osFS struct{}

func (osFS) Open(name string, flag int, perm os.FileMode) (file, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osFS) Link(old, new string) error          { return os.Link(old, new) }
func (osFS) List(prefix string) ([]entry, error) { return listFiles(prefix) }

func (osFS) Rename(old, new string) error { return os.Rename(old, new) }
func (osFS) Remove(name string) error     { return os.Remove(name) }
func (osFS) SyncDir(string) error         { return nil }
func (osFS) LockKind(string) string       { return LockPosix }

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// errNoLocks is why: a lock of the process, which is all that there is, is lost when
// any file of that name is closed.
var errNoLocks = fmt.Errorf("%s has no lock that belongs to an open file's byte: journals are only read here: %w", runtime.GOOS, errors.ErrUnsupported)

func (osFile) TryLock(int64) (bool, error) { return false, errNoLocks }
func (osFile) Unlock(int64) error          { return errNoLocks }
func (osFile) Locked(int64) (bool, error)  { return false, errNoLocks }

func (osFile) Like(file) error { return errors.ErrUnsupported }

func unsupported(err error) bool { return errors.Is(err, errors.ErrUnsupported) }

func fileSystemOf(string) (string, bool, error) { return "", false, errors.ErrUnsupported }

var start = time.Now()

func uptime() time.Duration { return time.Since(start) }

func (f osFile) At(name string) bool {
	a, errA := f.Stat()
	b, errB := os.Lstat(name)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
