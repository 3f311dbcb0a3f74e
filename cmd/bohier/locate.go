package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// A place is where the user says the study is.
type place struct {
	study       string        // --config
	journal     string        // --journal
	trials      string        // --trials-dir
	context     string        // --context
	lockTimeout time.Duration // --lock-timeout

	kept *keptSession // of a process that answers many requests; nil: nothing is kept
}

// A keptSession is the session of the last request, valid until the study file changes, or for good.
type keptSession struct {
	text    []byte // of the study file; nil: of a pipe
	session runner.Session
	forGood bool
	inTurn  bool // each request ends before the next one begins, so that no one needs an older state
	told    bool // that the file has changed
}

// tellChange warns once of a study file that has changed under a session that is kept for good.
func (s call) tellChange() {
	if !s.kept.told && !bytes.Equal(s.studyText(), s.kept.text) {
		s.kept.told = true
		s.Log.warn(fmt.Sprintf("the study file %s has changed: this %s goes on with the study that it began with, "+
			"and the next %[2]s takes the new one", s.file(), s.command.Name()))
	}
}

// defaultStudy is the study file looked for where none is named.
const defaultStudy = "bohier.yaml"

// file is the study file: flag, environment, default.
func (s call) file() string { return cmp.Or(s.study, s.env("BOHIER_CONFIG"), defaultStudy) }

// studyText is the content of the study file; nil if it cannot be read twice, such as a pipe.
func (s call) studyText() (text []byte) {
	path := s.path(s.file())
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		text, _ = config.Read(path)
	}
	return text
}

// read loads the study file and says all that is to be said about it.
func (s call) read() (*study.Study, config.Report, error) {
	file := s.file()
	if _, err := os.Stat(s.path(file)); errors.Is(err, fs.ErrNotExist) {
		hint := "name the study file with -c FILE"
		if others, _ := filepath.Glob(s.path("*.y*ml")); file == defaultStudy && len(others) == 1 {
			hint = "if it is the one here: -c " + filepath.Base(others[0])
		} else if file == defaultStudy {
			hint = "`bohier init` writes one; or name yours with -c FILE"
		}
		return nil, config.Report{}, usage(hint, "there is no study file %s", file)
	}
	var found config.Report
	st, err := untilEnded(s, func() (st *study.Study, _ error) {
		st, found = config.Load(s.path(file), options())
		return st, nil
	})
	if err != nil {
		return nil, config.Report{}, err
	}
	if err := found.Err(); err != nil {
		return nil, found, err
	}
	if location := s.location(); location != "" {
		if err := study.CheckLocation(location); err != nil {
			return nil, found, err
		}
		st.Journal = s.journalPath(location)
	}
	if dir := s.trialsDir(); dir != "" {
		st.TrialsDir = dir
	}
	if c := cmp.Or(s.context, s.env("BOHIER_CONTEXT")); c != "" {
		if err := study.CheckContext(c); err != nil {
			return nil, found, err
		}
		st.Context = c
	}
	return st, found, nil
}

// location is where the user says the journal is; empty: as the study file says.
func (s call) location() string { return cmp.Or(s.journal, s.env("BOHIER_JOURNAL")) }

// trialsDir is where the user wants the files of trials; empty: beside the journal.
func (s call) trialsDir() string { return s.path(cmp.Or(s.trials, s.env("BOHIER_TRIALS_DIR"))) }

// session loads the study and binds it to its journal.
func (s call) session() (runner.Session, error) {
	var text []byte
	if s.kept != nil {
		text = s.studyText() // read names the mistake
		if s.kept.session.Study != nil && (s.kept.forGood || bytes.Equal(text, s.kept.text)) {
			return s.kept.session, nil
		}
	}
	st, found, err := s.read()
	for _, w := range found.Warnings { // which are for `bohier check`, and show with -v here
		s.Log.Info().Msg(w.String())
	}
	if err != nil {
		return runner.Session{}, err
	}
	o, err := s.open(st.Journal, config.Stem(st.File), s.location() != "")
	if err != nil {
		return runner.Session{}, err
	}
	o.Space, o.Study, o.Seed = runner.JournalSpace(st), config.JSON(st), st.Seed
	if o.Store != nil {
		st.Journal = o.Path
		if st.TrialsDir == "" {
			st.TrialsDir = filepath.Join(filepath.Dir(st.File), storeTrials(o.Path))
		}
	}
	c := runner.Session{Study: st, Journal: o, Kept: new(suggest.Kept)}
	if c.SourceJournals, err = s.earlier(st); err != nil {
		return runner.Session{}, err
	}
	if s.Log.GetLevel() <= zerolog.DebugLevel {
		c.Debug = func(d study.Detail) { s.Log.Debug().Fields([]any(d)).Msg(d.String()) }
	}
	if s.kept != nil {
		s.kept.text, s.kept.session, s.kept.told = text, c, false
	}
	return c, nil
}

