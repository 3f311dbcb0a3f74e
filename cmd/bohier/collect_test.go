package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// A command in a hurry collects no garbage before it has used much, and as ever once it
// keeps much.
func TestCollectLater(t *testing.T) {
	was, limited := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	defer func() { debug.SetGCPercent(was); debug.SetMemoryLimit(limited) }()
	runtime.GC()
	enough := 4 * inUse()
	collectLater(enough, enough)
	asEver := func() bool {
		for range 10 {
			runtime.GC()
			time.Sleep(10 * time.Millisecond) // the cleanup runs beside
			if debug.SetMemoryLimit(-1) == math.MaxInt64 {
				return true
			}
		}
		return false
	}
	if asEver() {
		t.Errorf("collects as ever with %d bytes in use", inUse())
	}
	if limit := debug.SetMemoryLimit(-1); limit != enough {
		t.Errorf("a limit of %d", limit)
	}
	kept := make([]byte, enough)
	if !asEver() {
		t.Errorf("still waits with %d bytes in use", inUse())
	}
	if percent := debug.SetGCPercent(100); percent != 100 {
		t.Errorf("afterwards %d %%", percent)
	}
	runtime.KeepAlive(kept)
}
