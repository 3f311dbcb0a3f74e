package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/rs/zerolog"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// A place is where the user says the study is.
type place struct {
	study       string        // --config
	journal     string        // --journal
	lockTimeout time.Duration // --lock-timeout
}

// defaultStudy is the study file looked for where none is named.
const defaultStudy = "bohier.yaml"

// file is the study file: flag, environment, default.
func (p place) file(s streams) string {
	if p.study != "" {
		return p.study
	}
	if v := s.env("BOHIER_CONFIG"); v != "" {
		return v
	}
	return defaultStudy
}

// read loads the study file and says all that is to be said about it.
func (p place) read(s streams) (*study.Study, config.Report, error) {
	file := p.file(s)
	if _, err := os.Stat(s.path(file)); errors.Is(err, fs.ErrNotExist) {
		hint := "name the study file with -c FILE"
		if file == defaultStudy {
			hint = "`bohier init` writes one; or name yours with -c FILE"
		}
		return nil, config.Report{}, usage(hint, "there is no study file %s", file)
	}
	type loaded struct {
		st    *study.Study
		found config.Report
	}
	l, err := untilEnded(s, func() loaded {
		st, found := config.Load(s.path(file), options())
		return loaded{st, found}
	})
	if err != nil {
		return nil, config.Report{}, err
	}
	st, found := l.st, l.found
	if err := found.Err(); err != nil {
		return nil, found, invalidStudy{found, err}
	}
	if p.journal != "" {
		st.Journal = s.path(p.journal)
	} else if v := s.env("BOHIER_JOURNAL"); v != "" {
		st.Journal = s.path(v)
	}
	return st, found, nil
}

// load is read for commands that go on to use the study: lints show with -v.
func (p place) load(s streams) (*study.Study, error) {
	st, found, err := p.read(s)
	for _, w := range found.Warnings {
		s.Log.Info().Msg(fmt.Sprintf("%s:%d:%d: %s", w.File, w.Line, w.Column, w.Message))
	}
	return st, err
}

// session loads the study and binds it to its journal.
func (p place) session(s streams) (runner.Session, error) {
	st, err := p.load(s)
	if err != nil {
		return runner.Session{}, err
	}
	c := runner.Session{Study: st, Journal: journal.Options{
		Path: st.Journal, Space: st.Space, Study: config.JSON(st), Seed: st.Seed, LockTimeout: p.lockTimeout, Memory: &journal.Memory{},
	}}
	if s.Log.GetLevel() <= zerolog.DebugLevel {
		c.Debug = func(line string) { s.Log.Debug().Msg(line) }
	}
	return c, nil
}

// journalOptions is for commands that need no study: with --journal or
// BOHIER_JOURNAL they work without a study file.
func (p place) journalOptions(s streams) (journal.Options, error) {
	path := p.journal
	if path == "" {
		path = s.env("BOHIER_JOURNAL")
	}
	_, named := s.Env("BOHIER_CONFIG")
	if _, err := os.Stat(s.path(p.file(s))); path != "" && p.study == "" && !named && err != nil {
		return journal.Options{Path: s.path(path), LockTimeout: p.lockTimeout}, nil
	}
	c, err := p.session(s)
	return c.Journal, err
}

// existingJournal is journalOptions for a journal that must exist.
func (p place) existingJournal(s streams) (journal.Options, error) {
	o, err := p.journalOptions(s)
	if err == nil {
		if _, statErr := os.Stat(o.Path); errors.Is(statErr, fs.ErrNotExist) {
			err = usage("the first suggestion begins it", "there is no journal %s yet", o.Path)
		}
	}
	return o, err
}

// invalidStudy is a study file with mistakes; its text is located already.
type invalidStudy struct {
	found config.Report
	err   error
}

func (i invalidStudy) Error() string { return i.err.Error() }
func (i invalidStudy) Unwrap() error { return i.err }

func problems(list []config.Problem) []report.Problem {
	out := make([]report.Problem, len(list))
	for k, p := range list {
		out[k] = report.Problem{File: p.File, Line: p.Line, Column: p.Column, Message: p.Message, Hint: p.Hint}
	}
	return out
}
