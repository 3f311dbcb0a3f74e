package layers

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// TestEveryRuleFires runs Check over the deliberately bad files. Each states in
// comments the breaches that must be reported on their lines ("want: TEXT"), and
// no other line may be reported.
func TestEveryRuleFires(t *testing.T) {
	bad := os.DirFS(filepath.Join("testdata", "bad"))
	_, breaches, err := Check(bad)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, b := range breaches {
		key := place(b.File, b.Line)
		got[key] = append(got[key], b.Rule)
	}
	wants := 0
	err = fs.WalkDir(bad, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		src, err := fs.ReadFile(bad, name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(src), "\n") {
			_, want, marked := strings.Cut(line, "// want: ")
			key := place(name, i+1)
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
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if wants < 20 {
		t.Fatalf("only %d bad lines found", wants)
	}
}

func place(file string, line int) string { return Breach{File: file, Line: line}.String() }

// TestRulesNameExistingPackages keeps the table from outliving the tree.
func TestRulesNameExistingPackages(t *testing.T) {
	for dir, targets := range imports {
		for _, d := range append([]string{dir}, targets...) {
			if d == "*" {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(d))); err != nil {
				t.Errorf("rules.go names a directory that does not exist: %s", d)
			}
		}
	}
}
