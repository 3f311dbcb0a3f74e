package journal

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// Open shares a file with everybody, its removal included, as the journal's protocol has it on other systems.
func (osFS) Open(name string, flag int, perm os.FileMode) (file, error) {
	access := uint32(windows.GENERIC_READ)
	switch {
	case flag&os.O_APPEND != 0:
		access |= windows.FILE_APPEND_DATA | windows.FILE_WRITE_ATTRIBUTES
	case flag&(os.O_WRONLY|os.O_RDWR) != 0:
		access |= windows.GENERIC_WRITE
	}
	create := uint32(windows.OPEN_EXISTING)
	switch {
	case flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		create = windows.CREATE_NEW
	case flag&os.O_CREATE != 0:
		create = windows.OPEN_ALWAYS
	}
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	h, err := windows.CreateFile(path, access, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, create, windows.FILE_ATTRIBUTE_NORMAL|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	f := os.NewFile(uintptr(h), name)
	return regular(f)
}

// SyncDir does nothing: a directory cannot be synced, its entries are as durable as
// the file system's own log makes them.
func (osFS) SyncDir(string) error { return nil }

// Truncate opens the file once more: who may only append may not cut.
func (f osFile) Truncate(size int64) error {
	if !f.At(f.Name()) {
		return &os.PathError{Op: "truncate", Path: f.Name(), Err: errors.New("another file has its name")}
	}
	return os.Truncate(f.Name(), size)
}

// Like does nothing: a new file has the rights its directory hands down.
func (osFile) Like(file) error { return nil }

func (f osFile) TryLock(off int64) (bool, error) { return f.lock(off, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func (f osFile) lock(off int64, how uint32) (bool, error) {
	at := overlapped(off)
	err := windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, os.NewSyscallError("LockFileEx", err)
}

func (f osFile) Unlock(off int64) error {
	at := overlapped(off)
	err := windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_NOT_LOCKED) {
		return nil
	}
	return os.NewSyscallError("UnlockFileEx", err)
}

// Locked looks by a shared lock, which two who look at once both get.
func (f osFile) Locked(off int64) (bool, error) {
	free, err := f.lock(off, 0)
	if err != nil || !free {
		return err == nil, err
	}
	return false, f.Unlock(off)
}

func overlapped(off int64) windows.Overlapped {
	return windows.Overlapped{Offset: uint32(off), OffsetHigh: uint32(off >> 32)}
}

var lockErrors = []error{windows.ERROR_NOT_SUPPORTED, windows.ERROR_INVALID_FUNCTION}

// fileSystemOf is the name of the file system dir is on and whether other machines may share it.
func fileSystemOf(dir string) (name string, network bool, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", false, err
	}
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return "", false, err
	}
	var root, kind [windows.MAX_PATH + 1]uint16
	if err := windows.GetVolumePathName(path, &root[0], uint32(len(root))); err != nil {
		return "", false, os.NewSyscallError("GetVolumePathName", err)
	}
	if err := windows.GetVolumeInformation(&root[0], nil, 0, nil, nil, nil, &kind[0], uint32(len(kind))); err != nil {
		return "", false, os.NewSyscallError("GetVolumeInformation", err)
	}
	drive := windows.GetDriveType(&root[0])
	return windows.UTF16ToString(kind[:]),
		drive != windows.DRIVE_FIXED && drive != windows.DRIVE_REMOVABLE && drive != windows.DRIVE_RAMDISK, nil
}

// uptime is the time since the machine started, sleep included.
func uptime() time.Duration { return windows.DurationSinceBoot() }
