// Package pgtest starts servers of PostgreSQL for the tests of other packages.
package pgtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Start starts a server with a schema until the test ends, and returns its directory and port. The script
// .ci/postgres below root describes its content. The test is skipped where no server is installed.
func Start(t testing.TB, root, schema string) (dir, port string) {
	t.Helper()
	script := filepath.Join(root, ".ci", "postgres")
	start := exec.Command(script, "make")
	start.Stdin = strings.NewReader(schema)
	out, err := start.Output()
	dir, port, made := strings.Cut(strings.TrimSpace(string(out)), " ")
	switch {
	case strings.Contains(string(out), "is not installed"):
		t.Skip(string(out))
	case err != nil || !made:
		t.Fatalf("no server: %v %s", err, out)
	}
	t.Cleanup(func() {
		_ = exec.Command(script, "stop", dir, "immediate").Run()
		os.RemoveAll(dir)
	})
	return dir, port
}