// journalOptions is for commands that need no study: with --journal or BOHIER_JOURNAL they work without a study file.
func (s call) journalOptions() (journal.Options, error) {
	path := s.location()
	_, named := s.Env("BOHIER_CONFIG")
	if _, err := os.Stat(s.path(s.file())); path != "" && s.study == "" && !named && err != nil {
		return s.open(path, "bohier", true)
	}
	c, err := s.session()
	return c.Journal, err
}

// existingJournal is journalOptions for a journal that must exist.
func (s call) existingJournal() (journal.Options, error) {
	o, err := s.journalOptions()
	if err != nil {
		return o, err
	}
	var missing bool
	if o.Store != nil {
		chunk, readErr := o.Store.Read(context.Background(), journal.Pos{})
		missing = readErr == nil && len(chunk.Lines) == 0
	} else {
		_, statErr := os.Stat(o.Path)
		missing = errors.Is(statErr, fs.ErrNotExist)
	}
	if missing {
		return o, usage("the first suggestion begins it", "there is no journal %s yet", o.Path)
	}
	return o, nil
}

// options are the program's abilities, for the reader of study files.
func options() config.Options {
	return config.Options{Words: suggest.Names(), Check: suggest.Check}
}

// levelled is the error of a request that needs a fidelity, to a study without one.
func levelled(st *study.Study, without string) error {
	if st.Fidelity.Early() {
		return nil
	}
	return usage("add it: fidelity: {name: epochs, low: 1, high: 27}", "%s", without)
}

// resource is the value of a flag for a resource of the fidelity, or for one of its levels; 0 without the
// flag. without is the error of a study that has no fidelity.
func (s call) resource(st *study.Study, flag, without string, level bool) (v float64, err error) {
	if !s.changed(flag) {
		return 0, nil
	}
	v, err = s.number(flag), levelled(st, without)
	switch f := &st.Fidelity; {
	case err != nil:
	case level && !slices.Contains(f.Levels, v):
		err = usage("levels: "+report.Numbers(f.Levels), "%v is not a level", v)
	case !level && (!(v > 0) || v > f.High()):
		err = usage("", "%s must be above 0 and at most %v, not %v", f.Name, f.High(), v)
	}
	return v, err
}

// journalPath resolves the location of a journal: a path, unless it is elsewhere.
func (s streams) journalPath(location string) string {
	if study.Scheme(location) != "" {
		return location
	}
	return s.path(location)
}

// open makes the options for the journal at a location: a file, or in a database. name is that of a
// journal whose location has none; trusted means that no study file gave the location.
func (s call) open(location, name string, trusted bool) (journal.Options, error) {
	o := journal.Options{Path: s.journalPath(location), LockTimeout: s.lockTimeout,
		Memory: &journal.Memory{Own: s.kept == nil || s.kept.inTurn}}
	if err := study.CheckLocation(location); err != nil {
		return o, err
	}
	if !study.InDatabase(location) {
		return o, nil
	}
	store, warnings, err := openStore(location, name, trusted, s.lockTimeout)
	if err != nil {
		return o, err
	}
	s.Log.warn(warnings...)
	o.Store, o.Path = store, store.String()
	return o, nil
}

// earlier are the journals in databases that a study starts from, by their locations, which the study file gives.
func (s call) earlier(st *study.Study) (map[string]journal.Options, error) {
	if st.WarmStart == nil {
		return nil, nil
	}
	all := map[string]journal.Options{}
	for _, location := range st.WarmStart.Journals {
		if study.Scheme(location) == "" {
			continue
		}
		o, err := s.open(location, config.Stem(st.File), false)
		if err != nil {
			return nil, fmt.Errorf("warm_start: %w", err)
		}
		all[location] = o
	}
	return all, nil
}

// storeTrials is the directory for the files of the trials of a journal in a database.
func storeTrials(location string) string {
	return location[strings.LastIndexByte(location, '#')+1:] + ".trials"
}

func runDoctor(s call, args []string) error {
	dir := s.path(s.text("fs"))
	if dir == "" {
		options, err := s.journalOptions()
		if err != nil {
			return err
		}
		if options.Store != nil {
			d, err := options.Store.Describe(s.ctx)
			if err == nil {
				err = s.sheet(*d, "database", d)
			}
			if err != nil || d.OK {
				return err
			}
			return study.Errorf(study.Usage, "", "%s", d.Problems[0])
		}
		dir = filepath.Dir(options.Path)
	}
	fs, err := journal.DescribeFS(s.ctx, dir)
	if err != nil {
		return err
	}
	err = s.sheet(*fs, "filesystem", fs)
	if err != nil || fs.OK {
		return err
	}
	return study.Errorf(study.Usage, "put the journal elsewhere: --journal FILE",
		"this file system cannot keep a journal safely: %s", fs.Problems[0])
}
