package pgstore

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"bohier/internal/study"
)

func badInput(t *testing.T, c *server) {
	c.SQL("tuning", "CREATE ROLE lina LOGIN PASSWORD '"+password+
		"' CONNECTION LIMIT 0; CREATE SCHEMA future; CREATE TABLE future.meta AS SELECT 9 AS version, 7 AS min_client; "+
		"GRANT USAGE ON SCHEMA future TO wanda; GRANT SELECT ON future.meta TO wanda")
	for schema, tables := range map[string]string{
		"none": "", "empty": "CREATE TABLE empty.meta (version int, min_client int)",
		"others": "CREATE TABLE others.meta (key text, value text); INSERT INTO others.meta VALUES ('a', 'b')",
		"texts":  "CREATE TABLE texts.meta AS SELECT 'one' AS version, 'two' AS min_client",
		"half": "CREATE TABLE half.meta AS SELECT 1 AS version, 1 AS min_client; CREATE TABLE half.journal (title text, " +
			"volume int); CREATE TABLE half.line (name text)",
	} {
		c.SQL("tuning", fmt.Sprintf("CREATE SCHEMA %s; %s; GRANT USAGE ON SCHEMA %[1]s TO wanda; GRANT SELECT ON ALL "+
			"TABLES IN SCHEMA %[1]s TO wanda", schema, tables))
	}
	at := func(user, options string) string { return strings.Replace(c.URL(user, "bad"), "#", options+"#", 1) }
	for what, bad := range map[string]struct {
		url  string
		code study.Code
		says string
	}{
		"no rights":     {c.URL("otto", "bad"), study.Usage, "GRANT bohier_worker"},
		"no such user":  {c.URL("nobody9", "bad"), study.Usage, "does not let this user in"},
		"no connection": {c.URL("lina", "bad"), study.NotRecorded, "has no connection left"},
		"no database": {strings.Replace(c.URL("wanda", "bad"), "/tuning", "/elsewhere", 1), study.Usage,
			"no such database"},
		"no schema":     {at("wanda", "&schema=team_b"), study.Usage, "bohier journal schema --name team_b"},
		"no tables":     {at("wanda", "&schema=none"), study.Usage, "bohier journal schema --name none"},
		"empty meta":    {at("wanda", "&schema=empty"), study.Usage, "meta is empty"},
		"other's meta":  {at("wanda", "&schema=others"), study.Usage, "are not those of bohier"},
		"meta of texts": {at("wanda", "&schema=texts"), study.Usage, "are not those of bohier"},
		"other's rows":  {at("wanda", "&schema=half"), study.Usage, "are not those of bohier"},
		"newer schema":  {at("wanda", "&schema=future"), study.Mismatch, "newer version"},
		"no such socket": {strings.Replace(c.URL("wanda", "bad"), c.Dir, c.Dir+"/nowhere", 1), study.NotRecorded,
			"cannot be reached"},
	} {
		l := mustParse(t, bad.url, "bad", true)
		err := enqueue(t.Context(), options(l.Open(300*time.Millisecond)), "a")
		text := fmt.Sprint(err, hintOf(err))
		if code(err) != bad.code || !strings.Contains(text, bad.says) {
			t.Errorf("%s: exit %d: %s", what, code(err), text)
		}
		if strings.Contains(text, password) {
			t.Errorf("%s: the password is shown: %s", what, text)
		}
	}
	// The schema's SQL fills a meta that was emptied.
	for _, emptied := range []string{"", "; DELETE FROM again.meta"} {
		if _, _, err := Apply(t.Context(), c.URL("postgres", "bad"), "again"); err != nil {
			t.Error(err)
		}
		if rows := c.SQL("tuning", "SELECT count(*) FROM again.meta"+emptied); rows != "1" {
			t.Errorf("meta has %s rows", rows)
		}
	}
	if _, _, err := Apply(t.Context(), c.URL("postgres", "bad"), "again"); err != nil {
		t.Error(err)
	}
	// By loopback, where a connection without TLS follows one that the server refused.
	for _, url := range []string{c.URL("wanda", "bad"), tcp(c, "wanda", "bad", 0)} {
		for password, says := range map[string]string{"wrong": "authentication failed", "": "no password was found"} {
			t.Setenv("PGPASSWORD", password)
			err := enqueue(t.Context(), options(open(t, url)), "a")
			if text := fmt.Sprint(err, hintOf(err)); code(err) != study.Usage || !strings.Contains(text, says) ||
				strings.Contains(text, "TLS") {
				t.Errorf("%s with the password %q: %s", url, password, text)
			}
		}
	}
	t.Setenv("PGPASSWORD", password)
	c.SQL("postgres", "CREATE ROLE clara LOGIN PASSWORD '"+password+"'")
	if err := enqueue(t.Context(), options(open(t, tcp(c, "clara", "bad", 0))), "a"); code(err) != study.Usage ||
		!strings.Contains(err.Error(), "in a way that shows it") {
		t.Errorf("a server that asks for the password as it is: %v", err)
	}
	// A study that somebody sent does not get the password of the environment or of any
	// host, but one that a password file has for its host.
	t.Setenv("PGPASSWORD", password)
	l := mustParse(t, c.URL("wanda", "bad"), "bad", false)
	if err := enqueue(t.Context(), options(l.Open(time.Second)), "a"); code(err) != study.Usage ||
		!strings.Contains(hintOf(err), "PGPASSWORD and * are not used") {
		t.Errorf("a study's own URL was given PGPASSWORD: %v", err)
	}
	file := t.TempDir() + "/pass"
	must(t, os.WriteFile(file, []byte("*:*:tuning:wanda:of-any\n"+c.Dir+":*:tuning:wanda:"+password+"\n"),
		0o600))
	t.Setenv("PGPASSFILE", file)
	l = mustParse(t, c.URL("wanda", "bad"), "bad", false)
	if err := enqueue(t.Context(), options(l.Open(time.Second)), "a"); err != nil {
		t.Errorf("a password file: %v", err)
	}
}

