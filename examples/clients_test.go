package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestClients types the line of the README for every language that is installed.
func TestClients(t *testing.T) {
	probes := map[string]string{"Rscript": "library(jsonlite)", "julia": "using JSON"}
	enter, lines, _ := strings.Cut(typed(t, "clients")[0], "\n")
	languages := strings.Split(strings.TrimSpace(lines), "\n")
	if len(languages) != 5 {
		t.Fatalf("%q", languages)
	}
	for _, line := range languages {
		name, _, _ := strings.Cut(line, " ")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(name); err != nil {
				t.Skipf("%s is not installed", name)
			}
			if probe := probes[name]; probe != "" && exec.Command(name, "-e", probe).Run() != nil {
				t.Skipf("%s cannot do %q", name, probe)
			}
			dir := copied(t, "clients", fewer(4))
			out, code := typing(t, dir, enter+"\n"+line)
			if code != 0 || !regexp.MustCompile(`(?m)^best 0?\.?\d+`).MatchString(out) {
				t.Fatalf("exit code %d\n%s", code, out)
			}
			journal, err := os.ReadFile(filepath.Join(dir, "bohier.journal.jsonl"))
			if n := strings.Count(string(journal), `"t":"observe"`); err != nil || n != 4 {
				t.Errorf("%d observations, %v\n%s", n, err, journal)
			}
		})
	}
}
