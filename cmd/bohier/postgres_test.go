//go:build !nopg

package main

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bohier/internal/pgstore"
	"bohier/internal/pgstore/pgtest"
)

// TestPostgresScripts runs testdata/postgres against a server of its own.
func TestPostgresScripts(t *testing.T) {
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
			e.Setenv("PGPASSWORD", pgtest.Password)
			e.Setenv("WORKER", c.URL("wanda", ""))
			e.Setenv("READER", c.URL("rita", ""))
			e.Setenv("KEEPER", c.URL("karl", ""))
			e.Setenv("NOBODY", c.URL("otto", ""))
			e.Setenv("ADMIN", c.URL("postgres", ""))
			e.Setenv("SERVER", c.Dir)
			e.Setenv("PGPORT", strconv.Itoa(c.Port))
			e.Setenv("EXAMPLES", examples)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits_},
	})
}
