package study

import (
	"net/url"
	"strings"

	"bohier/internal/lazy"
)

var scheme = lazy.Regexp(`(?i)^([a-z][a-z0-9+.-]+)://|^(s3|postgres|postgresql|https?|sqlite|mysql):`)

// Scheme is that of a journal's location which is no path, in small letters; empty: the
// location is a path. It has more than one letter, as a letter may be a drive.
func Scheme(location string) string {
	m := scheme().FindStringSubmatch(location)
	if m == nil {
		return ""
	}
	return strings.ToLower(m[1] + m[2])
}

// InDatabase reports whether a journal's location is in PostgreSQL.
func InDatabase(location string) bool {
	s := Scheme(location)
	return s == "postgres" || s == "postgresql"
}

// CheckLocation refuses the locations at which no journal can be. No message repeats one, which may hold a password.
func CheckLocation(location string) *Error {
	switch s := Scheme(location); {
	case s == "":
		return nil
	case s == "s3":
		return Errorf(Usage, "a file, or postgres://…", "journals in object stores are not available yet")
	case !InDatabase(location):
		return Errorf(Usage, "a file, or postgres://host/database#NAME", "a journal cannot be kept by %s:", s)
	}
	if u, err := url.Parse(location); err == nil {
		if _, has := u.User.Password(); has || u.Query().Has("password") {
			return Errorf(Usage, "Put it into PGPASSWORD, ~/.pgpass (chmod 600) or a service file, and leave the URL without "+
				"it.",
				"the journal's URL has a password in it: URLs are shown by ps, kept in shell histories and committed with study "+
					"files")
		}
	}
	return nil
}
