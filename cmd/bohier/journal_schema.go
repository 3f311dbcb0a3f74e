package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/study"
)

func newDatabaseSchema(g *globals) *cobra.Command {
	name, apply := "", false
	c := g.command("schema [flags]", args(0, 0, ""), func(s call, _ []string) error {
		if apply {
			return applySchemaIn(s, s.location(), name)
		}
		text, err := databaseSchema(cmp.Or(name, "bohier"))
		if err != nil {
			return err
		}
		return s.write([]byte(text))
	}, 7, 9)
	c.Flags().StringVar(&name, "name", "", "schema `NAME` (default: that of the URL, or bohier)")
	c.Flags().BoolVar(&apply, "apply", false, "run the statements in the database of --journal, as the user of its URL")
	return c
}

// applySchemaIn makes the schema name in the database of a journal's location.
func applySchemaIn(s call, location, name string) error {
	if !study.InDatabase(location) {
		return usage("--journal postgres://postgres@localhost/tuning", "--apply needs a database")
	}
	at, before, err := applySchema(s.ctx, location, name)
	if err != nil {
		return err
	}
	what := "made"
	if before > 0 {
		what = fmt.Sprintf("was there, of version %d", before)
	}
	return s.write(fmt.Appendf(nil, "%s: %s\n", at, what))
}
