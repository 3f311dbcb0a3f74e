package docs

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var record = regexp.MustCompile(`^(\d{4})-[a-z-]+\.md$`)

// The index of decisions lists every record under its title, in order; every record has its three parts.
func TestDecisionsIndex(t *testing.T) {
	files, err := filepath.Glob("decisions/[0-9]*.md")
	must(t, err)
	index := "| | decision |\n|---|---|\n"
	for k, file := range files {
		name := filepath.Base(file)
		raw := mustRead(t, file)
		text := string(raw)
		first, _, _ := strings.Cut(text, "\n")
		title, ok := strings.CutPrefix(first, fmt.Sprintf("# %d. ", k+1))
		if m := record.FindStringSubmatch(name); m == nil || m[1] != fmt.Sprintf("%04d", k+1) || !ok {
			t.Errorf("record %d is %s with the first line %q", k+1, name, first)
		}
		for _, part := range []string{"Context", "Decision", "Consequences"} {
			if !strings.Contains(text, "\n**"+part+".** ") {
				t.Errorf("%s has no %s", name, part)
			}
		}
		index += fmt.Sprintf("| [%d](%s) | %s |\n", k+1, name, title)
	}
	if len(files) < 10 {
		t.Errorf("found %d records", len(files))
	}
	page := mustRead(t, "decisions/README.md")
	if !strings.HasSuffix(string(page), index) {
		t.Errorf("decisions/README.md does not end with\n%s", index)
	}
}
