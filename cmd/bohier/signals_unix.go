//go:build unix

package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// stopSignals are those by which users, terminals and schedulers stop a program.
var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGXCPU}

// signalName is a signal as a manual has it, such as SIGINT.
func signalName(s syscall.Signal) string { return unix.SignalName(s) }
