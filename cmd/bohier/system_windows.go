package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// nowhere reports whether nobody can read the bytes written to f: here a closed output has no handle.
func nowhere(f *os.File) bool {
	h := windows.Handle(f.Fd())
	return h == 0 || h == windows.InvalidHandle
}

func startPoller() error { return nil }

// stopSignals are Ctrl-C and Ctrl-Break, and the end of the console or session.
var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM}

// signalName is a signal as a manual has it, such as SIGINT.
func signalName(s syscall.Signal) string {
	if s == syscall.SIGTERM {
		return "SIGTERM"
	}
	return "SIGINT"
}
