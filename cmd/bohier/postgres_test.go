//go:build postgres

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bohier/internal/pgstore"
	"bohier/internal/pgstore/pgtest"
)

// TestPostgresScripts runs testdata/postgres against a server of its own, and by pages.txtar
// the blocks of pages that need one.
func TestPostgresScripts(t *testing.T) {
	t.Parallel()
	text, err := pgstore.Schema("bohier")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	c := pgtest.Start(t, text)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/postgres",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			useBuilt(e)
			e.Setenv("PGPASSWORD", pgtest.Password)
			e.Setenv("WORKER", c.URL("wanda", ""))
			e.Setenv("READER", c.URL("rita", ""))
			e.Setenv("KEEPER", c.URL("karl", ""))
			e.Setenv("NOBODY", c.URL("otto", ""))
			e.Setenv("ADMIN", c.URL("postgres", ""))
			e.Setenv("SERVER", c.Dir)
			e.Setenv("PGPORT", strconv.Itoa(c.Port))
			e.Setenv("EXAMPLES", examples)
			for file, page := range map[string]string{"workers.sh": "../docs/manual/workers.md",
				"database.sh": "database/README.md"} {
				text, err := os.ReadFile(filepath.Join(examples, page))
				if err != nil {
					return err
				}
				for _, b := range blocks(string(text)) {
					if b.runBy == "TestPostgresScripts" {
						commands := strings.NewReplacer("postgres://wanda@db.example.org/tuning#NAME", "'"+c.URL("wanda", "workers")+"'",
							"postgres://wanda@localhost/tuning#NAME", "'"+c.URL("wanda", "database")+"'", "PGHOST=localhost",
							"PGHOST="+c.Dir).Replace(b.text)
						if err := os.WriteFile(filepath.Join(e.WorkDir, file), []byte(commands), 0o600); err != nil {
							return err
						}
					}
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits_},
	})
}
