//go:build linux || darwin

package journal

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// osFS is the operating system's file system.
type osFS struct{}

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
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		f.Close()
		if err == nil {
			err = &os.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
		}
		return nil, err
	}
	return osFile{f}, nil
}

func (osFS) Link(old, new string) error          { return os.Link(old, new) }
func (osFS) List(prefix string) ([]entry, error) { return listFiles(prefix) }

func (osFS) Rename(old, new string) error { return os.Rename(old, new) }
func (osFS) Remove(name string) error     { return os.Remove(name) }

func (osFS) SyncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	if e := d.Close(); err == nil {
		err = e
	}
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil // a file system that cannot sync directories has nothing to sync
	}
	return err
}

type osFile struct{ *os.File }

func (f osFile) Sync() error { return syncData(f.File) }

func (f osFile) Size() (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

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

// unsupported reports whether a lock error means that locks do not exist here, as
// opposed to a passing failure.
func unsupported(err error) bool {
	for _, e := range []error{unix.EINVAL, unix.ENOLCK, unix.ENOSYS, unix.EOPNOTSUPP, unix.ENOTSUP} {
		if errors.Is(err, e) {
			return true
		}
	}
	return errors.Is(err, errors.ErrUnsupported)
}

func (f osFile) At(name string) bool {
	a, errA := f.Stat()
	b, errB := os.Lstat(name)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

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
