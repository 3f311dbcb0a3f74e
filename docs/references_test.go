package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	cited  = regexp.MustCompile(`([A-ZÖ][\p{L}-]+)(?: et al\.|(?:,? (?:&|and) [A-ZÖ][\p{L}-]+))?,? \(?((?:19|20)\d\d)\b`)
	listed = regexp.MustCompile(`(?m)^- (.*?) ((?:19|20)\d\d)\. .*$`)
	dates  = regexp.MustCompile(`^(?:January|February|March|April|May|June|July|August|September|October|November|December|[A-Z]{2,}|In)$`)
)

// TestReferences: docs/references.md lists every paper that a comment of the program cites.
func TestReferences(t *testing.T) {
	page := mustRead(t, "references.md")
	papers := map[string]bool{} // an author and the year
	for _, m := range listed.FindAllStringSubmatch(string(page), -1) {
		for _, name := range regexp.MustCompile(`[\p{L}-]+`).FindAllString(m[1], -1) {
			papers[name+" "+m[2]] = true
		}
	}
	seen := 0
	err := filepath.WalkDir("../internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, line := range strings.Split(string(raw), "\n") {
			_, comment, _ := strings.Cut(line, "//")
			for _, m := range cited.FindAllStringSubmatch(comment, -1) {
				if seen++; !dates.MatchString(m[1]) && !papers[m[1]+" "+m[2]] {
					t.Errorf("%s: docs/references.md has no %s", path, m[0])
				}
			}
		}
		return err
	})
	if err != nil || seen < 50 {
		t.Errorf("%d citations, %v", seen, err)
	}
}
