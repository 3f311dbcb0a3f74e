package main

import (
	"path/filepath"

	"bohier/internal/journal"
	"bohier/internal/study"
)

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
	err = present(s, []journal.FileSystem{*fs}, false, func() []byte { return sheet("filesystem", fs) })
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
	err = present(s, []journal.Database{*d}, false, func() []byte { return sheet("database", d) })
	if err != nil || d.OK {
		return err
	}
	return study.Errorf(study.Usage, "", "%s", d.Problems[0])
}
