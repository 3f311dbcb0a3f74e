package pgstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// damage holds that what a superuser does to the lines is reported.
func damage(t *testing.T, c *server) {
	o := options(open(t, c.URL("wanda", "damage")))
	for k := range 6 {
		must(t, enqueue(t.Context(), o, fmt.Sprint(k)))
	}
	const its = "journal = (SELECT id FROM bohier.journal WHERE name = 'damage')"
	c.SQL("tuning", "CREATE TABLE kept AS SELECT * FROM bohier.line WHERE "+its)
	for what, change := range map[string]string{
		"an edited line": "UPDATE bohier.line SET line = overlay(line placing '\\x39'::bytea from 30) WHERE seq = 3 AND " +
			its,
		"a deleted line": "DELETE FROM bohier.line WHERE seq = 3 AND " + its,
		"the last line":  "DELETE FROM bohier.line WHERE seq = 7 AND " + its,
		"all lines":      "DELETE FROM bohier.line WHERE " + its,
		"a foreign row":  "INSERT INTO bohier.line SELECT id, 8, 'hello' FROM bohier.journal WHERE name = 'damage'",
		"swapped lines": "UPDATE bohier.line l SET line = (SELECT line FROM kept k WHERE k.seq = 9 - l.seq) WHERE seq IN " +
			"(4, 5) AND " + its,
		"the head moved": "UPDATE bohier.journal SET seq = 5 WHERE name = 'damage'",
		"another's lines": "UPDATE bohier.line l SET line = (SELECT line FROM bohier.line o WHERE o.seq = 3 AND o.journal " +
			"= (SELECT id FROM bohier.journal WHERE name = 'round')) WHERE seq = 3 AND " + its,
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
		if err := enqueue(t.Context(), options(open(t, c.URL("wanda", "damage"))), "more"); code(err) != study.Damaged {
			t.Errorf("%s: written to: %v", what, err)
		}
		c.SQL("tuning", "DELETE FROM bohier.line WHERE "+its+
			"; INSERT INTO bohier.line SELECT * FROM kept; UPDATE bohier.journal SET seq = 7 WHERE name = 'damage'")
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
	if _, _, err := journal.Read(t.Context(), o); code(err) != study.Damaged ||
		!strings.Contains(err.Error(), "rolled back") {
		t.Errorf("a server that forgot a record: %v", err)
	}
}

// cured repairs a damaged journal by way of a file, and copies that to another name.
func cured(t *testing.T, c *server, damaged journal.Options) error {
	lines, err := journal.Lines(t.Context(), damaged)
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
	return enqueue(t.Context(), back, "after the cure")
}

var cures int
