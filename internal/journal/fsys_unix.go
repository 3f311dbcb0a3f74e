//go:build linux || darwin

package journal

import (
	"cmp"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// catchFileSize keeps a write beyond RLIMIT_FSIZE an error instead of the end of
// the process. Unlike ignoring the signal this is not inherited by commands.
var catchFileSize = sync.OnceFunc(func() { signal.Notify(make(chan os.Signal, 1), unix.SIGXFSZ) })

func (osFS) Open(name string, flag int, perm os.FileMode) (file, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		catchFileSize()
	}
	f, err := os.OpenFile(name, flag|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK, perm)
	if err != nil {
		if errors.Is(err, unix.ELOOP) {
			err = &os.PathError{Op: "open", Path: name, Err: errors.New("is a symbolic link, which is not followed here")}
		}
		return nil, err
	}
	return regular(f)
}

func (osFS) SyncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = cmp.Or(d.Sync(), d.Close())
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil // a file system that cannot sync directories has nothing to sync
	}
	return err
}

func (f osFile) Sync() error { return syncData(f.File) }

func (f osFile) TryLock(off int64) (bool, error) {
	return f.setLock(off, unix.F_WRLCK)
}

func (f osFile) Unlock(off int64) error {
	_, err := f.setLock(off, unix.F_UNLCK)
	return err
}

func (f osFile) setLock(off int64, typ int16) (bool, error) {
	l := unix.Flock_t{Type: typ, Whence: 0, Start: off, Len: 1}
	for {
		err := unix.FcntlFlock(f.Fd(), ofdSetLock, &l)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EACCES):
			return false, nil
		default:
			return false, os.NewSyscallError("fcntl", err)
		}
	}
}

func (f osFile) Locked(off int64) (bool, error) {
	l := unix.Flock_t{Type: unix.F_WRLCK, Whence: 0, Start: off, Len: 1}
	if err := unix.FcntlFlock(f.Fd(), ofdGetLock, &l); err != nil {
		return false, os.NewSyscallError("fcntl", err)
	}
	return l.Type != unix.F_UNLCK, nil
}

var lockErrors = []error{unix.EINVAL, unix.ENOLCK, unix.ENOSYS, unix.EOPNOTSUPP, unix.ENOTSUP}

func (f osFile) Like(other file) error {
	o, ok := other.(osFile)
	if !ok {
		return nil
	}
	st, err := o.Stat()
	if err != nil {
		return err
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(-1, int(sys.Gid)) // only into groups of one's own
	}
	return f.Chmod(st.Mode().Perm())
}

// uptime is the time since the machine started, sleep included.
func uptime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(uptimeClock, &ts); err != nil {
		panic("journal: no monotonic clock: " + err.Error())
	}
	return time.Duration(ts.Nano())
}
