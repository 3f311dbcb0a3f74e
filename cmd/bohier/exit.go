package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"bohier/internal/config"
	"bohier/internal/parallel"
	"bohier/internal/study"
)

// interrupted is the end by a signal.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string { return "stopped by " + signalName(i.signal) }
func (i interrupted) code() int     { return 128 + int(i.signal) }

// exitCode is the one place where errors become exit codes.
func exitCode(err error) int {
	if err == nil {
		return 0
	} else if i, ok := errors.AsType[interrupted](err); ok {
		return i.code()
	}
	code := study.Unexpected
	if e, ok := errors.AsType[*study.Error](err); ok {
		code = e.Code
	}
	if study.Refused(err) && (code == study.Unexpected || code == study.Usage) ||
		study.Denied(err) && code == study.Unexpected {
		code = study.NotRecorded
	}
	return int(code)
}

// unexpected is the error for a fault of this program.
func unexpected(s streams, p *parallel.Panic) error {
	if s.env("BOHIER_TRACE") != "" {
		fmt.Fprintf(s.Stderr, "%s\n", p.Stack)
	}
	return &study.Error{Code: study.Unexpected, Msg: "this is a fault of bohier: " + p.Error(),
		Hint: "report this line with the command and the files that it read; BOHIER_TRACE=1 prints more to report"}
}

// usage is a mistake in the command line.
func usage(hint, format string, args ...any) error {
	return study.Errorf(study.Usage, hint, format, args...)
}

// undelivered is a result that did not reach its reader.
func undelivered(err error) error {
	return study.Wrap(study.NotRecorded, err, "", "the output could not be delivered")
}

// alreadyReported is an error that the output has shown.
type alreadyReported struct{ error }

func (a alreadyReported) Unwrap() error { return a.error }

// reported marks an error as shown; nil stays nil.
func reported(err error) error {
	if err == nil {
		return nil
	}
	return alreadyReported{err}
}

// cause replaces a bare end of the context by its cause.
func cause(ctx context.Context, err error) error {
	if err != nil && errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// hint is the advice for an error, or empty.
func hint(err error) string {
	if e, ok := errors.AsType[*study.Error](err); ok {
		return e.Hint
	}
	return ""
}

// printError writes an error for people. Mistakes in a study file carry their places already.
func printError(w io.Writer, err error) {
	text := strings.TrimRight(err.Error(), "\n")
	if !errors.As(err, new(config.Invalid)) {
		text = "bohier: " + text
	}
	fmt.Fprintln(w, text)
	if h := hint(err); h != "" {
		fmt.Fprintln(w, "hint: "+h)
	}
}
