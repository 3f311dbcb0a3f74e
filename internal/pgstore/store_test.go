package pgstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"bohier/internal/journal"
	"bohier/internal/journal/storetest"
	"bohier/internal/pgstore/pgtest"
	"bohier/internal/study"
)

// cluster is one server for the tests of this package that leave it as it is.
func cluster(t testing.TB, config ...string) *pgtest.Cluster {
	t.Helper()
	text, err := Schema("bohier")
	if err != nil {
		t.Fatal(err)
	}
	c := pgtest.Start(t, text, config...)
	t.Setenv("PGPASSWORD", pgtest.Password)
	return c
}

func open(t testing.TB, url string) *Store {
	t.Helper()
	l, err := Parse(url, "study", true)
	if err != nil {
		t.Fatal(err)
	}
	return l.Open(20 * time.Second)
}

func options(s *Store) journal.Options {
	seed := uint64(42)
	return journal.Options{Store: s, Seed: &seed, Study: json.RawMessage(`{"space":{}}`), LockTimeout: 30 * time.Second}
}

func code(err error) study.Code {
	var e *study.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

func TestPostgres(t *testing.T) {
	c := cluster(t)
	t.Run("promises", func(t *testing.T) {
		storetest.Run(t, func(t testing.TB, name string) journal.Options { return options(open(t, c.URL("wanda", name))) })
	})
	t.Run("tables", func(t *testing.T) { tables(t, c) })
	t.Run("encodings", func(t *testing.T) { encodings(t, c) })
	t.Run("rights", func(t *testing.T) { rights(t, c) })
	t.Run("described", func(t *testing.T) { described(t, c) })
	t.Run("bad input", func(t *testing.T) { badInput(t, c) })
	t.Run("lock", func(t *testing.T) { lockTest(t, c) })
	t.Run("stopped", func(t *testing.T) { stopped(t, c) })
	t.Run("damage", func(t *testing.T) { damage(t, c) })
	t.Run("mutations", func(t *testing.T) { mutated(t, c) })
	t.Run("holds", func(t *testing.T) { holdsTest(t, c) })
	t.Run("sessions", func(t *testing.T) { sessions(t, c) })
	t.Run("shared session", func(t *testing.T) { shared(t, c) })
	t.Run("old server", func(t *testing.T) { old(t, c) })
	t.Run("disk full", func(t *testing.T) { crowded(t, c) })
	t.Run("pooler", func(t *testing.T) { pooler(t, c) })
	t.Run("commit unknown", func(t *testing.T) { network(t, c, "unknown", "", false) })
	t.Run("twin", func(t *testing.T) { twin(t, c) })
	t.Run("tls", func(t *testing.T) { encrypted(t, c) })
	t.Run("clocks", func(t *testing.T) { clocks(t, c) })
	t.Run("restarts", func(t *testing.T) { restarts(t, c) })
}

// tables holds what a journal is in the tables: a head that names the last line, and the
// kind of lock that a copy can have anywhere.
func tables(t *testing.T, c *pgtest.Cluster) {
	s, _, err := journal.Read(t.Context(), options(open(t, c.URL("rita", "round"))))
	if err != nil || len(s.Trials) != 5 || s.Header.Lock != journal.LockLease {
		t.Fatalf("read by a reader: %+v, %v", s, err)
	}
	if head := c.SQL("tuning", "SELECT seq FROM bohier.journal WHERE name = 'round'"); head != fmt.Sprint(s.Seq) {
		t.Errorf("the head is %s, the last record %d", head, s.Seq)
	}
}

// encodings holds that the encoding of a database is no matter: lines are bytes.
func encodings(t *testing.T, c *pgtest.Cluster) {
	text, err := Schema("bohier")
	if err != nil {
		t.Fatal(err)
	}
	for _, encoding := range []string{"SQL_ASCII", "LATIN1"} {
		name := strings.ToLower(encoding)
		c.SQL("postgres", fmt.Sprintf("CREATE DATABASE %s ENCODING %s LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0", name, encoding))
		c.SQL(name, text)
		o := options(open(t, strings.Replace(c.URL("wanda", "other"), "/tuning", "/"+name, 1)))
		if id, err := storetest.Reserve(t.Context(), o, "größer"); err != nil {
			t.Errorf("%s: %v", encoding, err)
		} else if s, _, err := journal.Read(t.Context(), o); err != nil || s.ByKey("größer") == nil {
			t.Errorf("%s: %s is not there: %v", encoding, id, err)
		}
	}
}

// rights holds what the roles may do, and that nobody may change a line.
func rights(t *testing.T, c *pgtest.Cluster) {
	o := options(open(t, c.URL("wanda", "rights")))
	if err := storetest.Enqueue(t.Context(), o, "a"); err != nil {
		t.Fatal(err)
	}
	denied := func(user, statement string) {
		t.Helper()
		s := open(t, c.URL(user, "rights"))
		conn, err := s.dial(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		defer closeNow(conn)
		if _, err := conn.Exec(t.Context(), statement); state(err) != "42501" {
			t.Errorf("%s: %s: %v", user, statement, err)
		}
	}
	for _, user := range []string{"wanda", "rita", "karl"} {
		for _, statement := range []string{
			"INSERT INTO bohier.journal (name) VALUES ('x')", "UPDATE bohier.journal SET seq = 0", "DELETE FROM bohier.line",
			"TRUNCATE bohier.line", "UPDATE bohier.line SET line = line", "SELECT * FROM bohier.journal FOR UPDATE",
			"CREATE TABLE bohier.mine (x int)", "INSERT INTO bohier.beat VALUES (1, 'x', 1)", "UPDATE bohier.meta SET version = 9",
			"SELECT bohier.crc32c('x')",
		} {
			denied(user, statement)
		}
	}
	for _, statement := range []string{"SELECT bohier.append('rights', 0, '00000000', '{}')", "SELECT * FROM bohier.head('rights')", "SELECT bohier.beat('rights', 'x', 1)"} {
		denied("rita", statement)
	}
	denied("wanda", "SELECT bohier.archive('rights', 'x')")
	// A reader reads where nothing can be written, and writes no log. (What the server itself
	// writes now and then gets another try.)
	r := options(open(t, c.URL("rita", "rights")))
	for try := 0; ; try++ {
		c.SQL("tuning", "CHECKPOINT")
		before := c.SQL("tuning", "SELECT pg_current_wal_insert_lsn()")
		if _, _, err := journal.Read(t.Context(), r); err != nil {
			t.Error(err)
		}
		if _, err := journal.Verify(t.Context(), r); err != nil {
			t.Error(err)
		}
		if _, err := journal.Beats(t.Context(), r); err != nil {
			t.Error(err)
		}
		after := c.SQL("tuning", "SELECT pg_current_wal_insert_lsn()")
		if after == before {
			break
		}
		if try == 3 {
			t.Errorf("reading moved the log from %s to %s", before, after)
			break
		}
	}
	if err := storetest.Enqueue(t.Context(), r, "b"); code(err) != study.Usage || !strings.Contains(hintOf(err), "GRANT bohier_worker") {
		t.Errorf("a reader that writes: %v; %s", err, hintOf(err))
	}
	if _, err := journal.Archive(t.Context(), o, ""); code(err) != study.Usage || !strings.Contains(hintOf(err), "bohier_keeper") {
		t.Errorf("a worker that archives: %v", err)
	}
	k := options(open(t, c.URL("karl", "rights")))
	name, err := journal.Archive(t.Context(), k, "")
	if err != nil || !strings.Contains(name, "#rights.") {
		t.Errorf("archive: %s, %v", name, err)
	}
	if s, _, err := journal.Read(t.Context(), o); err == nil && s.Exists {
		t.Error("the archived journal is still there")
	}
}

// described holds what is told of a server, that a standby which is not waited for is told, and
// that the tables are as before.
func described(t *testing.T, c *pgtest.Cluster) {
	rows := func() string {
		return c.SQL("tuning", "SELECT (SELECT count(*) FROM bohier.journal), (SELECT count(*) FROM bohier.line)")
	}
	before := rows()
	s := open(t, c.URL("wanda", "described"))
	d, err := s.Describe(t.Context())
	if err != nil || d.Fsync != "on" || d.Full != "on" || d.Append <= 0 || d.Commits <= 0 || len(d.Problems) > 0 || len(d.Warnings) > 0 {
		t.Errorf("%+v, %v", d, err)
	}
	t.Run("standby", func(t *testing.T) {
		c.In(t).Receive()
		if d, err := s.Describe(t.Context()); err != nil || d.Async != 1 || len(d.Warnings) != 1 || len(d.Problems) > 0 {
			t.Errorf("%+v, %v", d, err)
		}
	})
	if after := rows(); after != before {
		t.Errorf("journals and lines: %s, and %s before", after, before)
	}
}

func hintOf(err error) string {
	var e *study.Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

func badInput(t *testing.T, c *pgtest.Cluster) {
	c.SQL("tuning", "CREATE ROLE lina LOGIN PASSWORD '"+pgtest.Password+"' CONNECTION LIMIT 0; CREATE SCHEMA future; CREATE TABLE future.meta AS SELECT 9 AS version, 7 AS min_client; GRANT USAGE ON SCHEMA future TO wanda; GRANT SELECT ON future.meta TO wanda")
	for schema, tables := range map[string]string{
		"none": "", "empty": "CREATE TABLE empty.meta (version int, min_client int)",
		"others": "CREATE TABLE others.meta (key text, value text); INSERT INTO others.meta VALUES ('a', 'b')",
		"texts":  "CREATE TABLE texts.meta AS SELECT 'one' AS version, 'two' AS min_client",
		"half":   "CREATE TABLE half.meta AS SELECT 1 AS version, 1 AS min_client; CREATE TABLE half.journal (title text, volume int); CREATE TABLE half.line (name text)",
	} {
		c.SQL("tuning", fmt.Sprintf("CREATE SCHEMA %s; %s; GRANT USAGE ON SCHEMA %[1]s TO wanda; GRANT SELECT ON ALL TABLES IN SCHEMA %[1]s TO wanda", schema, tables))
	}
	at := func(user, options string) string { return strings.Replace(c.URL(user, "bad"), "#", options+"#", 1) }
	for what, bad := range map[string]struct {
		url  string
		code study.Code
		says string
	}{
		"no rights":      {c.URL("otto", "bad"), study.Usage, "GRANT bohier_worker"},
		"no such user":   {c.URL("nobody9", "bad"), study.Usage, "does not let this user in"},
		"no connection":  {c.URL("lina", "bad"), study.NotRecorded, "has no connection left"},
		"no database":    {strings.Replace(c.URL("wanda", "bad"), "/tuning", "/elsewhere", 1), study.Usage, "no such database"},
		"no schema":      {at("wanda", "&schema=team_b"), study.Usage, "bohier journal schema --name team_b"},
		"no tables":      {at("wanda", "&schema=none"), study.Usage, "bohier journal schema --name none"},
		"empty meta":     {at("wanda", "&schema=empty"), study.Usage, "meta is empty"},
		"other's meta":   {at("wanda", "&schema=others"), study.Usage, "are not those of bohier"},
		"meta of texts":  {at("wanda", "&schema=texts"), study.Usage, "are not those of bohier"},
		"other's rows":   {at("wanda", "&schema=half"), study.Usage, "are not those of bohier"},
		"newer schema":   {at("wanda", "&schema=future"), study.Mismatch, "newer version"},
		"no such socket": {strings.Replace(c.URL("wanda", "bad"), c.Dir, c.Dir+"/nowhere", 1), study.NotRecorded, "cannot be reached"},
	} {
		l, err := Parse(bad.url, "bad", true)
		if err != nil {
			t.Fatal(err)
		}
		err = storetest.Enqueue(t.Context(), options(l.Open(300*time.Millisecond)), "a")
		text := fmt.Sprint(err, hintOf(err))
		if code(err) != bad.code || !strings.Contains(text, bad.says) {
			t.Errorf("%s: exit %d: %s", what, code(err), text)
		}
		if strings.Contains(text, pgtest.Password) {
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
	for _, url := range []string{c.URL("wanda", "bad"), c.TCP("wanda", "bad", 0)} {
		for password, says := range map[string]string{"wrong": "authentication failed", "": "no password was found"} {
			t.Setenv("PGPASSWORD", password)
			err := storetest.Enqueue(t.Context(), options(open(t, url)), "a")
			if text := fmt.Sprint(err, hintOf(err)); code(err) != study.Usage || !strings.Contains(text, says) || strings.Contains(text, "TLS") {
				t.Errorf("%s with the password %q: %s", url, password, text)
			}
		}
	}
	t.Setenv("PGPASSWORD", pgtest.Password)
	c.SQL("postgres", "CREATE ROLE clara LOGIN PASSWORD '"+pgtest.Password+"'")
	if err := storetest.Enqueue(t.Context(), options(open(t, c.TCP("clara", "bad", 0))), "a"); code(err) != study.Usage || !strings.Contains(err.Error(), "in a way that shows it") {
		t.Errorf("a server that asks for the password as it is: %v", err)
	}
	// A study that somebody sent does not get the password of the environment or of any
	// host, but one that a password file has for its host.
	t.Setenv("PGPASSWORD", pgtest.Password)
	l, err := Parse(c.URL("wanda", "bad"), "bad", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := storetest.Enqueue(t.Context(), options(l.Open(time.Second)), "a"); code(err) != study.Usage || !strings.Contains(hintOf(err), "PGPASSWORD and * are not used") {
		t.Errorf("a study's own URL was given PGPASSWORD: %v", err)
	}
	file := t.TempDir() + "/pass"
	if err := os.WriteFile(file, []byte("*:*:tuning:wanda:of-any\n"+c.Dir+":*:tuning:wanda:"+pgtest.Password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PGPASSFILE", file)
	if l, err = Parse(c.URL("wanda", "bad"), "bad", false); err != nil {
		t.Fatal(err)
	}
	if err := storetest.Enqueue(t.Context(), options(l.Open(time.Second)), "a"); err != nil {
		t.Errorf("a password file: %v", err)
	}
}

// TestLocations holds which URLs are refused, and that no message repeats them.
func TestLocations(t *testing.T) {
	t.Setenv("PGPASSWORD", "")
	for url, says := range map[string]string{
		"postgres://u:" + pgtest.Password + "@h/db":               "has a password in it",
		"postgres://h/db?password=" + pgtest.Password:             "has a password in it",
		"postgres://h/db?options=-c%20role%3Dx":                   "not known or given twice",
		"postgres://h/db?sslmode=disable":                         "servers on this machine",
		"postgres://h/db?sslmode=prefer":                          "servers on this machine",
		"postgres://h/db?pooled=perhaps":                          "pooled is true or not there",
		"postgres://h/db?sslmode=nonsense":                        "unknown sslmode",
		"postgres://h/db#a%20b":                                   "no name for a journal",
		"postgres://u:12#" + pgtest.Password + "@h/db":            "no name for a journal",
		"postgres://u:12/" + pgtest.Password + "@h/db":            "no valid URL",
		"POSTGRES://u:" + pgtest.Password + "@h/db":               "has a password in it",
		"Https://u:" + pgtest.Password + "@h/db":                  "cannot be kept by https:",
		"postgres://h/db?schema=A;drop":                           "cannot be read",
		"postgres://h/db?schema=Team":                             "no name for a schema",
		"postgres:db":                                             "no valid URL",
		"postgresql:h/db#study":                                   "no valid URL",
		"postgres://h":                                            "names no database",
		"postgres:":                                               "names no database",
		"postgres://u:" + pgtest.Password + "@[h/db":              "no valid URL",
		"postgres:?service=nowhere-" + pgtest.Password + "#study": "its service",
	} {
		_, err := Parse(url, "study", true)
		if code(err) != study.Usage || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", url, err)
		}
		if text := fmt.Sprint(err, hintOf(err)); strings.Contains(text, pgtest.Password) {
			t.Errorf("%s is repeated: %s", url, text)
		}
	}
	for url, want := range map[string]string{
		"postgres://wanda@db.example.org/tuning":               "postgres://db.example.org/tuning#study",
		"postgresql://db.example.org:6432/tuning#n":            "postgres://db.example.org/tuning#n",
		"PostgreSQL://db.example.org/tuning#n":                 "postgres://db.example.org/tuning#n",
		"postgres://db.example.org/tuning?schema=team_a#n":     "postgres://db.example.org/tuning?schema=team_a#n",
		"postgres:///tuning?host=/run/postgresql&schema=ab#n2": "postgres:///tuning?host=%2Frun%2Fpostgresql&schema=ab#n2",
	} {
		l, err := Parse(url, "study", true)
		if err != nil || l.String() != want {
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
	l, err := Parse("postgres://localhost/db#study", "study", true)
	if err != nil {
		t.Fatal(err)
	}
	s := l.Open(time.Hour)
	for cause, want := range map[error]time.Duration{
		io.ErrUnexpectedEOF: firstTime, &pgconn.PgError{Code: "53300"}: time.Hour, &pgconn.PgError{Code: "57P03"}: time.Hour,
	} {
		if got := s.worth(cause, time.Hour); got != want {
			t.Errorf("%v is worth %v, not %v", cause, got, want)
		}
	}
	s.met = true
	if got := s.worth(io.ErrUnexpectedEOF, time.Hour); got != time.Hour {
		t.Errorf("a server that was there is waited for %v", got)
	}
}

func lockTest(t *testing.T, c *pgtest.Cluster) {
	s := open(t, c.URL("wanda", "lock"))
	o := options(s)
	if err := storetest.Enqueue(t.Context(), o, "first"); err != nil {
		t.Fatal(err)
	}
	held, err := s.Lock(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	// The server ends a silent holder's turn; its late append does nothing.
	conn := held.(*turn).conn
	if _, err := conn.Exec(t.Context(), "SET LOCAL idle_in_transaction_session_timeout = '200ms'"); err != nil {
		t.Fatal(err)
	}
	other := options(open(t, c.URL("wanda", "lock")))
	other.LockTimeout = 20 * time.Second
	if err := storetest.Enqueue(t.Context(), other, "second"); err != nil {
		t.Errorf("after a silent holder: %v", err)
	}
	if err := held.Append(t.Context(), journal.Pos{}, [][]byte{[]byte("{}\n")}); !errors.Is(err, journal.ErrMoved) {
		t.Errorf("a late append: %v", err)
	}
	held.Close()
	// Where every turn is cut short the error says by what.
	other.LockTimeout = 300 * time.Millisecond
	other.Store = cutting{other.Store}
	if err := storetest.Enqueue(t.Context(), other, "cut short"); code(err) != study.LockTimeout || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Errorf("turns that were cut short: %v", err)
	}
	// What does not follow the last line is refused by the server itself.
	for _, line := range []string{`{}`, `{"seq":1,"prev":"00000000","t":"x","crc":"00000000"}`, `{"seq":99,"prev":"00000000","t":"x","crc":"00000000"}`} {
		held, err := open(t, c.URL("wanda", "lock")).Lock(t.Context(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		state, _, err := journal.Read(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		chunk, _ := s.Read(t.Context(), journal.Pos{})
		lines := strings.Split(strings.TrimSpace(string(chunk.Lines)), "\n")
		end := journal.Pos{Seq: state.Seq, Sum: sumOf([]byte(lines[len(lines)-1]))}
		if err := held.Append(t.Context(), end, [][]byte{[]byte(line)}); code(err) != study.Damaged {
			t.Errorf("%s: %v", line, err)
		}
		held.Close()
	}
}

// cutting is a store whose connections end while something is appended.
type cutting struct{ journal.Store }

func (s cutting) Lock(ctx context.Context, timeout time.Duration) (journal.Appender, error) {
	turn, err := s.Store.Lock(ctx, timeout)
	return cuttingTurn{turn}, err
}

type cuttingTurn struct{ journal.Appender }

func (t cuttingTurn) Append(context.Context, journal.Pos, [][]byte) error {
	return t.Appender.(*turn).again(io.ErrUnexpectedEOF)
}

// damage holds that what a superuser does to the lines is reported.
func damage(t *testing.T, c *pgtest.Cluster) {
	o := options(open(t, c.URL("wanda", "damage")))
	for k := range 6 {
		if err := storetest.Enqueue(t.Context(), o, fmt.Sprint(k)); err != nil {
			t.Fatal(err)
		}
	}
	const its = "journal = (SELECT id FROM bohier.journal WHERE name = 'damage')"
	c.SQL("tuning", "CREATE TABLE kept AS SELECT * FROM bohier.line WHERE "+its)
	for what, change := range map[string]string{
		"an edited line":  "UPDATE bohier.line SET line = overlay(line placing '\\x39'::bytea from 30) WHERE seq = 3 AND " + its,
		"a deleted line":  "DELETE FROM bohier.line WHERE seq = 3 AND " + its,
		"the last line":   "DELETE FROM bohier.line WHERE seq = 7 AND " + its,
		"all lines":       "DELETE FROM bohier.line WHERE " + its,
		"a foreign row":   "INSERT INTO bohier.line SELECT id, 8, 'hello' FROM bohier.journal WHERE name = 'damage'",
		"swapped lines":   "UPDATE bohier.line l SET line = (SELECT line FROM kept k WHERE k.seq = 9 - l.seq) WHERE seq IN (4, 5) AND " + its,
		"the head moved":  "UPDATE bohier.journal SET seq = 5 WHERE name = 'damage'",
		"another's lines": "UPDATE bohier.line l SET line = (SELECT line FROM bohier.line o WHERE o.seq = 3 AND o.journal = (SELECT id FROM bohier.journal WHERE name = 'round')) WHERE seq = 3 AND " + its,
	} {
		c.SQL("tuning", change)
		fresh := options(open(t, c.URL("rita", "damage")))
		_, _, err := journal.Read(t.Context(), fresh)
		if code(err) != study.Damaged || !strings.Contains(hintOf(err), "bohier journal copy copy.jsonl 'postgres:") {
			t.Errorf("%s: %v; %s", what, err, hintOf(err))
		}
		rep, err := journal.Verify(t.Context(), fresh)
		if err != nil || len(rep.Problems) == 0 {
			t.Errorf("%s: verify: %+v, %v", what, rep, err)
		}
		if err := cured(t, c, fresh); err != nil {
			t.Errorf("%s: by way of a copy: %v", what, err)
		}
		if err := storetest.Enqueue(t.Context(), options(open(t, c.URL("wanda", "damage"))), "more"); code(err) != study.Damaged {
			t.Errorf("%s: written to: %v", what, err)
		}
		c.SQL("tuning", "DELETE FROM bohier.line WHERE "+its+"; INSERT INTO bohier.line SELECT * FROM kept; UPDATE bohier.journal SET seq = 7 WHERE name = 'damage'")
	}
	// A process that goes on notices a server that forgot.
	c.SQL("tuning", "DELETE FROM bohier.line WHERE seq = 7 AND "+its+`;
UPDATE bohier.journal SET seq = 6, sum = (SELECT convert_from(substring(line FROM length(line) - 9 FOR 8), 'UTF8') FROM kept WHERE seq = 6) WHERE name = 'damage'`)
	o.Memory = &journal.Memory{}
	if _, _, err := journal.Read(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	c.SQL("tuning", "DELETE FROM bohier.line WHERE seq = 6 AND "+its+`;
UPDATE bohier.journal SET seq = 5, sum = (SELECT convert_from(substring(line FROM length(line) - 9 FOR 8), 'UTF8') FROM kept WHERE seq = 5) WHERE name = 'damage'`)
	if _, _, err := journal.Read(t.Context(), o); code(err) != study.Damaged || !strings.Contains(err.Error(), "rolled back") {
		t.Errorf("a server that forgot a record: %v", err)
	}
}

// cured repairs a damaged journal by way of a file, and copies that to another name.
func cured(t *testing.T, c *pgtest.Cluster, damaged journal.Options) error {
	lines, err := journal.Follow(damaged).Next(t.Context())
	if code(err) != study.Damaged || len(lines) == 0 {
		return nil // of a journal that lost all its lines there is nothing to repair
	}
	file := damaged
	file.Store, file.Memory, file.Path = nil, nil, filepath.Join(t.TempDir(), "copy.jsonl")
	if err := os.WriteFile(file.Path, lines, 0o666); err != nil {
		return err
	}
	if _, err := journal.Repair(t.Context(), file, true); err != nil {
		return err
	}
	cures++
	back := options(open(t, c.URL("wanda", fmt.Sprint("cured", cures))))
	if _, err := journal.Copy(t.Context(), file, back); err != nil {
		return err
	}
	return storetest.Enqueue(t.Context(), back, "after the cure")
}

var cures int

func holdsTest(t *testing.T, c *pgtest.Cluster) {
	a, b := open(t, c.URL("wanda", "holds")), open(t, c.URL("wanda", "holds"))
	if err := storetest.Enqueue(t.Context(), options(a), "a"); err != nil {
		t.Fatal(err)
	}
	release, ok, err := a.Hold(t.Context(), 3)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, err := b.Hold(t.Context(), 3); ok || err != nil {
		t.Errorf("held twice: %v, %v", ok, err)
	}
	if _, ok, err := a.Hold(t.Context(), 3); ok || err != nil {
		t.Errorf("held twice by one process: %v, %v", ok, err)
	}
	held := func(n int) bool {
		turn, err := b.Lock(t.Context(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer turn.Close()
		return turn.Held(n)
	}
	if !held(3) || held(4) {
		t.Error("what is held is not seen, or what is not is")
	}
	c.SQL("tuning", `CREATE FUNCTION public.crowded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER crowded BEFORE INSERT ON bohier.line FOR EACH ROW EXECUTE FUNCTION public.crowded()`)
	err = storetest.Enqueue(t.Context(), options(a), "b")
	c.SQL("tuning", "DROP TRIGGER crowded ON bohier.line; DROP FUNCTION public.crowded()")
	if !study.HasCode(err, study.NotRecorded) || !held(3) {
		t.Errorf("after a line that the server refused: %v, held %v", err, held(3))
	}
	release()
	for try := 0; held(3); try++ { // the server hears of it a little later
		if try == 200 {
			t.Fatal("what was released is still held")
		}
		time.Sleep(50 * time.Millisecond)
	}
	// Watch returns where what was read is gone with its journal.
	if err := open(t, c.URL("wanda", "never-begun")).Watch(t.Context(), 3); err != nil {
		t.Error(err)
	}
	// Watch wakes for what is appended.
	woken := make(chan error, 1)
	state, _, err := journal.Read(t.Context(), options(b))
	if err != nil {
		t.Fatal(err)
	}
	go func() { woken <- b.Watch(t.Context(), state.Seq) }()
	time.Sleep(50 * time.Millisecond)
	if err := storetest.Enqueue(t.Context(), options(a), "b"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-woken:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("nobody was woken")
	}
}

// shared holds that the workers of a process use one session, those who come first before
// the others, and that who waits for it in vain is told so.
func shared(t *testing.T, c *pgtest.Cluster) {
	c.SQL("tuning", "CREATE ROLE una LOGIN PASSWORD '"+pgtest.Password+"' CONNECTION LIMIT 1; GRANT bohier_worker TO una")
	s := open(t, c.URL("una", "shared"))
	if err := storetest.Enqueue(t.Context(), options(s), "first"); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	errs := make([]error, 32)
	for k := range 16 {
		group.Go(func() { errs[k] = storetest.Enqueue(t.Context(), options(s), fmt.Sprint(k)) })
		group.Go(func() { errs[16+k] = s.Beat(t.Context(), fmt.Sprint("w/", k), 1) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	beats, err := s.Beats(t.Context())
	if state, _, failed := journal.Read(t.Context(), options(s)); err != nil || failed != nil || len(beats) != 16 || len(keysOf(state)) != 17 {
		t.Errorf("%d beats of 16 and %d keys of 17: %v, %v", len(beats), len(keysOf(state)), err, failed)
	}
	turn, err := s.Lock(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lock(t.Context(), 100*time.Millisecond); code(err) != study.LockTimeout || !strings.Contains(err.Error(), "other workers of this process") {
		t.Errorf("the session is in use: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Lock(ended, time.Minute); code(err) != study.LockTimeout {
		t.Errorf("waiting for the session, interrupted: %v", err)
	}
	if _, ok, err := turn.Hold(t.Context(), 7); err != nil || !ok {
		t.Fatal(ok, err)
	}
	turn.Close()
	// Who waits for the lock in vain loses nothing that the process holds.
	other, err := open(t, c.URL("wanda", "shared")).Lock(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lock(t.Context(), 100*time.Millisecond); code(err) != study.LockTimeout || !strings.Contains(err.Error(), "held by") {
		t.Errorf("the lock of another process: %v", err)
	}
	if !other.Held(7) || other.Held(8) {
		t.Error("the process does not hold what it held")
	}
	other.Close()
	if err := storetest.Enqueue(t.Context(), options(s), "after all"); err != nil {
		t.Error(err)
	}
}

// sessions holds that a process that has reserved a number and has the turn to compute
// needs one session, and that others wait for one where the server has no more.
func sessions(t *testing.T, c *pgtest.Cluster) {
	c.SQL("tuning", "CREATE ROLE sola LOGIN PASSWORD '"+pgtest.Password+"' CONNECTION LIMIT 1; GRANT bohier_worker TO sola")
	first := options(open(t, c.URL("sola", "sessions")))
	first.Hold = &journal.Hold{}
	id, err := storetest.Reserve(t.Context(), first, "")
	if err != nil {
		t.Fatal(err)
	}
	release, ok, err := first.Hold.Compute(t.Context(), first)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	others := make(chan error, 1)
	go func() {
		others <- storetest.Enqueue(t.Context(), options(open(t, c.URL("sola", "sessions"))), "other")
	}()
	for k := range 3 {
		if err := storetest.Enqueue(t.Context(), first, fmt.Sprint(k)); err != nil {
			t.Fatal(err)
		}
	}
	taken, err := storetest.Reserve(t.Context(), options(open(t, c.URL("wanda", "sessions"))), "")
	if number, _, _ := strings.Cut(id, "-"); err != nil || strings.HasPrefix(taken, number+"-") {
		t.Errorf("what is held was taken: %s after %s, %v", taken, id, err)
	}
	if s := first.Store.(*Store); s.conn == nil || s.timer.Stop() {
		t.Error("the session that holds numbers will be closed")
	}
	select {
	case err := <-others:
		t.Fatalf("the only session is taken, and another one was had: %v", err)
	default:
	}
	release()
	if err := first.Hold.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-others; err != nil {
		t.Errorf("waiting for a session: %v", err)
	}
	if d, err := first.Store.(*Store).Describe(t.Context()); err != nil || d.Left != 0 {
		t.Errorf("with its only session in use: %+v, %v", d, err)
	}
}
