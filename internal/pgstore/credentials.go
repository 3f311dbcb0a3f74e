package pgstore

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/jackc/pgpassfile"
	"github.com/jackc/pgservicefile"
	"github.com/jackc/pgx/v5"
)

// borrowed is the password for a location that a study file gives. Who sends a study must not
// choose who sees a password, so it is one that the user wrote down for this very host: in a
// service, where that and not the location (own) names the host, or in lines of the password
// file with the host's name. Several hosts are tried with one password: all must have it.
func borrowed(c *pgx.ConnConfig, service, passwords string, own bool) string {
	if service == "" && !own {
		service = os.Getenv("PGSERVICE")
	}
	if file, err := pgservicefile.ReadServicefile(userFile("PGSERVICEFILE", ".pg_service.conf")); err == nil &&
		service != "" {
		if s, err := file.GetService(service); err == nil && s.Settings["password"] != "" {
			return s.Settings["password"]
		}
	}
	file, err := pgpassfile.ReadPassfile(passwords)
	if err != nil {
		return ""
	}
	password := written(file, c, c.Host, c.Port, own)
	for _, f := range c.Fallbacks {
		if written(file, c, f.Host, f.Port, own) != password {
			return ""
		}
	}
	return password
}

// written is the password that a file has for a host by its name.
func written(file *pgpassfile.Passfile, c *pgx.ConnConfig, host string, port uint16, own bool) string {
	fits := func(field, value string) bool { return field == "*" || field == value }
	for _, e := range file.Entries {
		named := e.Hostname == host || e.Hostname == "localhost" && !own && strings.HasPrefix(host, "/")
		if named && fits(e.Port, strconv.Itoa(int(port))) && fits(e.Database, c.Database) && fits(e.Username, c.User) {
			return e.Password
		}
	}
	return ""
}

// passwordFile is the user's; empty, with the reason, where everybody may read it. A group may:
// a container's user gets a secret by its group.
func passwordFile() (file, why string) {
	file = userFile("PGPASSFILE", ".pgpass")
	info, err := os.Stat(file)
	if err == nil && runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode().Perm()&0o007 != 0 {
		return "", fmt.Sprintf("the password file %s is not used, as everybody may read it or write to it: chmod 600", file)
	}
	return file, ""
}

// missing says which password was not found, and where it would be.
func (l *Location) missing() (what, hint string) {
	if l.config.Password == "" {
		what = ", and no password was found"
	}
	hint = "the user of the URL, and PGPASSWORD, ~/.pgpass or the service file"
	if l.given {
		hint = fmt.Sprintf("the user of the URL, and its password: a line of ~/.pgpass that begins with %s: (PGPASSWORD "+
			"and * are not used for a host that a study file names), or the URL in --journal or BOHIER_JOURNAL", l.config.Host)
	}
	return what, hint
}

// userFile is where a user keeps such a file.
func userFile(variable, name string) string {
	if file := os.Getenv(variable); file != "" {
		return file
	}
	if runtime.GOOS == "windows" {
		return filepath.Join(os.Getenv("APPDATA"), "postgresql", strings.Replace(name, ".pgpass", "pgpass.conf", 1))
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, name)
}
