package main

import (
	"runtime"
	"runtime/debug"
)

// enoughMemory is what a command in a hurry may use before garbage is collected: what a
// suggestion from some 10,000 trials takes.
const enoughMemory = 64 << 20

// collectLater keeps the garbage collector from running, and from taking a fifth of the
// time, before that much memory is in use. From then on it runs as it did.
func collectLater() {
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, enoughMemory))
	runtime.AddCleanup(new([64]byte), func(int) { // at the end of the first collection
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, 0)
}
