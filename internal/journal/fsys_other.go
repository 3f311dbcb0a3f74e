//go:build !linux && !darwin && !windows

package journal

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"
)

// Open opens journals on systems without open-file-description locks, where locking is
// refused, so nothing is ever written there.
func (osFS) Open(name string, flag int, perm os.FileMode) (file, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return regular(f)
}

func (osFS) SyncDir(string) error { return nil }

// errNoLocks is why: a lock of the process, which is all that there is, is lost when
// any file of that name is closed.
var errNoLocks = fmt.Errorf("%s has no lock that belongs to an open file's byte: journals are only read here: %w",
	runtime.GOOS, errors.ErrUnsupported)

func (osFile) TryLock(int64) (bool, error) { return false, errNoLocks }
func (osFile) Unlock(int64) error          { return errNoLocks }
func (osFile) Locked(int64) (bool, error)  { return false, errNoLocks }

func (osFile) Like(file) error { return errors.ErrUnsupported }

var lockErrors []error

func fileSystemOf(string) (string, bool, error) { return "", false, errors.ErrUnsupported }

var start = time.Now()

func uptime() time.Duration { return time.Since(start) }
