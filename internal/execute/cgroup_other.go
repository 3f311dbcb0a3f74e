//go:build !linux

package execute

import (
	"os"
	"syscall"
)

// Control groups are of Linux alone.
func cgroupParent() string { return "" }

func begin(*syscall.SysProcAttr, *os.File) {}

// pidSpace names the set of processes that this one can see: there is one.
func pidSpace() string { return "" }

// A process that leaves the group of a trial's command is on its own here, or its end is the
// system's business (see adoptOrphans).
func killStrays(string) {}

func killMarked(_, _ string) bool { return false }
