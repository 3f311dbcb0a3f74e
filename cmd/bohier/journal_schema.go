package main

import (
	"github.com/spf13/cobra"
)

func newDatabaseSchema(s *streams) *cobra.Command {
	name := ""
	c := &cobra.Command{
		Use: "schema [flags]", Short: "Print the SQL that makes a PostgreSQL database ready for journals.",
		Example: `  bohier journal schema | psql tuning
  bohier journal schema --name team_a | psql tuning`,
		Long: `For an administrator of the database, once; running it again changes nothing. It makes
the schema, its tables and functions, and the roles NAME_worker, who may append,
NAME_reader and NAME_keeper, who may archive: GRANT them to your users. Nobody but
NAME_owner, who cannot log in, may change or remove a line. Workers of one schema trust
each other to report honestly: give each team a schema.`,
		Args:        args(0, 0, ""),
		Annotations: exits(7),
		RunE: func(*cobra.Command, []string) error {
			text, err := databaseSchema(name)
			if err != nil {
				return err
			}
			return s.write([]byte(text))
		},
	}
	c.Flags().StringVar(&name, "name", "bohier", "the schema's `name`")
	return c
}
