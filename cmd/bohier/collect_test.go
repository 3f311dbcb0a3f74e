package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// A command in a hurry collects no garbage before it has used much, and as ever once it keeps
// much, within a third more than it keeps.
func TestCollectLater(t *testing.T) {
	was, limited := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetGCPercent(was)
	runtime.GC()
	enough := 4 * inUse()
	over := collectLater(enough, enough)
	defer func() { // the limit comes back with the last cleanup
		over()
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
		debug.SetMemoryLimit(limited)
	}()
	limit := func() int64 {
		for range 10 {
			runtime.GC()
			time.Sleep(10 * time.Millisecond) // the cleanup runs beside
			if now := debug.SetMemoryLimit(-1); now != enough {
				return now
			}
		}
		return enough
	}
	if now := limit(); now != enough {
		t.Errorf("a limit of %d with %d bytes in use, not %d", now, inUse(), enough)
	}
	kept := make([]byte, enough)
	if now, live := limit(), inUse(); now < live/100*132 || now > live/100*135 {
		t.Errorf("a limit of %d with %d bytes in use", now, live)
	}
	if percent := debug.SetGCPercent(100); percent != 100 {
		t.Errorf("afterwards %d %%", percent)
	}
	runtime.KeepAlive(kept)
}
