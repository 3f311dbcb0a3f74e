package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"bohier/internal/journal"
	"bohier/internal/report"
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
	result := report.FileSystem{
		Schema: "bohier/doctor/1", OK: len(fs.Problems) == 0, Dir: fs.Dir, Type: fs.Type, Network: fs.Network,
		Lock: fs.Lock, Locks: fs.Locks, Links: fs.Links, SyncDir: fs.SyncDir, SyncSeconds: fs.Sync.Seconds(),
		Problems: append([]string{}, fs.Problems...),
	}
	err = present(s, []report.FileSystem{result}, false, func() []byte { return doctorText(fs) })
	if err != nil || result.OK {
		return err
	}
	return study.Errorf(study.Usage, "put the journal elsewhere: --journal FILE",
		"this file system cannot keep a journal safely: %s", fs.Problems[0])
}

func doctorText(fs *journal.FS) []byte {
	b := sheet{width: 16}
	yes := map[bool]string{true: "yes", false: "no"}
	b.row("directory", fs.Dir)
	b.row("file system", fs.Type)
	b.row("shared by hosts", yes[fs.Network])
	b.row("lock of a new journal ", fs.Lock)
	b.row("locks exclude", yes[fs.Locks])
	b.row("links", yes[fs.Links])
	b.row("directories sync", yes[fs.SyncDir])
	b.row("append and sync", fs.Sync.String())
	for _, p := range fs.Problems {
		fmt.Fprintf(&b, "problem: %s\n", p)
	}
	if len(fs.Experiment) > 0 {
		fmt.Fprintf(&b, "\nto see whether several hosts may share it:\n  %s\n", strings.Join(fs.Experiment, "\n  "))
	}
	return b.Bytes()
}
