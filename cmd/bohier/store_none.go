//go:build nopg

package main

import (
	"context"
	"time"

	"bohier/internal/journal"
)

const noDatabase = "this program was built without PostgreSQL"

func openStore(string, string, bool, time.Duration) (journal.Store, []string, error) {
	return nil, nil, usage("a build without the tag nopg has it", noDatabase)
}

func databaseSchema(string) (string, error) {
	return "", usage("a build without the tag nopg has it", noDatabase)
}

func applySchema(context.Context, string, string) (string, int, error) {
	return "", 0, usage("a build without the tag nopg has it", noDatabase)
}

func describeStore(context.Context, streams, format, journal.Store) error {
	return usage("a build without the tag nopg has it", noDatabase)
}
