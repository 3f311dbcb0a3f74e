package main

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// A process that answers requests for days keeps nothing of those it has answered.
func TestServedRequestsAreForgotten(t *testing.T) {
	in := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	serve := func(requests int) {
		code := runProgram(t.Context(), streams{
			Stdin: strings.NewReader(strings.Repeat("{\"verb\":\"version\"}\n", requests)), Stdout: io.Discard,
			Stderr: io.Discard,
			Dir:    t.TempDir(), Env: func(string) (string, bool) { return "", false },
		}, []string{"serve", "--stdio"})
		if code != 0 {
			t.Fatal("exit code", code)
		}
	}
	serve(1)
	before := in()
	serve(100)
	if after := in(); after > before+1<<20 {
		t.Errorf("100 requests left %d KiB behind", (after-before)>>10)
	}
}
