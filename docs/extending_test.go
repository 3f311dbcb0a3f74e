package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// part matches the name of a file in text, or a fenced block with its language and the comment above
// it, which says before which words of the file the block goes.
var part = regexp.MustCompile("(?ms)(?:^<!-- before (the second )?([^\n]+?) " +
	"-->\n)?^```(\\w+)\n(.*?)^```$|`(internal/[\\w/]+\\.go)`")

// patched is the tree with the changes of a page: file contents by path.
func patched(t *testing.T, root, page string) map[string]string {
	t.Helper()
	files := map[string]string{}
	at := ""
	for _, m := range part.FindAllStringSubmatch(page, -1) {
		second, mark, language, body, file := m[1] != "", m[2], m[3], m[4], m[5]
		switch {
		case file != "": // the next blocks are about it
			at = file
		case language == "go" && mark == "":
			if _, err := os.Stat(filepath.Join(root, at)); err == nil {
				t.Fatalf("%s is there already", at)
			}
			files[at] = body
		case language == "go":
			text, changed := files[at]
			if !changed {
				raw := mustRead(t, filepath.Join(root, at))
				text = string(raw)
			}
			skipped := ""
			if before, rest, found := strings.Cut(text, mark); second && found {
				skipped, text = before+mark, rest
			}
			if !strings.Contains(text, mark) {
				t.Fatalf("%s has no %s", at, mark)
			}
			files[at] = skipped + strings.Replace(text, mark, strings.TrimLeft(body, "\t")+mark, 1)
		}
	}
	return files
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return text
}

func mustWrite[T string | []byte](t *testing.T, path string, text T) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// overlay writes the files aside and returns the go command's overlay of them.
func overlay(t *testing.T, root string, files map[string]string) string {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for path, text := range files {
		aside := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		mustWrite(t, aside, text)
		replace[filepath.Join(root, path)] = aside
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	must(t, err)
	file := filepath.Join(dir, "overlay.json")
	mustWrite(t, file, list)
	return file
}

// TestExtending does what docs/extending.md says and runs what it says must pass.
func TestExtending(t *testing.T) {
	if testing.Short() {
		t.Skip("builds three packages and runs the suite of one")
	}
	root, err := filepath.Abs("..")
	must(t, err)
	page := mustRead(t, "extending.md")
	files := patched(t, root, string(page))
	if len(files) < 10 {
		t.Fatalf("only %d files", len(files))
	}
	over := overlay(t, root, files)
	command := func(dir string, argv ...string) string {
		t.Helper()
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, out)
		}
		return string(out)
	}
	// What the suites run for the new names; for all others the tests of the two packages run them.
	test := func(run, dir string, names ...string) {
		t.Helper()
		ran := command(root, "go", "test", "-overlay", over, "-ldflags=-s -w", "-vet=off", "-v", "-run", run, dir)
		for _, name := range names {
			if !strings.Contains(ran, "--- PASS: "+name) {
				t.Errorf("%s did not run", name)
			}
		}
	}
	test("TestContract/matern72|TestContract/ring/matern72|TestContract/(hmodlap|modkernel)/ring|TestDistances|"+
		"TestSecondImplementation|TestDiagonal", "./internal/kernels",
		"TestContract/matern72", "TestContract/ring/matern72/joint", "TestContract/hmodlap/ring")
	if os.Getenv("BOHIER_SOAK") == "" { // the others are built and not run
		command(root, "go", "build", "-overlay", over, "./internal/acq", "./internal/policy")
		return
	}
	test("TestDerivatives|TestFinite|TestNewHead", "./internal/acq", "TestDerivatives")
	test("TestEveryRuleActsAndCanBeLeftOut", "./internal/policy", "TestEveryRule")
	extended(t, string(page), root, over, command)
}

// extended builds the program with the changes of the page and runs the page's study.
func extended(t *testing.T, page, root, over string, command func(dir string, argv ...string) string) {
	t.Helper()
	command(root, "go", "vet", "-overlay", over, "./internal/kernels", "./internal/acq", "./internal/policy")
	dir := t.TempDir()
	program := filepath.Join(dir, "bohier")
	command(root, "go", "build", "-overlay", over, "-ldflags", "-s -w", "-o", program, "./cmd/bohier")
	blocks := part.FindAllStringSubmatch(page, -1)
	for _, m := range blocks {
		if m[3] == "yaml" {
			mustWrite(t, filepath.Join(dir, "bohier.yaml"), m[4])
		}
	}
	var trials strings.Builder
	for _, trial := range []string{
		`{"hour":1,"rest":"none"}`, `{"hour":7,"rest":"none"}`, `{"hour":12,"rest":"siesta","at":14}`,
		`{"hour":16,"rest":"siesta","at":3}`, `{"hour":23,"rest":"none"}`, `{"hour":20,"rest":"siesta","at":20}`,
	} {
		trials.WriteString(`{"params":` + trial + `,"values":{"loss":` + trial[8:9] + "}}\n")
	}
	mustWrite(t, filepath.Join(dir, "trials.jsonl"), trials.String())
	if out := command(dir, program, "check", "--rules"); !strings.Contains(out, "xi.explore") {
		t.Errorf("the rule is not in force:\n%s", out)
	}
	command(dir, program, "add", "--json", "trials.jsonl")
	if out := command(dir, program, "suggest", "--fix", "rest=siesta"); !strings.Contains(out, `"source":"model"`) {
		t.Errorf("not from the model: %s", out)
	}
	out := command(dir, program, "model")
	for _, name := range []string{"kernel  ring", "ring.omega[at]", "ring.omega[hour]", "ring.omega[rest]"} {
		if !strings.Contains(out, name) {
			t.Errorf("no %s in\n%s", name, out)
		}
	}
}
