package main

import (
	"bytes"
	"fmt"
	"path/filepath"

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
	var b bytes.Buffer
	yes := map[bool]string{true: "yes", false: "no"}
	fmt.Fprintf(&b, "directory        %s\nfile system      %s\n", fs.Dir, fs.Type)
	fmt.Fprintf(&b, "shared by hosts  %s\nlock of a new journal  %s\n", yes[fs.Network], fs.Lock)
	fmt.Fprintf(&b, "locks exclude    %s\nlinks            %s\ndirectories sync %s\n", yes[fs.Locks], yes[fs.Links],
		yes[fs.SyncDir])
	fmt.Fprintf(&b, "append and sync  %v\n", fs.Sync)
	for _, p := range fs.Problems {
		fmt.Fprintf(&b, "problem: %s\n", p)
	}
	for i, line := range fs.Experiment {
		if i == 0 {
			b.WriteString("\nto see whether several hosts may share it:\n")
		}
		fmt.Fprintf(&b, "  %s\n", line)
	}
	return b.Bytes()
}
