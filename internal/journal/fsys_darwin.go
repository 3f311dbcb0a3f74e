package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// The numbers of xnu's bsd/sys/fcntl.h.
const (
	ofdSetLock = 90
	ofdGetLock = 92

	uptimeClock = unix.CLOCK_MONOTONIC // counts sleep on this system
)

// syncData asks the drive to write its cache, which fsync alone does not.
func syncData(f *os.File) error {
	if _, err := unix.FcntlInt(f.Fd(), unix.F_FULLFSYNC, 0); err == nil {
		return nil
	}
	return os.NewSyscallError("fsync", unix.Fsync(int(f.Fd())))
}

// fileSystemOf is the name of the file system dir is on and whether other machines may share it.
func fileSystemOf(dir string) (name string, network bool, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return "", false, os.NewSyscallError("statfs", err)
	}
	return unix.ByteSliceToString(st.Fstypename[:]), st.Flags&unix.MNT_LOCAL == 0, nil
}
