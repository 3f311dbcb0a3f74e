package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"bohier/internal/execute"
)

func main() {
	if os.Getenv("GOGC") == "" { // a long journal is held whole, with half as much again to collect, and not as much
		debug.SetGCPercent(50)
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
		Nowhere: nowhere(os.Stdout), Alone: true, Faulted: execute.KillCommands,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.LookupEnv,
		Terminal: err == nil && term.IsTerminal(fd), Width: width,
		Screen: outErr == nil && term.IsTerminal(out), Columns: columns,
	}, os.Args[1:])
}

// promptly is how long a command may go on after the first signal, unless it runs the
// commands of trials. Computations that look at no context end with the process then, which
// loses no more than any kill does.
const promptly = 700 * time.Millisecond

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
