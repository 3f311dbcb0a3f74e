package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSmallProgram: the program as it is built without tags stays below 15 MB, as the manual
// says, and sends a user of PostgreSQL to the other one. It is built with BOHIER_SOAK=1; what makes
// it small, that it has no client of PostgreSQL, is looked at always.
func TestSmallProgram(t *testing.T) {
	t.Parallel()
	deps, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	if err != nil || strings.Contains(string(deps), "github.com/jackc/pgx") {
		t.Errorf("the client of PostgreSQL is in the program: %v\n%s", err, deps)
	}
	if os.Getenv("BOHIER_SOAK") == "" {
		return // building it takes long
	}
	program := filepath.Join(t.TempDir(), "bohier")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.Stat(program)
	noError(t, err)
	if file.Size() >= 15e6 {
		t.Errorf("the program has %.1f MB", float64(file.Size())/1e6)
	}
	study := filepath.Join(t.TempDir(), "bohier.yaml")
	mustWrite(t, study, "objective: {name: y, direction: minimize}\nspace:\n  x: {type: float, low: 0, "+
		"high: 1}\n")
	for _, args := range []string{
		"status -c " + study + " --journal postgres://db.example.org/tuning#x",
		"doctor --journal postgres://db.example.org/tuning", "journal schema",
		"journal copy " + study + " postgres://db.example.org/tuning#x",
	} {
		out, err := exec.Command(program, strings.Fields(args)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "built without PostgreSQL") ||
			!strings.Contains(string(out), "TAGS=postgres") {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
	}
}
