package examples

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestClients runs the client of every language that is installed.
func TestClients(t *testing.T) {
	for _, c := range []struct{ name, file, probe string }{
		{"python3", "client.py", ""},
		{"Rscript", "client.R", "library(jsonlite)"},
		{"node", "client.js", ""},
		{"julia", "client.jl", "using JSON"},
		{"sh", "client.sh", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.name); err != nil {
				t.Skipf("%s is not installed", c.name)
			}
			if c.probe != "" && exec.Command(c.name, "-e", c.probe).Run() != nil {
				t.Skipf("%s cannot do %q", c.name, c.probe)
			}
			dir := copied(t, "clients", func(s string) string { return strings.Replace(s, "trials: 10", "trials: 4", 1) })
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, c.name, c.file)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(bohier)+string(os.PathListSeparator)+os.Getenv("PATH"), "BOHIER_CONFIG=", "BOHIER_JOURNAL=")
			out, err := cmd.CombinedOutput()
			if err != nil || !regexp.MustCompile(`(?m)^best 0?\.?\d+`).Match(out) {
				t.Fatalf("%v\n%s", err, out)
			}
			journal, err := os.ReadFile(filepath.Join(dir, "bohier.journal.jsonl"))
			if n := strings.Count(string(journal), `"t":"observe"`); err != nil || n != 4 {
				t.Errorf("%d observations, %v\n%s", n, err, journal)
			}
		})
	}
}
