package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// enoughMemory is what a command may use before garbage is collected: what one takes that knows
// some hundred trials.
const enoughMemory = 32 << 20

// mostMemory is what one may use that knows 100,000 trials.
const mostMemory = 280 << 20

// collectLater keeps the garbage collector from running, and from taking a fifth of the
// time, before so many bytes are in use; and again, as long as a collection leaves less
// than half of them in use. From then on it runs as it did, and more often where that
// keeps within most bytes: as long as a collection leaves less than four fifths of those in use.
func collectLater(enough, most int64) {
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, enough))
	var collected func(int)
	collected = func(int) {
		if live := inUse(); live >= most/5*4 {
			debug.SetGCPercent(percent)
			debug.SetMemoryLimit(limit)
			return
		} else if live >= enough/2 {
			debug.SetGCPercent(percent)
			debug.SetMemoryLimit(min(limit, most))
		}
		runtime.AddCleanup(new([64]byte), collected, 0)
	}
	runtime.AddCleanup(new([64]byte), collected, 0) // at the end of the first collection
}

// inUse is the number of bytes that the last collection left.
func inUse() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}
