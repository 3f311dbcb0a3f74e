package journal_test

import (
	"path/filepath"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/journal/storetest"
)

// A file keeps what every place for journals promises, with a lock of the system alone
// and with leases as on a network.
func TestFileKeepsThePromises(t *testing.T) {
	for _, kind := range []string{journal.LockPosix, journal.LockLease} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			storetest.Run(t, func(_ testing.TB, name string) journal.Options {
				return journal.Options{Path: filepath.Join(dir, name+".journal.jsonl"), Lock: kind}
			})
		})
	}
}
