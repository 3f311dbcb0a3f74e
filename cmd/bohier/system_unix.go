//go:build unix

package main

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"bohier/internal/study"
)

// nowhere reports whether nobody can read the bytes written to f. A file descriptor that is closed when the program
// starts is opened by Go's runtime, as /dev/null for reading and writing, before any code of this program runs, so a
// closed output looks like that. A shell's > /dev/null is open for writing only. Programs that open /dev/null for both,
// as Python's subprocess.DEVNULL does, cannot be told from a closed output, so nothing but a suggestion, which would be
// lost in both cases, may depend on the answer.
func nowhere(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}

// startPoller starts the poller of Go's runtime, or fails where the system grants no file descriptors for it: the
// runtime itself would end the program with a stack trace.
func startPoller() error {
	var two [2]int
	if err := unix.Pipe(two[:]); err != nil {
		return study.Wrap(study.NotRecorded, err, "", "no file can be opened")
	}
	_, _ = unix.Close(two[0]), unix.Close(two[1])
	time.AfterFunc(time.Hour, func() {}).Stop() // any timer starts it
	return nil
}

// stopSignals are those by which users, terminals and schedulers stop a program.
var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGXCPU}

// signalName is a signal as a manual has it, such as SIGINT.
func signalName(s syscall.Signal) string { return unix.SignalName(s) }