func mustParse(t testing.TB, location, name string, trusted bool) *Location {
	t.Helper()
	l, err := Parse(location, name, trusted)
	must(t, err)
	return l
}

// TestLocations holds which URLs are refused, and that no message repeats them.
func TestLocations(t *testing.T) {
	t.Setenv("PGPASSWORD", "")
	for url, says := range map[string]string{
		"postgres://u:" + password + "@h/db":               "has a password in it",
		"postgres://h/db?password=" + password:             "has a password in it",
		"postgres://h/db?options=-c%20role%3Dx":            "not known or given twice",
		"postgres://h/db?sslmode=disable":                  "servers on this machine",
		"postgres://h/db?sslmode=prefer":                   "servers on this machine",
		"postgres://h/db?pooled=perhaps":                   "pooled must be true or omitted",
		"postgres://h/db?sslmode=nonsense":                 "unknown sslmode",
		"postgres://h/db#a%20b":                            "no name for a journal",
		"postgres://u:12#" + password + "@h/db":            "no name for a journal",
		"postgres://u:12/" + password + "@h/db":            "no valid URL",
		"POSTGRES://u:" + password + "@h/db":               "has a password in it",
		"Https://u:" + password + "@h/db":                  "cannot be kept by https:",
		"postgres://h/db?schema=A;drop":                    "cannot be read",
		"postgres://h/db?schema=Team":                      "no name for a schema",
		"postgres:db":                                      "no valid URL",
		"postgresql:h/db#study":                            "no valid URL",
		"postgres://h":                                     "names no database",
		"postgres:":                                        "names no database",
		"postgres://u:" + password + "@[h/db":              "no valid URL",
		"postgres:?service=nowhere-" + password + "#study": "its service",
	} {
		_, err := Parse(url, "study", true)
		if code(err) != study.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", url, err)
		}
		if text := fmt.Sprint(err, hintOf(err)); strings.Contains(text, password) {
			t.Errorf("%s is repeated: %s", url, text)
		}
	}
	for url, want := range map[string]string{
		"postgres://wanda@db.example.org/tuning":               "postgres://db.example.org/tuning#study",
		"postgresql://db.example.org:6432/tuning#n":            "postgres://db.example.org:6432/tuning#n",
		"PostgreSQL://db.example.org/tuning#n":                 "postgres://db.example.org/tuning#n",
		"postgres://db.example.org/tuning?schema=team_a#n":     "postgres://db.example.org/tuning?schema=team_a#n",
		"postgres:///tuning?host=/run/postgresql&schema=ab#n2": "postgres:///tuning?host=%2Frun%2Fpostgresql&schema=ab#n2",
	} {
		l, err := Parse(url, "study", true)
		if err != nil || l.shown != want {
			t.Errorf("%s is shown as %v, %v", url, l, err)
			continue
		}
		if c := l.config; !isLocal(c.Host) && (c.TLSConfig == nil || c.TLSConfig.InsecureSkipVerify || len(c.Fallbacks) > 0) {
			t.Errorf("%s is not verified", url)
		}
	}
}

// TestPatience holds that a wrong address is told soon, and a server that is full or starts
// is waited for as long as for the lock.
func TestPatience(t *testing.T) {
	t.Setenv("PGPASSWORD", "")
	l := mustParse(t, "postgres://localhost/db#study", "study", true)
	s := l.Open(time.Hour)
	for cause, want := range map[error]time.Duration{
		io.ErrUnexpectedEOF: firstTime, &pgconn.PgError{Code: "53300"}: time.Hour, &pgconn.PgError{Code: "57P03"}: time.Hour,
	} {
		if got := s.worth(cause, time.Hour); got != want {
			t.Errorf("%v is worth %v, not %v", cause, got, want)
		}
	}
	s.met.Store(true)
	if got := s.worth(io.ErrUnexpectedEOF, time.Hour); got != time.Hour {
		t.Errorf("a server that was there is waited for %v", got)
	}
}

// A server without TLS that is killed while it is asked again without is not one that does not show who it is.
func TestKilledBetweenAttempts(t *testing.T) {
	t.Setenv("PGPASSWORD", "")
	server, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer server.Close()
	go func() {
		for n := 0; ; n++ {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(conn, make([]byte, 8))
			if n%2 == 0 {
				_, _ = conn.Write([]byte("N"))
			} else {
				_ = conn.(*net.TCPConn).SetLinger(0) // closing resets the connection
			}
			conn.Close()
		}
	}()
	l := mustParse(t, fmt.Sprintf("postgres://wanda@%s/db#study", server.Addr()), "study", true)
	s := l.Open(time.Hour)
	_, err = s.dial(t.Context(), false)
	var code *study.Error
	if !passing(err) || !errors.As(s.explain(err), &code) || code.Code != study.NotRecorded {
		t.Errorf("passing %v: %v", passing(err), s.explain(err))
	}
}
