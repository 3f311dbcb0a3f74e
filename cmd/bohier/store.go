package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/study"
)

// journalPath resolves the location of a journal: a path, unless it is elsewhere.
func (s streams) journalPath(location string) string {
	if study.Scheme(location) != "" {
		return location
	}
	return s.path(location)
}

// open makes the options for the journal at a location: a file, or in a database.
// name is that of a journal whose location has none; trusted tells that no study file
// gave the location.
func (s call) open(location, name string, trusted bool) (journal.Options, error) {
	o := journal.Options{Path: s.journalPath(location), LockTimeout: s.lockTimeout,
		Memory: &journal.Memory{Own: s.kept == nil}}
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

// earlier are the journals in databases that a study starts from, by their locations, which
// the study file gives.
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
			return describeStore(s, options.Store)
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

// describeStore says what a database can do for a journal.
func describeStore(s call, store journal.Store) error {
	d, err := store.Describe(s.ctx)
	if err != nil {
		return err
	}
	err = s.sheet(*d, "database", d)
	if err != nil || d.OK {
		return err
	}
	return study.Errorf(study.Usage, "", "%s", d.Problems[0])
}
