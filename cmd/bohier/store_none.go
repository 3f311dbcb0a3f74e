//go:build !postgres

package main

import (
	"context"
	"time"

	"bohier/internal/journal"
)

func noDatabase() error {
	return usage("install an archive bohier-postgres-…, or build with `make install TAGS=postgres`",
		"this bohier was built without PostgreSQL")
}

func openStore(string, string, bool, time.Duration) (journal.Store, []string, error) {
	return nil, nil, noDatabase()
}

func databaseSchema(string) (string, error) { return "", noDatabase() }

func applySchema(context.Context, string, string) (string, int, error) { return "", 0, noDatabase() }
