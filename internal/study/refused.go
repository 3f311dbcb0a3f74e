package study

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// scarce are the errors of a system that has nothing left of what was asked for: files,
// processes, memory, disk.
var scarce = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM, syscall.ENOSPC,
	syscall.EDQUOT, syscall.EFBIG, syscall.EIO}

// Refused reports whether an error is a refusal of the system, which neither the study nor
// the command is to blame for: something is used up, or the null device is not there.
func Refused(err error) bool {
	var errno syscall.Errno
	var path *fs.PathError
	return errors.As(err, &errno) && slices.Contains(scarce, errno) || errors.As(err, &path) && path.Path == os.DevNull
}

// Denied reports whether the system does not allow what was to be done with a file; a
// program that may not be run is not such a file.
func Denied(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Op != "fork/exec" &&
		(errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS))
}
