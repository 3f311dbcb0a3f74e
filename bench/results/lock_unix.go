//go:build unix

package results

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps other programs out until f is closed.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
