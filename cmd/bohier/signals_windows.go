package main

import (
	"os"
	"syscall"
)

// stopSignals are Ctrl-C and Ctrl-Break, and the end of the console or session.
var stopSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM}

// signalName is a signal as a manual has it, such as SIGINT.
func signalName(s syscall.Signal) string {
	if s == syscall.SIGTERM {
		return "SIGTERM"
	}
	return "SIGINT"
}
