package main

import (
	"fmt"
	"path/filepath"
	"strings"

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
	err = present(s, []journal.FileSystem{*fs}, false, func() []byte { return doctorText(fs) })
	if err != nil || fs.OK {
		return err
	}
	return study.Errorf(study.Usage, "put the journal elsewhere: --journal FILE",
		"this file system cannot keep a journal safely: %s", fs.Problems[0])
}

func doctorText(fs *journal.FileSystem) []byte {
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

// describeStore says what a database can do for a journal.
func describeStore(s call, store journal.Store) error {
	d, err := store.Describe(s.ctx)
	if err != nil {
		return err
	}
	err = present(s, []journal.Database{*d}, false, func() []byte {
		out := sheet{width: 17}
		out.row("journal", d.Journal)
		out.row("server", "PostgreSQL "+d.Server)
		out.row("schema", fmt.Sprint("version ", d.SchemaVersion))
		out.row("encrypted", fmt.Sprint(d.TLS))
		out.row("pooled", fmt.Sprint(d.Pooled))
		out.row("settings", "synchronous_commit "+d.Commit+", fsync "+d.Fsync+", full_page_writes "+d.FullPages)
		out.row("standbys", fmt.Sprintf("%d, %d not waited for", d.Standbys, d.Async))
		out.row("connections left", fmt.Sprint(d.Connections))
		out.row("rights", strings.Join(d.Rights, ", "))
		for _, w := range d.Warnings {
			fmt.Fprintf(&out, "warning: %s\n", w)
		}
		for _, p := range d.Problems {
			fmt.Fprintf(&out, "problem: %s\n", p)
		}
		return out.Bytes()
	})
	if err != nil || d.OK {
		return err
	}
	return study.Errorf(study.Usage, "", "%s", d.Problems[0])
}
