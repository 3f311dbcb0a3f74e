package journal

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	ofdGetLock = unix.F_OFD_GETLK
	ofdSetLock = unix.F_OFD_SETLK

	uptimeClock = unix.CLOCK_BOOTTIME
)

func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if err != unix.EINTR {
			return os.NewSyscallError("fdatasync", err)
		}
	}
}

// Room makes sure that the file can grow to size: it fails where the disk, a quota or the file-size limit leaves no
// room. The room that it takes stays beyond the file's end. File systems that do not report it have room.
func (f osFile) Room(size int64) error {
	full := func(err error) error { return &os.PathError{Op: "write", Path: f.Name(), Err: err} }
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_FSIZE, &limit) == nil && uint64(size) > limit.Cur {
		return full(unix.EFBIG)
	}
	for {
		err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, size)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT), errors.Is(err, unix.EFBIG):
			return full(err)
		default:
			return nil // the write will report any other fault
		}
	}
}

// fileSystems names file systems by the magic number of statfs(2).
var fileSystems = map[uint32]struct {
	name    string
	network bool
}{
	0xEF53: {"ext4", false}, 0x58465342: {"xfs", false}, 0x9123683E: {"btrfs", false},
	0x01021994: {"tmpfs", false}, 0x794C7630: {"overlayfs", false}, 0x2FC12FC1: {"zfs", false},
	0xF2F52010: {"f2fs", false}, 0x4D44: {"vfat", false}, 0x2011BAB0: {"exfat", false},
	0x6969: {"nfs", true}, 0xFF534D42: {"cifs", true}, 0xFE534D42: {"smb2", true}, 0x517B: {"smb", true},
	0x0BD00BD0: {"lustre", true}, 0x47504653: {"gpfs", true}, 0x19830326: {"beegfs", true},
	0x00C36400: {"ceph", true}, 0x01161970: {"gfs2", true}, 0x7461636F: {"ocfs2", true},
	0x5346414F: {"afs", true}, 0x65735546: {"fuse", true}, 0x01021997: {"9p", true},
	0xAAD7AAEA: {"panfs", true}, 0x73757245: {"coda", true}, 0x786F4256: {"vboxsf", true},
}

// fileSystemOf is the name of the file system dir is on and whether other
// machines may share it. FUSE counts as shared: the file system behind it is unknown.
func fileSystemOf(dir string) (name string, network bool, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return "", false, os.NewSyscallError("statfs", err)
	}
	magic := uint32(st.Type)
	if k, ok := fileSystems[magic]; ok {
		return k.name, k.network, nil
	}
	return fmt.Sprintf("unknown (0x%x)", magic), true, nil
}
