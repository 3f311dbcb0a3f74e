package pgstore

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgpassfile"
	"github.com/jackc/pgservicefile"
	"github.com/jackc/pgx/v5"

	"bohier/internal/lazy"
	"bohier/internal/study"
)

// A Location names a journal in a database.
type Location struct {
	shown  string // for messages: no user, no password
	name   string // of the journal
	schema string
	config *pgx.ConnConfig
	given  bool // by a study file
	// pooled means that a transaction pooler may stand between: no session is kept, so that there are no holds.
	pooled bool
	// Warnings are about the connection.
	Warnings []string
}

// keys are the options that may follow the ? of a location, and whether it goes to the driver.
var keys = map[string]bool{
	"service": true, "sslmode": true, "sslrootcert": true, "sslcert": true, "sslkey": true, "connect_timeout": true,
	"host":   true,
	"schema": false, "pooled": false,
}

// usualPort is that of a server which says nothing else; another one is shown.
const usualPort = 5432

var (
	validName   = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)
	validSchema = lazy.Regexp(`^[a-z_][a-z0-9_]*$`)
)

// checkSchema is the error of a text that cannot name a schema.
func checkSchema(name string) error {
	if validSchema().MatchString(name) && len(name) <= 51 {
		return nil
	}
	return study.Errorf(study.Usage, "small letters, digits and _, at most 51", "%q is no name for a schema", name)
}

// Parse reads a location. name is that of the journal where the location has none. Where a study file says it, trusted
// is false, and only a password counts that is kept for the host by its name (see borrowed).
func Parse(location, name string, trusted bool) (*Location, error) {
	const form = "postgres://[user@]host[:port]/database[?sslmode=…&schema=…][#NAME] or postgres:?service=…[#NAME]"
	if err := study.CheckLocation(location); err != nil {
		return nil, err
	}
	// The location is not shown, as it may hold a password; with one of its signs in it, a
	// password is taken for other parts.
	u, err := url.Parse(location)
	if err != nil || !study.InDatabase(location) || u.Opaque != "" || strings.Contains(u.Path, "@") {
		return nil, study.Errorf(study.Usage, form, "the journal's location is no valid URL")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, study.Errorf(study.Usage, form, "the options after the ? of the journal's URL cannot be read")
	}
	for key, values := range query {
		if _, known := keys[key]; !known || len(values) != 1 {
			return nil, study.Errorf(study.Usage,
				"known: service sslmode sslrootcert sslcert sslkey schema connect_timeout pooled host; each once",
				"the journal's URL has an option that is not known or given twice")
		}
	}
	pooled := query.Get("pooled")
	l := &Location{name: cmp.Or(u.Fragment, name), schema: cmp.Or(query.Get("schema"), "bohier"), given: !trusted,
		pooled: pooled == "true"}
	switch {
	case !validName().MatchString(l.name) || len(l.name) > 100:
		named := fmt.Sprintf("%q", name)
		if u.Fragment != "" {
			named = "the text after the # of the journal's URL"
		}
		return nil, study.Errorf(study.Usage, "letters, digits, _ . and -, at most 100: postgres://…/database#NAME",
			"%s is no name for a journal", named)
	case pooled != "" && !l.pooled:
		return nil, study.Errorf(study.Usage,
			"write pooled=true behind a transaction pooler such as pgbouncer, or else leave it out",
			"pooled must be true or omitted")
	}
	if err := checkSchema(l.schema); err != nil {
		return nil, err
	}
	if err := l.configure(u, query, trusted); err != nil {
		return nil, err
	}
	if l.config.Database == "" {
		return nil, study.Errorf(study.Usage, form, "the journal's URL names no database")
	}
	host, port, options := l.config.Host, "", ""
	if l.config.Port != usualPort {
		port = fmt.Sprint(":", l.config.Port)
	}
	if strings.HasPrefix(host, "/") {
		host, options = "", "?host="+url.QueryEscape(host)
	}
	if l.schema != "bohier" {
		options += map[bool]string{true: "?", false: "&"}[options == ""] + "schema=" + l.schema
	}
	l.shown = fmt.Sprintf("postgres://%s%s/%s%s#%s", host, port, l.config.Database, options, l.name)
	return l, nil
}

