package pgstore

import (
	"errors"
	"strings"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// rights holds what the roles may do, and that nobody may change a line.
func rights(t *testing.T, c *server) {
	o := options(open(t, c.URL("wanda", "rights")))
	must(t, enqueue(t.Context(), o, "a"))
	denied := func(user, statement string) {
		t.Helper()
		s := open(t, c.URL(user, "rights"))
		conn, err := s.dial(t.Context(), false)
		must(t, err)
		defer closeNow(conn)
		if _, err := conn.Exec(t.Context(), statement); state(err) != "42501" {
			t.Errorf("%s: %s: %v", user, statement, err)
		}
	}
	for _, user := range []string{"wanda", "rita", "karl"} {
		for _, statement := range []string{
			"INSERT INTO bohier.journal (name) VALUES ('x')", "UPDATE bohier.journal SET seq = 0", "DELETE FROM bohier.line",
			"TRUNCATE bohier.line", "UPDATE bohier.line SET line = line", "SELECT * FROM bohier.journal FOR UPDATE",
			"CREATE TABLE bohier.mine (x int)", "INSERT INTO bohier.beat VALUES (1, 'x', 1)",
			"UPDATE bohier.meta SET version = 9",
			"SELECT bohier.crc32c('x')",
		} {
			denied(user, statement)
		}
	}
	for _, statement := range []string{"SELECT bohier.append('rights', 0, '00000000', '{}')",
		"SELECT * FROM bohier.head('rights')", "SELECT bohier.beat('rights', 'x', 1)"} {
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
		if _, err := r.Beats().Beats(t.Context()); err != nil {
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
	if err := enqueue(t.Context(), r, "b"); code(err) != study.Usage ||
		!strings.Contains(hintOf(err), "GRANT bohier_worker") {
		t.Errorf("a reader that writes: %v; %s", err, hintOf(err))
	}
	if _, err := journal.Archive(t.Context(), o, ""); code(err) != study.Usage ||
		!strings.Contains(hintOf(err), "bohier_keeper") {
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
func described(t *testing.T, c *server) {
	rows := func() string {
		return c.SQL("tuning", "SELECT (SELECT count(*) FROM bohier.journal), (SELECT count(*) FROM bohier.line)")
	}
	before := rows()
	s := open(t, c.URL("wanda", "described"))
	d, err := s.Describe(t.Context())
	if err != nil || d.Fsync != "on" || d.FullPages != "on" || len(d.Problems) > 0 || len(d.Warnings) > 0 {
		t.Errorf("%+v, %v", d, err)
	}
	t.Run("standby", func(t *testing.T) {
		receive(t, c.In(t))
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
