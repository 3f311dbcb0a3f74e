package main

import (
	"regexp"
	"strings"

	"bohier/internal/journal"
)

// location tells places that are no files: a scheme of more than one letter, as a
// letter may be a drive.
var scheme = regexp.MustCompile(`^([a-z][a-z0-9+.-]+)://|^(s3|postgres|postgresql|https?|sqlite|mysql):`)

// journalPath resolves the location of a journal: a path, unless it is elsewhere.
func (s streams) journalPath(location string) string {
	if scheme.MatchString(location) {
		return location
	}
	return s.path(location)
}

// open makes the options for the journal at a location: a file, or in a database.
// name is that of a journal whose location has none; trusted tells that no study file
// gave the location.
func (p place) open(s streams, location, name string, trusted bool) (journal.Options, error) {
	o := journal.Options{Path: s.journalPath(location), LockTimeout: p.lockTimeout, Memory: &journal.Memory{}}
	switch m := scheme.FindStringSubmatch(location); {
	case m == nil:
		return o, nil
	case m[1]+m[2] == "s3":
		return o, usage("a file, or postgres://…", "journals in object stores are not available yet")
	case !strings.HasPrefix(m[1]+m[2], "postgres"):
		return o, usage("a file, or postgres://host/database#NAME", "a journal cannot be kept by %s:", m[1]+m[2])
	}
	store, warnings, err := openStore(location, name, trusted, p.lockTimeout)
	if err != nil {
		return o, err
	}
	s.Log.warn(warnings...)
	o.Store, o.Path = store, store.String()
	return o, nil
}

// storeTrials is the directory for the files of the trials of a journal in a database.
func storeTrials(location string) string {
	return location[strings.LastIndexByte(location, '#')+1:] + ".trials"
}
