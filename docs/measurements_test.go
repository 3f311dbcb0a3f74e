package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bohier/internal/pgstore"
	"bohier/internal/pgstore/pgtest"
)

// A block of commands, and whether the line above or the page says that TestMeasurements runs it.
var (
	marked = regexp.MustCompile("(?ms)^(<!-- run by TestMeasurements -->\n)?```sh\n(.*?)^```$")
	all    = regexp.MustCompile(`(?m)^<!-- blocks of this page are run by TestMeasurements -->$`)
)

// benchmarks are parts of commands that `make test` leaves to `make soak`: benchmarks of
// packages, which are built first, a server, and other optimizers, if there are any.
var benchmarks = regexp.MustCompile(`go test|-journal|replicate-swersky|compare[-/](speed|objectives|journal)`)

// TestMeasurements runs the commands of pages of figures as they stand, in a copy of the
// repository: programs of bench are cut short, and what is not here stands in (standins_test.go).
// It shows that they still measure something, not what.
func TestMeasurements(t *testing.T) {
	pages, err := filepath.Glob("benchmarks/*.md")
	must(t, err)
	notes, err := filepath.Glob("../bench/notes/*.md")
	must(t, err)
	root, err := filepath.Abs("..")
	must(t, err)
	// Linking is the most of the work. They stay: the go command links what changed.
	programs := filepath.Join(root, "bin", "measurements")
	must(t, attached("go", "-C", root, "build", "-ldflags", "-s -w", "-o", programs+"/", bench+"...").Run())
	blocks := 0
	for _, page := range append(append(pages, notes...), "replications.md", "../bench/compare/README.md") {
		text := mustRead(t, page)
		for _, m := range marked.FindAllStringSubmatch(string(text), -1) {
			if m[1] == "" && !all.Match(text) {
				continue
			}
			blocks++
			name, command := strings.TrimSuffix(filepath.Base(page), ".md"), m[2]
			t.Run(name, func(t *testing.T) { measures(t, root, programs, command) })
		}
	}
	if blocks < 28 {
		t.Errorf("%d blocks", blocks)
	}
}

// measures runs the commands of a block.
func measures(t *testing.T, root, programs, command string) {
	t.Helper()
	if benchmarks.MatchString(command) && os.Getenv("BOHIER_SOAK") == "" {
		t.Skip("takes minutes: BOHIER_SOAK=1 runs it")
	}
	dir := workspace(t, root)
	sh := exec.Command("sh", "-eu", "-c", command)
	sh.Dir = dir
	sh.Env = standingIn(t, programs)
	if strings.Contains(command, "BOHIER_JOURNAL") {
		schema, err := pgstore.Schema("bohier")
		must(t, err)
		server, port := pgtest.Start(t, "..", schema)
		sh.Env = append(sh.Env, "PGPASSWORD=geheim-7", "BOHIER_JOURNAL=postgres://wanda@:"+port+"/tuning?host="+server)
	}
	out, err := sh.CombinedOutput()
	switch text := string(out); {
	case strings.Contains(text, needsMore):
		t.Skip(text)
	case err != nil || len(out) == 0 || strings.Contains(text, "no tests to run"):
		t.Errorf("this block of commands does not run as it stands (CONTRIBUTING.md, Commands in pages): %v\n%s\n%s", err,
			command, out)
	}
}

// workspace is a directory with all of the repository but what its commands write, and
// DIR, data in the form of those that the commands ask for.
func workspace(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(root)
	must(t, err)
	for _, e := range entries {
		if e.Name() == "bin" || e.Name() == "dist" || e.Name() == ".git" {
			continue
		}
		must(t, os.Symlink(filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())))
	}
	for name, text := range data {
		file := filepath.Join(dir, "DIR", name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o777))
		mustWrite(t, file, text)
	}
	return dir
}
