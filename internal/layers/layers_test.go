package layers

import (
	"cmp"
	"flag"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestModule reads the whole module.
func TestModule(t *testing.T) {
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	files, breaches, err := Check(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("read %d files: the tree was not found", files)
	}
	for _, b := range breaches {
		t.Error(b)
	}
}

// TestEveryRuleFires runs Check over the deliberately bad files. Each states in comments the breaches that must be
// reported on their lines ("want: TEXT"), and no other line may be reported.
func TestEveryRuleFires(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "bad.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	bad := fstest.MapFS{}
	for _, f := range archive.Files {
		bad[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	_, breaches, err := Check(bad)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, b := range breaches {
		key := at(b.File, b.Line)
		got[key] = append(got[key], b.Rule)
	}
	wants := 0
	for _, f := range archive.Files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			_, want, marked := strings.Cut(line, "// want: ")
			key := at(f.Name, i+1)
			rules := strings.Join(got[key], "; ")
			switch {
			case marked && !strings.Contains(rules, want):
				t.Errorf("%s: reported %q, want %q", key, rules, want)
			case !marked && rules != "":
				t.Errorf("%s: reported %q on a line that breaks no rule", key, rules)
			}
			if marked {
				wants++
			}
		}
	}
	if wants < 20 {
		t.Fatalf("only %d bad lines found", wants)
	}
}

func at(file string, line int) string { return Breach{File: file, Line: line}.String() }

// TestRulesNameExistingPackages keeps the table from outliving the tree.
func TestRulesNameExistingPackages(t *testing.T) {
	for dir, targets := range imports {
		for _, d := range append([]string{dir}, targets...) {
			if d == "*" {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(d))); err != nil {
				t.Errorf("rules_test.go names a directory that does not exist: %s", d)
			}
		}
	}
}

var update = flag.Bool("update", false, "rewrite the block of docs/layout.md")

// TestLayoutShowsTheRules: docs/layout.md lists what each package may import, those that nothing listed imports first.
func TestLayoutShowsTheRules(t *testing.T) {
	var height func(dir string) int
	height = func(dir string) int {
		h := 0
		for _, d := range imports[dir] {
			h = max(h, 1+height(d))
		}
		return h
	}
	var dirs []string
	for dir, targets := range imports {
		if len(targets) > 0 && (under(dir, "internal") || under(dir, "cmd")) {
			dirs = append(dirs, dir)
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Or(height(b)-height(a), strings.Compare(a, b)) })
	want := ""
	for _, dir := range dirs {
		var names []string
		for _, d := range imports[dir] {
			names = append(names, path.Base(d))
		}
		slices.Sort(names)
		name := strings.TrimPrefix(dir, "internal/")
		want += name + strings.Repeat(" ", 11-len(name)) + "→ " + strings.Join(names, " ") + "\n"
	}
	page := filepath.Join("..", "..", "docs", "layout.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const head = "## Who may import whom\n\n```\n"
	before, rest, _ := strings.Cut(string(text), head)
	got, after, _ := strings.Cut(rest, "```")
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s shows\n%s\nthe rules say (make golden)\n%s", page, got, want)
	}
	if err := os.WriteFile(page, []byte(before+head+want+"```"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