// configure makes the driver's configuration, with transport security.
func (l *Location) configure(u *url.URL, query url.Values, trusted bool) error {
	forDriver := maps.Clone(query)
	maps.DeleteFunc(forDriver, func(key string, _ []string) bool { return !keys[key] })
	service, own := query.Get("service"), u.Host != "" || query.Get("host") != ""
	if !trusted {
		if service != "" && own {
			return study.Errorf(study.Usage, "one of the two; or the whole location in --journal or BOHIER_JOURNAL",
				"the study file's URL of the journal names a service and a host: the service's password could be another host's")
		}
		forDriver.Set("password", "") // instead of PGPASSWORD and of a service's
	}
	passwords, open := passwordFile()
	if !trusted || open != "" {
		forDriver.Set("passfile", "")
	}
	forDriver.Set("sslmode", "disable")
	hosts, err := driverConfig(u, forDriver)
	if err != nil {
		return err
	}
	mode, err := l.transport(cmp.Or(query.Get("sslmode"), os.Getenv("PGSSLMODE")), hosts)
	if err != nil {
		return err
	}
	forDriver.Set("sslmode", mode)
	forDriver.Set("require_auth", "scram-sha-256,none") // none: the certificate or the socket says who it is
	if l.config, err = driverConfig(u, forDriver); err != nil {
		return err
	}
	if !trusted {
		l.config.Password = borrowed(l.config, service, passwords, own)
	}
	if l.config.Password == "" && open != "" {
		l.Warnings = append(l.Warnings, open)
	}
	host, _ := os.Hostname()
	l.config.RuntimeParams = map[string]string{
		"application_name": fmt.Sprintf("bohier %d@%s", os.Getpid(), host),
		"client_encoding":  "UTF8", // a database may have another one
	}
	// Nothing is prepared: most sessions are short, and behind a pooler another one may be asked.
	l.config.DefaultQueryExecMode = pgx.QueryExecModeExec
	l.config.ConnectTimeout = cmp.Or(l.config.ConnectTimeout, 10*time.Second)
	return nil
}

// driverConfig is the driver's configuration for a location, with options of its own.
func driverConfig(u *url.URL, options url.Values) (*pgx.ConnConfig, error) {
	d := url.URL{User: u.User, Host: u.Host, Path: u.Path, RawQuery: options.Encode()}
	c, err := pgx.ParseConfig("postgres://" + strings.TrimPrefix(d.String(), "//"))
	if err != nil { // its text may repeat the input
		return nil, study.Errorf(study.Usage, "the host, the service and the certificate files",
			"the journal's location cannot be used: check %s", what(err))
	}
	return c, nil
}

// transport is the sslmode for hosts, where one is asked for or not: a server elsewhere has to show who it is.
func (l *Location) transport(mode string, hosts *pgx.ConnConfig) (string, error) {
	local := isLocal(hosts.Host)
	for _, f := range hosts.Fallbacks {
		local = local && isLocal(f.Host)
	}
	switch {
	case !slices.Contains([]string{"", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"}, mode):
		return "", study.Errorf(study.Usage, "require, verify-ca or verify-full", "unknown sslmode %q", mode)
	case local:
		return cmp.Or(mode, "prefer"), nil
	case mode == "require":
		l.Warnings = append(l.Warnings,
			"sslmode=require encrypts but does not check the server: use verify-full with sslrootcert")
	case mode == "disable" || mode == "allow" || mode == "prefer":
		return "", study.Errorf(study.Usage, "sslmode=verify-full, with sslrootcert=FILE for an authority of your own",
			"sslmode=%s is for servers on this machine: a network could change the server's answers unnoticed", mode)
	}
	return cmp.Or(mode, "verify-full"), nil
}

// what names the fault of a configuration without repeating it.
func what(err error) string {
	for _, word := range []string{"service", "sslcert", "sslkey", "certificate", "TLS", "port", "passfile"} {
		if strings.Contains(err.Error(), word) {
			return "its " + word
		}
	}
	return "host, port and options"
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") ||
		ip != nil && ip.IsLoopback()
}

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

// missing names the password that was not found, and its place.
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
