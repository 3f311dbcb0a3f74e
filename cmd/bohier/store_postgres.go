//go:build !nopg

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
func describeStore(ctx context.Context, s streams, f format, store journal.Store) error {
	d, err := store.(*pgstore.Store).Describe(ctx)
	if err != nil {
		return err
	}
	result := report.Database{
		Schema: "bohier/doctor-database/1", OK: len(d.Problems) == 0, Journal: d.Location, Server: d.Server, SchemaVersion: d.Schema, TLS: d.TLS, Pooled: d.Pooled,
		Commit: d.Commit, Standbys: d.Standbys, Connections: d.Left, RoundTrip: d.Round.Seconds(), Lock: d.Lock.Seconds(),
		Rights: append([]string{}, d.Rights...), Problems: append([]string{}, d.Problems...),
	}
	out, err := structured(f, []report.Database{result}, false)
	if err != nil {
		return err
	}
	if out == nil {
		out = fmt.Appendf(nil, "journal           %s\nserver            PostgreSQL %s\nschema            version %d\nencrypted         %v\npooled            %v\n", d.Location, d.Server, d.Schema, d.TLS, d.Pooled)
		out = fmt.Appendf(out, "commit            %s, %d standbys\nconnections left  %d\nround trip        %v\n", d.Commit, d.Standbys, d.Left, d.Round)
		out = fmt.Appendf(out, "lock and read     %v\nrights            %s\n", d.Lock, strings.Join(d.Rights, ", "))
		for _, p := range d.Problems {
			out = fmt.Appendf(out, "problem: %s\n", p)
		}
	}
	if err := s.show(f, out); err != nil || result.OK {
		return err
	}
	return study.Errorf(study.Usage, "", "%s", d.Problems[0])
}
