package pgstore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"bohier/internal/study"
)

// state is the server's code of an error; empty: the server sent none.
func state(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// unproven reports whether a server did not show who it is. Other errors of TLS are those
// of a connection that something has changed; and where a server on this machine has no TLS,
// what counts is what it says without.
func unproven(err error) bool {
	if state(err) != "" || readable(err) {
		return false
	}
	return errors.As(err, new(*tls.CertificateVerificationError)) || strings.Contains(bare(err).Error(), "refused TLS")
}

// readable reports whether a server asks for a password in a way that shows it.
func readable(err error) bool {
	return strings.Contains(err.Error(), "authentication method requirement")
}

// passing reports whether an error is one of the connection or of a moment, so that it
// is worth connecting again.
func passing(err error) bool {
	var dns *net.DNSError
	switch s := state(err); {
	case err == nil, errors.As(err, new(*study.Error)), errors.Is(err, context.Canceled), errors.As(err, &dns) && dns.IsNotFound:
		return false
	case s == "":
		return !unproven(err) && !readable(err)
	case strings.HasPrefix(s, "08"), strings.HasPrefix(s, "57"), s == "53300", s == "40001", s == "40P01", s == "25P03",
		s == "26000":
		return true
	}
	return false
}

// explain is an error of the server or the connection as the program's; nothing was
// recorded.
func (s *Store) explain(err error) error {
	if err == nil || errors.As(err, new(*study.Error)) {
		return err
	}
	const again = "Nothing was recorded; run the command again."
	if errors.Is(err, context.Canceled) {
		return study.Wrap(study.LockTimeout, err, again, "waiting for %s was interrupted", s)
	}
	if unproven(err) {
		return study.Wrap(study.Usage, bare(err),
			"sslrootcert=FILE for an authority of your own, and the name in the certificate as host of the URL; the server "+
				"needs ssl = on",
			"over TLS %s does not show who it is", s)
	}
	err = bare(err)
	switch c := state(err); {
	case c == "55P03":
		return study.Errorf(study.LockTimeout, "Nothing was written; run the command again, or end that process.",
			"the lock of %s was not obtained in time", s)
	case strings.HasPrefix(c, "28"):
		what, hint := s.at.missing()
		return study.Wrap(study.Usage, err, hint, "authentication failed, %s does not let this user in%s", s, what)
	case c == "3D000":
		return study.Wrap(study.Usage, err, "the database of the URL", "there is no such database: %s", s)
	case c == "3F000", c == "42P01", c == "42883":
		return study.Wrap(study.Usage, err, s.schemaHint(), "the schema %q of %s has not been made", s.at.schema, s)
	case c == "42501":
		return study.Wrap(study.Usage, err,
			fmt.Sprintf("Ask for: GRANT %[1]s_worker TO the user; to read only %[1]s_reader, to archive %[1]s_keeper; GRANT "+
				"CONNECT ON DATABASE where it is the database that is denied.", s.at.schema),
			"this user may not do that in %s", s)
	case strings.HasPrefix(c, "42"):
		return s.foreign(err)
	case c == "53300", c == "53400":
		return study.Wrap(study.NotRecorded, err, again+" Fewer workers at once, or a larger max_connections.",
			"%s has no connection left", s)
	case strings.HasPrefix(c, "53"), strings.HasPrefix(c, "58"):
		return study.Wrap(study.NotRecorded, err,
			"The journal is as it was; make room on the server and run the command again.", "not recorded in %s", s)
	case c == "23514":
		return study.Wrap(study.Damaged, err, "bohier journal verify shows it", "%s refuses the line", s)
	case c == "25006":
		return study.Wrap(study.NotRecorded, err, "Is it a standby? Name the primary in the URL.", "%s is read only", s)
	}
	if readable(err) {
		return study.Wrap(study.Usage, err, "scram-sha-256 in the server's pg_hba.conf",
			"%s asks for a password in a way that shows it", s)
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		return study.Wrap(study.Usage, err, "the host of the URL", "%s cannot be found", s)
	}
	return study.Wrap(study.NotRecorded, err, again, "%s cannot be reached", s)
}

// foreign is the error for tables that no program of this name has made.
func (s *Store) foreign(err error) error {
	return study.Wrap(study.Usage, err,
		"a schema of its own, ?schema=NAME in the URL: bohier journal schema --name NAME | psql DATABASE",
		"the tables in the schema %q of %s are not those of bohier", s.at.schema, s)
}

func (s *Store) schemaHint() string {
	if s.at.schema == "bohier" {
		return "An administrator of the database makes it once: bohier journal schema | psql DATABASE"
	}
	return fmt.Sprintf("An administrator of the database makes it once: bohier journal schema --name %s | psql DATABASE",
		s.at.schema)
}

// bare is what is behind a driver's error that repeats how it connected.
func bare(err error) error {
	if !errors.As(err, new(*pgconn.ConnectError)) {
		return err
	}
	if server, ok := errors.AsType[*pgconn.PgError](err); ok {
		return server
	}
	for inner := err; ; {
		next := errors.Unwrap(inner)
		if next == nil {
			return inner
		}
		if joined, ok := next.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
			next = joined.Unwrap()[len(joined.Unwrap())-1]
		}
		if _, ok := inner.(*net.OpError); ok { //nolint:errorlint // the walk goes from wrapper to wrapper
			return inner
		}
		inner = next
	}
}
