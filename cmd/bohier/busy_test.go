package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// told is a writer that tells of every write.
type told struct {
	bytes.Buffer
	writes chan struct{}
}

func (w *told) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	w.writes <- struct{}{}
	return n, err
}

// What takes its time says so on a terminal, and leaves nothing there; what is done
// at once says nothing, and so does everything without a terminal.
func TestBusy(t *testing.T) {
	w := &told{writes: make(chan struct{}, 10)}
	done := busy(w, "fitting the surrogate to 500 trials", 0, time.Hour)
	<-w.writes
	done()
	if got := w.String(); !strings.Contains(got, "fitting the surrogate to 500 trials … 0 s") ||
		!strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("%q", got)
	}
	w = &told{writes: make(chan struct{}, 10)}
	if busy(w, "x", time.Hour, time.Hour)(); w.Len() > 0 {
		t.Errorf("%q", w.String())
	}
	busy(nil, "x", 0, time.Hour)()

	s := streams{Line: w, Env: func(string) (string, bool) { return "", false }, Log: newLogger(w, "text", 0, false)}
	if s.line() != nil {
		t.Error("a line that is rewritten goes where there is no terminal")
	}
	if s.Terminal = true; s.line() == nil {
		t.Error("none goes to a terminal")
	}
	s.Log = newLogger(w, "text", 0, true)
	if s.line() != nil {
		t.Error("-q shows it")
	}
}
