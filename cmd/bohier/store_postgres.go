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
		out := sheet{width: 17}
		out.row("journal", d.Location)
		out.row("server", "PostgreSQL "+d.Server)
		out.row("schema", fmt.Sprint("version ", d.Schema))
		out.row("encrypted", fmt.Sprint(d.TLS))
		out.row("pooled", fmt.Sprint(d.Pooled))
		out.row("settings", "synchronous_commit "+d.Commit+", fsync "+d.Fsync+", full_page_writes "+d.Full)
		out.row("standbys", fmt.Sprintf("%d, %d not waited for", d.Standbys, d.Async))
		out.row("connections left", fmt.Sprint(d.Left))
		out.row("rights", strings.Join(d.Rights, ", "))
		for _, w := range d.Warnings {
			fmt.Fprintf(&out, "warning: %s\n", w)
		}
		for _, p := range d.Problems {
			fmt.Fprintf(&out, "problem: %s\n", p)
		}
		return out.Bytes()
	})
	if err != nil || result.OK {
		return err
	}
	return study.Errorf(study.Usage, "", "%s", d.Problems[0])
}
