package main

import (
	"bytes"
	"io"

	"github.com/rs/zerolog"
)

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
	level := zerolog.WarnLevel
	switch {
	case quiet:
		level = quietLevel
	case verbose == 1:
		level = zerolog.InfoLevel
	case verbose > 1:
		level = zerolog.DebugLevel
	}
	if format != "json" {
		w = zerolog.ConsoleWriter{
			Out: words{w}, NoColor: true,
			PartsOrder:  []string{zerolog.LevelFieldName, zerolog.MessageFieldName},
			FormatLevel: levelName, FormatFieldName: unsaid, FormatFieldValue: unsaid, // the message says it
		}
		return logger{zerolog.New(w).Level(level), map[string]bool{}}
	}
	return logger{zerolog.New(w).Level(level).With().Timestamp().Logger(), map[string]bool{}}
}

func unsaid(any) string { return "" }

// words drops the blanks that stand for fields at the end of a line.
type words struct{ io.Writer }

func (w words) Write(line []byte) (int, error) {
	_, err := w.Writer.Write(append(bytes.TrimRight(line, " \n"), '\n'))
	return len(line), err
}

// quietLevel is the level of -q.
const quietLevel = zerolog.ErrorLevel

func levelName(v any) string {
	if v == "warn" {
		return "warning:"
	}
	s, _ := v.(string)
	return s + ":"
}
