//go:build postgres

package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bohier/internal/journal"
	"bohier/internal/pgstore"
	"bohier/internal/report"
	"bohier/internal/study"
)

func openStore(location, name string, trusted bool, patience time.Duration) (journal.Store, []string, error) {
	l, err := pgstore.Parse(location, name, trusted)
	if err != nil {
		return nil, nil, err
	}
	return l.Open(patience), l.Warnings, nil
}

func databaseSchema(name string) (string, error) { return pgstore.Schema(name) }

func applySchema(ctx context.Context, location, name string) (at string, before int, err error) {
	return pgstore.Apply(ctx, location, name)
}

// describeStore says what a database can do for a journal.
func describeStore(s call, store journal.Store) error {
	d, err := store.(*pgstore.Store).Describe(s.ctx)
	if err != nil {
		return err
	}
	result := report.Database{
		Schema: "bohier/doctor-database/1", OK: len(d.Problems) == 0, Journal: d.Location, Server: d.Server,
		SchemaVersion: d.Schema, TLS: d.TLS, Pooled: d.Pooled,
		Commit: d.Commit, Fsync: d.Fsync, FullPages: d.Full, Standbys: d.Standbys, Async: d.Async, Connections: d.Left,
		Rights: append([]string{}, d.Rights...), Warnings: append([]string{}, d.Warnings...), Problems: append([]string{},
			d.Problems...),
	}
	err = present(s, []report.Database{result}, false, func() []byte {
		out := fmt.Appendf(nil, "journal           %s\nserver            PostgreSQL %s\nschema            version %d\n",
			d.Location, d.Server, d.Schema)
		out = fmt.Appendf(out, "encrypted         %v\npooled            %v\n", d.TLS, d.Pooled)
		out = fmt.Appendf(out, "settings          synchronous_commit %s, fsync %s, full_page_writes %s\n", d.Commit,
			d.Fsync, d.Full)
		out = fmt.Appendf(out, "standbys          %d, %d not waited for\n", d.Standbys, d.Async)
		out = fmt.Appendf(out, "connections left  %d\nrights            %s\n", d.Left, strings.Join(d.Rights, ", "))
		for _, w := range d.Warnings {
			out = fmt.Appendf(out, "warning: %s\n", w)
		}
		for _, p := range d.Problems {
			out = fmt.Appendf(out, "problem: %s\n", p)
		}
		return out
	})
	if err != nil || result.OK {
		return err
	}
	return study.Errorf(study.Usage, "", "%s", d.Problems[0])
}
