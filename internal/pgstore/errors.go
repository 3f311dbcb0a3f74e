package pgstore

import (
	"context"
	"crypto/tls"
	_ "embed"
	"errors"
	"net"
	"slices"
	"strconv"
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

// kindOf is the kind of an error: the server's code or, of an error of the connection, a word of errors.txt;
// empty: any other.
func kindOf(err error) string {
	var dns *net.DNSError
	switch code := state(err); {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case code != "":
		return code
	case strings.Contains(err.Error(), "authentication method requirement"): // in a way that shows the password
		return "readable"
	// A server that does not show who it is. Other errors of TLS are those of a connection that something has changed;
	// if a server on this machine has no TLS, its answer without TLS counts.
	case errors.As(err, new(*tls.CertificateVerificationError)), strings.Contains(bare(err).Error(), "refused TLS"):
		return "unproven"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "unknown"
	}
	return ""
}

// passes are the codes of the server that are those of the connection or of a moment.
const passes = "08 57 53300 40001 40P01 25P03 26000"

// among reports whether one of the words begins a kind.
func among(words, kind string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(word string) bool { return strings.HasPrefix(kind, word) })
}

// passing reports whether it is worth connecting again after an error.
func passing(err error) bool {
	if err == nil || errors.As(err, new(*study.Error)) {
		return false
	}
	kind := kindOf(err)
	return kind == "" || among(passes, kind)
}

// refusals list kinds of errors with their exit code, message and hint; the first that fits counts.
//
//go:embed errors.txt
var refusals string

// explain is an error of the server or the connection as the program's; nothing was recorded.
func (s *Store) explain(err error) error {
	if err == nil || errors.As(err, new(*study.Error)) {
		return err
	}
	return s.refused(kindOf(err), err)
}

// refused is an error of a kind as the program's.
func (s *Store) refused(kind string, err error) *study.Error {
	missing, password := s.at.missing()
	fill := strings.NewReplacer("{store}", s.String(), "{schema}", s.at.schema, "{apply}", s.schemaHint(),
		"{missing}", missing, "{password}", password)
	var row []string
	for block := range strings.SplitSeq(refusals, "\n\n") {
		if row = strings.SplitN(strings.TrimSpace(block), "\n", 3); among(row[0], kind) {
			break // else it is the last one
		}
	}
	code, what, _ := strings.Cut(row[1], " ")
	exit, _ := strconv.Atoi(code)
	return study.Wrap(study.Code(exit), bare(err), fill.Replace(row[2]), "%s", fill.Replace(what))
}

// schemaHint describes how the schema is made.
func (s *Store) schemaHint() string {
	name := ""
	if s.at.schema != "bohier" {
		name = " --name " + s.at.schema
	}
	return "An administrator of the database makes it once: bohier journal schema" + name + " | psql DATABASE"
}

// bare is the cause behind a driver's error that repeats how it connected.
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
