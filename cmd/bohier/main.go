package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"bohier/internal/execute"
)

func main() {
	if os.Getenv("GOGC") == "" { // a long journal is held whole, and garbage of less than its size
		debug.SetGCPercent(80)
		collectLater(enoughMemory, mostMemory)
	}
	os.Exit(program())
}

// program is main with an exit code, so that tests can run it under any name.
func program() int {
	ctx, stop := withSignals(context.Background())
	defer stop()
	fd := int(os.Stderr.Fd())
	width, _, err := term.GetSize(fd)
	out := int(os.Stdout.Fd())
	columns, _, outErr := term.GetSize(out)
	return runProgram(ctx, streams{
		Nowhere: nowhere(os.Stdout), Faulted: execute.KillCommands,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.LookupEnv,
		Terminal: err == nil && term.IsTerminal(fd), Width: width,
		Screen: outErr == nil && term.IsTerminal(out), Columns: columns,
	}, os.Args[1:])
}

// promptly is how long a command may go on after the first signal, unless it runs the commands of trials. Computations
// that look at no context end with the process then, which loses no more than any kill does.
const promptly = 700 * time.Millisecond

// repeated is the time after the first signal in which others count as the same: timeout(1) and schedulers
// signal a process and then its group.
const repeated = 100 * time.Millisecond

// withSignals is a context that ends with an interrupted error at the first of
// stopSignals; the second one ends the process at once, with every command it runs, and so
// does time where none runs. A signal
// that was ignored at the start, as by nohup, stays so. SIGPIPE is caught so that
// writing to a closed pipe is an error like any other.
func withSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	got := make(chan os.Signal, 2)
	for _, s := range stopSignals {
		if !signal.Ignored(s) {
			signal.Notify(got, s)
		}
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		first := <-got
		cancel(interrupted{first.(syscall.Signal)})
		last := first
		var late <-chan time.Time
		if !execute.Looping() {
			late = time.After(promptly)
		}
		time.Sleep(repeated)
		for len(got) > 0 {
			<-got
		}
		select {
		case last = <-got:
		case <-late:
			fmt.Fprintf(os.Stderr, "bohier: %v\n", context.Cause(ctx))
		}
		execute.KillCommands()
		os.Exit(interrupted{last.(syscall.Signal)}.code())
	}()
	return ctx, func() { signal.Stop(got); cancel(nil) }
}

// enoughMemory is the memory of a command below which no garbage is collected: as much as a suggestion after a thousand
// trials needs.
const enoughMemory = 40 << 20

// mostMemory is the aim for a command with 100,000 trials.
const mostMemory = 280 << 20

// collectLater keeps the garbage collector from running, and from taking a fifth of the time, before so many bytes are
// in use; and again, as long as a collection leaves less than half of them in use. From then on it runs as it did, and
// more often where that keeps within most bytes, or within a third more than a collection leaves in use. After over it
// changes nothing.
func collectLater(enough, most int64) (over func()) {
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, enough))
	var ended atomic.Bool
	var collected func(int)
	collected = func(int) {
		switch live := inUse(); {
		case ended.Load():
			return
		case live >= enough/2:
			debug.SetGCPercent(percent)
			debug.SetMemoryLimit(min(limit, max(most, live/3*4)))
		}
		runtime.AddCleanup(new([64]byte), collected, 0)
	}
	runtime.AddCleanup(new([64]byte), collected, 0) // at the end of the first collection
	return func() { ended.Store(true) }
}

// inUse is the number of bytes that the last collection left.
func inUse() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}
