package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/study"
)

func newDatabaseSchema(g *globals) *cobra.Command {
	name, apply := "", false
	c := &cobra.Command{
		Use: "schema [flags]", Short: "Print or run the SQL that makes a PostgreSQL database ready for journals.",
		Example: `  bohier journal schema | psql tuning
  bohier journal schema --name team_a | psql tuning
  bohier journal schema --apply --journal postgres://postgres@localhost/tuning`,
		Long: `For an administrator of the database, once; running it again changes nothing. --apply runs
the SQL, and raises the schema of an older version; without it the SQL is printed. It makes
the schema, its tables and functions, and the roles NAME_worker, who may append,
NAME_reader and NAME_keeper, who may archive: GRANT them to your users. Nobody but
NAME_owner, who cannot log in, may change or remove a line. Workers of one schema trust
each other to report honestly: give each team a schema.`,
		Args:        args(0, 0, ""),
		Annotations: exits(7, 9),
		RunE: g.run(func(s call, _ []string) error {
			if apply {
				return applySchemaIn(s, s.location(), name)
			}
			text, err := databaseSchema(cmp.Or(name, "bohier"))
			if err != nil {
				return err
			}
			return s.write([]byte(text))
		}),
	}
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
