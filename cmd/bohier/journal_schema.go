package main

import (
	"cmp"
	"fmt"

	"bohier/internal/study"
)

func runDatabaseSchema(s call, _ []string) error {
	if s.on("apply") {
		return applySchemaIn(s, s.location(), s.text("name"))
	}
	text, err := databaseSchema(cmp.Or(s.text("name"), "bohier"))
	if err != nil {
		return err
	}
	return s.write([]byte(text))
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
