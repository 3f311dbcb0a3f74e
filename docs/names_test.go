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
	testName   = regexp.MustCompile("`(Test\\w+)`")
	scriptName = regexp.MustCompile("`(\\w+\\.txtar)`")
	testFunc   = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// Every test that the promises and the track record name exists.
func TestNamedTestsExist(t *testing.T) {
	there := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(path, ".txtar") {
			there[d.Name()] = true
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			there[string(m[1])] = true
		}
		return err
	})
	must(t, err)
	for page, atLeast := range map[string]int{"../README.md": 10, "track-record.md": 15} {
		text := mustRead(t, page)
		names := append(testName.FindAllSubmatch(text, -1), scriptName.FindAllSubmatch(text, -1)...)
		for _, m := range names {
			if !there[string(m[1])] {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
		if len(names) < atLeast {
			t.Errorf("%s names %d tests only", page, len(names))
		}
	}
}
