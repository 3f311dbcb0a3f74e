package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"bohier/internal/execute"
)

func main() {
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
		Nowhere: nowhere(os.Stdout),
		Stdin:   os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.LookupEnv,
		Terminal: err == nil && term.IsTerminal(fd), Width: width,
		Screen: outErr == nil && term.IsTerminal(out), Columns: columns,
	}, os.Args[1:])
}

// withSignals is a context that ends with an interrupted error at the first of
// stopSignals; the second one ends the process at once, with every command it runs.
// A signal
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
		second := <-got
		execute.KillCommands()
		os.Exit(interrupted{second.(syscall.Signal)}.code())
	}()
	return ctx, func() { signal.Stop(got); cancel(nil) }
}
