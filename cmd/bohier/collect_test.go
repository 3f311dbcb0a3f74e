package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// A command in a hurry collects no garbage at first, and as ever from the first time on.
func TestCollectLater(t *testing.T) {
	was, limited := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	defer func() { debug.SetGCPercent(was); debug.SetMemoryLimit(limited) }()
	collectLater()
	if limit := debug.SetMemoryLimit(-1); limit != enoughMemory {
		t.Errorf("a limit of %d", limit)
	}
	for range 100 {
		runtime.GC()
		if debug.SetMemoryLimit(-1) == math.MaxInt64 {
			break
		}
		time.Sleep(10 * time.Millisecond) // the cleanup runs beside
	}
	if percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1); percent != 100 || limit != math.MaxInt64 {
		t.Errorf("afterwards %d %%, %d bytes", percent, limit)
	}
}
