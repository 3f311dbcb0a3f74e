package main

import (
	"fmt"
	"io"
	"time"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// A fit that takes longer than busyAfter says so on a terminal, every busyEvery.
const (
	busyAfter = 400 * time.Millisecond
	busyEvery = time.Second
)

// analyze fits the surrogate; on a terminal a line says that it takes its time.
func analyze(s call, session runner.Session, state *journal.State) (*runner.Analysis, error) {
	defer fitting(s, state)()
	return session.Analyze(s.ctx, state)
}

// fitting says that surrogates are fitted, until the function that it returns is called.
func fitting(s call, state *journal.State) (done func()) {
	return busy(s.line(), "fitting the surrogate to "+study.Count(complete(state), "trial"), busyAfter, busyEvery)
}

// complete is how many trials are.
func complete(state *journal.State) int {
	n := 0
	for k := range state.Trials {
		if state.Trials[k].State == study.Complete {
			n++
		}
	}
	return n
}

// line is where a line that is rewritten can go; nil: nowhere.
func (s streams) line() io.Writer {
	if s.Terminal && s.env("TERM") != "dumb" && s.Log.GetLevel() < quietLevel {
		return s.Line
	}
	return nil
}

// busy shows a message with the seconds that passed until the function that it
// returns is called, which takes the message away; out may be nil.
func busy(out io.Writer, message string, after, every time.Duration) (done func()) {
	if out == nil {
		return func() {}
	}
	stop, ended, began := make(chan struct{}), make(chan struct{}), time.Now()
	go func() {
		defer close(ended)
		next := time.NewTimer(after)
		defer next.Stop()
		for shown := false; ; shown = true {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(out, "\r\x1b[K")
				}
				return
			case <-next.C:
				fmt.Fprintf(out, "\r\x1b[K%s … %.0f s", message, time.Since(began).Seconds())
				next.Reset(every)
			}
		}
	}()
	return func() {
		close(stop)
		<-ended
	}
}
