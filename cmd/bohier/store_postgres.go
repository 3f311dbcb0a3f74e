//go:build postgres

package main

import (
	"context"
	"time"

	"bohier/internal/journal"
	"bohier/internal/pgstore"
)

func openStore(location, name string, trusted bool, patience time.Duration) (journal.Store, []string, error) {
	l, err := pgstore.Parse(location, name, trusted)
	if err != nil {
		return nil, nil, err
	}
	return l.Open(patience), l.Warnings, nil
}

func databaseSchema(name string) (string, error) { return pgstore.Schema(name) }

func applySchema(ctx context.Context, location, name string) (at string, before int, err error) {
	return pgstore.Apply(ctx, location, name)
}
