//go:build postgres

package main

import (
	"os"
	"path/filepath"
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
	noError(t, err)
	examples, err := filepath.Abs("../../examples")
	noError(t, err)
	dir, port := pgtest.Start(t, "../..", text)
	at := func(user, name string) string {
		return "postgres://" + user + "@:" + port + "/tuning?host=" + dir + "#" + name
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/postgres",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			useBuilt(e)
			e.Setenv("PGPASSWORD", "geheim-7")
			e.Setenv("WORKER", at("wanda", ""))
			e.Setenv("READER", at("rita", ""))
			e.Setenv("KEEPER", at("karl", ""))
			e.Setenv("NOBODY", at("otto", ""))
			e.Setenv("ADMIN", at("postgres", ""))
			e.Setenv("SERVER", dir)
			e.Setenv("PGPORT", port)
			e.Setenv("EXAMPLES", examples)
			for file, page := range map[string]string{"workers.sh": "../docs/manual/workers.md",
				"database.sh": "database/README.md"} {
				text, err := os.ReadFile(filepath.Join(examples, page))
				if err != nil {
					return err
				}
				for _, b := range blocks(string(text)) {
					if b.runBy == "TestPostgresScripts" {
						commands := strings.NewReplacer("postgres://wanda@db.example.org/tuning#NAME", "'"+at("wanda", "workers")+"'",
							"postgres://wanda@localhost/tuning#NAME", "'"+at("wanda", "database")+"'", "PGHOST=localhost",
							"PGHOST="+dir).Replace(b.text)
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
