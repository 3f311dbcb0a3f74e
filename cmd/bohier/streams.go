package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"

	"bohier/internal/parallel"
	"bohier/internal/study"
	"bohier/internal/text"
)

// messages is a Stderr for people: control characters are shown as escapes.
type messages struct{ io.Writer }

func (m messages) Write(message []byte) (int, error) {
	if _, err := m.Writer.Write(text.VisibleText(message, false)); err != nil {
		return 0, err
	}
	return len(message), nil
}

// streams is everything a command may touch of the world around it, besides study files and journals.
type streams struct {
	Stdin    io.Reader
	Stdout   io.Writer                   // results only
	Stderr   io.Writer                   // messages
	Env      func(string) (string, bool) // os.LookupEnv
	Dir      string                      // relative paths start here; empty: the working directory
	Terminal bool                        // Stderr is a terminal
	Width    int                         // of that terminal, in columns
	Screen   bool                        // Stdout is a terminal
	Columns  int                         // of that terminal

	Faulted func() // called where a fault of the program ends it; nil: nothing is to be done

	Nowhere  bool   // Stdout has no reader
	Recorded string // the records on disk, with a hint to run again; empty: none

	Line  io.Writer // Stderr for output that moves the cursor: the line of progress
	Log   logger    // set once the global flags are known
	Color bool      // likewise
}

// path resolves a path given by the user.
func (s streams) path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(s.Dir, p)
}

// env is the value of an environment variable, empty when unset.
func (s streams) env(name string) string {
	v, _ := s.Env(name)
	return v
}

// shown is where the parts of a result are shown in the format that was asked for.
type shown struct{ call }

func (s shown) Write(part []byte) (int, error) {
	switch s.format {
	case "text", "table", "markdown":
		return len(part), s.print(part)
	}
	return len(part), s.write(part)
}

// print writes a result for people: all of them pass here, and control characters are shown as escapes.
func (s streams) print(result []byte) error { return s.deliver(text.VisibleText(result, s.Color)) }

// write writes a result for programs as it is; nobody but a person reads it on a terminal.
func (s streams) write(result []byte) error {
	if s.Screen {
		return s.print(result)
	}
	return s.deliver(result)
}

// deliver sends the whole result to Stdout in one call.
func (s streams) deliver(result []byte) error {
	_, err := s.Stdout.Write(result)
	switch {
	case err == nil:
		return nil
	case s.Recorded != "":
		return study.Wrap(study.PerhapsRecorded, err, s.Recorded, "recorded, but the output could not be delivered")
	}
	return undelivered(err)
}

// The values of streams.Recorded.
const (
	safe  = "running it again is safe"
	twice = "running it again without --key records it twice; look first: `bohier trials`, `bohier show`"
)

// untilEnded is read, or the cause of the end where a signal comes first: a pipe
// without a writer, or a terminal, may never say anything.
func untilEnded[T any](s call, read func() (T, error)) (out T, err error) {
	if s.ctx == nil {
		return read()
	}
	got := make(chan error, 1)
	var value T
	go func() { got <- parallel.Call(func() (err error) { value, err = read(); return err }) }()
	select {
	case err = <-got:
		return value, err
	case <-s.ctx.Done():
		return out, context.Cause(s.ctx)
	}
}

// logger carries messages to the user. Warnings show unless -q, Info with -v.
type logger struct {
	zerolog.Logger
	said map[string]bool // warnings so far; not for concurrent use
}

// warn reports each warning once, however often the journal is read.
func (l logger) warn(messages ...string) {
	for _, m := range messages {
		if !l.said[m] {
			l.said[m] = true
			l.Warn().Msg(m)
		}
	}
}

// newLogger writes plain lines ("warning: …"), or JSON ones for format "json".
// verbose counts -v; quiet leaves errors only.
func newLogger(w io.Writer, format string, verbose int, quiet bool) logger {
	level := []zerolog.Level{zerolog.WarnLevel, zerolog.InfoLevel, zerolog.DebugLevel}[min(verbose, 2)]
	if quiet {
		level = quietLevel
	}
	if format != "json" {
		w = zerolog.ConsoleWriter{
			Out: w, NoColor: true,
			PartsOrder:  []string{zerolog.LevelFieldName, zerolog.MessageFieldName},
			FormatLevel: func(v any) string { return strings.Replace(fmt.Sprint(v), "warn", "warning", 1) + ":" },
			FormatPrepare: func(fields map[string]any) error { // the message says them
				maps.DeleteFunc(fields, func(name string, _ any) bool { return name != "level" && name != "message" })
				return nil
			},
		}
		return logger{zerolog.New(w).Level(level), map[string]bool{}}
	}
	return logger{zerolog.New(w).Level(level).With().Timestamp().Logger(), map[string]bool{}}
}

// quietLevel is the level of -q.
const quietLevel = zerolog.ErrorLevel
