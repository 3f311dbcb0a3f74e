package pgstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// cluster is one server for the tests of this package that leave it as it is.
func cluster(t testing.TB, config ...string) *server {
	t.Helper()
	text, err := Schema("bohier")
	must(t, err)
	c := startServer(t, text, config...)
	t.Setenv("PGPASSWORD", password)
	return c
}

func open(t testing.TB, url string) *Store {
	t.Helper()
	l := mustParse(t, url, "study", true)
	return l.Open(20 * time.Second)
}

func options(s *Store) journal.Options {
	seed := uint64(42)
	return journal.Options{Store: s, Seed: &seed, Study: json.RawMessage(`{"space":{}}`), LockTimeout: 30 * time.Second}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
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
		promises(t, func(t testing.TB, name string) journal.Options { return options(open(t, c.URL("wanda", name))) })
	})
	t.Run("tables", func(t *testing.T) { tables(t, c) })
	t.Run("encodings", func(t *testing.T) { encodings(t, c) })
	t.Run("rights", func(t *testing.T) { rights(t, c) })
	t.Run("described", func(t *testing.T) { described(t, c) })
	t.Run("bad input", func(t *testing.T) { badInput(t, c) })
	t.Run("lock", func(t *testing.T) { lockTest(t, c) })
	t.Run("stopped", func(t *testing.T) { stopped(t, c) })
	t.Run("standby", func(t *testing.T) { standby(t, c) })
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
func tables(t *testing.T, c *server) {
	s, _, err := journal.Read(t.Context(), options(open(t, c.URL("rita", "round"))))
	if err != nil || len(s.Trials) != 5 || s.Lock != journal.LockLease {
		t.Fatalf("read by a reader: %+v, %v", s, err)
	}
	if head := c.SQL("tuning", "SELECT seq FROM bohier.journal WHERE name = 'round'"); head != fmt.Sprint(s.Seq) {
		t.Errorf("the head is %s, the last record %d", head, s.Seq)
	}
}

// encodings holds that the encoding of a database is no matter: lines are bytes.
func encodings(t *testing.T, c *server) {
	text, err := Schema("bohier")
	must(t, err)
	for _, encoding := range []string{"SQL_ASCII", "LATIN1"} {
		name := strings.ToLower(encoding)
		c.SQL("postgres", fmt.Sprintf("CREATE DATABASE %s ENCODING %s LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0", name,
			encoding))
		c.SQL(name, text)
		o := options(open(t, strings.Replace(c.URL("wanda", "other"), "/tuning", "/"+name, 1)))
		if id, err := reserve(t.Context(), o, "größer"); err != nil {
			t.Errorf("%s: %v", encoding, err)
		} else if s, _, err := journal.Read(t.Context(), o); err != nil || s.ByKey("größer") == nil {
			t.Errorf("%s: %s is not there: %v", encoding, id, err)
		}
	}
}

func lockTest(t *testing.T, c *server) {
	s := open(t, c.URL("wanda", "lock"))
	o := options(s)
	must(t, enqueue(t.Context(), o, "first"))
	held, err := s.Lock(t.Context(), time.Second)
	must(t, err)
	// The server ends a silent holder's turn; its late append does nothing.
	conn := held.(*turn).conn
	if _, err := conn.Exec(t.Context(), "SET LOCAL idle_in_transaction_session_timeout = '200ms'"); err != nil {
		t.Fatal(err)
	}
	other := options(open(t, c.URL("wanda", "lock")))
	other.LockTimeout = 20 * time.Second
	if err := enqueue(t.Context(), other, "second"); err != nil {
		t.Errorf("after a silent holder: %v", err)
	}
	if err := held.Append(t.Context(), journal.Pos{}, []byte("{}\n")); !errors.Is(err, journal.ErrMoved) {
		t.Errorf("a late append: %v", err)
	}
	held.Close()
	// Where every turn is cut short the error says by what.
	other.LockTimeout = 300 * time.Millisecond
	other.Store = cutting{other.Store}
	if err := enqueue(t.Context(), other, "cut short"); code(err) != study.LockTimeout ||
		!strings.Contains(err.Error(), "unexpected EOF") {
		t.Errorf("turns that were cut short: %v", err)
	}
	// What does not follow the last line is refused by the server itself.
	for _, line := range []string{`{}`, `{"seq":1,"prev":"00000000","t":"x","crc":"00000000"}`,
		`{"seq":99,"prev":"00000000","t":"x","crc":"00000000"}`} {
		held, err := open(t, c.URL("wanda", "lock")).Lock(t.Context(), time.Second)
		must(t, err)
		state, _, err := journal.Read(t.Context(), o)
		must(t, err)
		chunk, _ := s.Read(t.Context(), journal.Pos{})
		lines := strings.Split(strings.TrimSpace(string(chunk.Lines)), "\n")
		end := journal.Pos{Seq: state.Seq, Sum: sumOf([]byte(lines[len(lines)-1]))}
		if err := held.Append(t.Context(), end, []byte(line)); code(err) != study.Damaged {
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

func (t cuttingTurn) Append(context.Context, journal.Pos, []byte) error {
	return t.Appender.(*turn).moved(io.ErrUnexpectedEOF)
}
