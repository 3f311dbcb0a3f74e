package pgstore

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/jackc/pgx/v5"

	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/study"
)

// Version is that of the schema that this program writes, and the oldest one that it works with.
const Version = 1

//go:embed schema.sql
var schemaSQL string

// Apply runs the SQL of a schema in the database of a location, as the location's user, who is an administrator. An
// empty name means the location's schema. It returns where that is and the version that the schema had; 0: there was
// none. The schema of a newer program is left alone (Mismatch).
func Apply(ctx context.Context, location, name string) (at string, before int, err error) {
	l, err := Parse(location, "bohier", true)
	if err != nil {
		return "", 0, err
	}
	if name != "" {
		l.schema = name
	}
	at = fmt.Sprintf("schema %s of %s", l.schema, l.shown[:strings.IndexAny(l.shown, "?#")])
	text, err := Schema(l.schema)
	if err != nil {
		return at, 0, err
	}
	s := l.Open(firstTime)
	s.met.Store(true) // there may be nothing to greet yet
	in, err := s.begin(ctx, firstTime, func(conn *pgx.Conn) error {
		err := conn.QueryRow(ctx, s.sql("version"), pgx.QueryExecModeSimpleProtocol).Scan(&before)
		if c := state(err); err != nil && c != "3F000" && c != "42P01" && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if before > Version {
			return study.Errorf(study.Mismatch, "Use a newer version of bohier.",
				"the %s is of version %d; this program makes version %d", at, before, Version)
		}
		_, err = conn.PgConn().Exec(ctx, text).ReadAll()
		switch state(err) {
		case "P0001": // the SQL refuses it
			return s.tooOld(conn.PgConn().ParameterStatus("server_version"))
		case "42501":
			return study.Wrap(study.Usage, err,
				"An administrator may: one who can create roles and schemas in this database, as postgres can.",
				"this user may not make the %s", at)
		}
		return err
	})
	if err == nil {
		s.drop(in)
	}
	return at, before, err
}

// Schema is the SQL that makes the tables, functions and roles of a schema. Running it again changes nothing.
func Schema(name string) (string, error) {
	if err := checkSchema(name); err != nil {
		return "", err
	}
	table := lists.Of(crc32.MakeTable(crc32.Castagnoli)[:], func(v uint32) string { return fmt.Sprint(v) })
	return strings.NewReplacer("{schema}", name, "{table}", strings.Join(table, ",")).Replace(schemaSQL), nil
}

// Describe is described with journal.Store.
func (s *Store) Describe(ctx context.Context) (*journal.Database, error) {
	d := &journal.Database{Schema: "bohier/doctor-database/1", Journal: s.String(), Pooled: s.at.pooled, Rights: []string{},
		Warnings: []string{}}
	var worker, reader, keeper, changes, super bool
	err := s.retry(ctx, s.patience, func(conn *pgx.Conn) (err error) {
		err = conn.QueryRow(ctx, s.sql("describe")).Scan(&d.Server, &d.SchemaVersion, &d.Commit, &d.Fsync, &d.FullPages,
			&d.Standbys, &d.Async, &d.Connections, &d.TLS)
		if err == nil {
			err = conn.QueryRow(ctx, s.sql("rights")).Scan(&worker, &reader, &keeper, &changes, &super)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for k, name := range []string{"keeper", "reader", "worker"} {
		if [...]bool{keeper, reader, worker}[k] {
			d.Rights = append(d.Rights, name)
		}
	}
	if d.Async > 0 {
		d.Warnings = append(d.Warnings,
			study.Count(d.Async, "standby")+
				" not waited for: one that takes the server's place may lack the last records, which runs notice (exit 6); "+
				"synchronous_standby_names waits")
	}
	switch {
	case super:
		d.Doubt = "this user is a superuser, who may change lines: make one with the role " + s.at.schema + "_worker"
	case changes:
		d.Doubt = "this user may change lines: that is for nobody but " + s.at.schema + "_owner"
	}
	if d.Problems = []string{}; d.Doubt != "" {
		d.Problems = append(d.Problems, d.Doubt)
	} else if !worker {
		d.Problems = append(d.Problems, "this user may not append: GRANT "+s.at.schema+"_worker")
	}
	if d.Connections < 10 {
		d.Problems = append(d.Problems, "there is hardly a connection left")
	}
	d.OK = len(d.Problems) == 0
	return d, nil
}
