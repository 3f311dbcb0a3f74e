package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What pages link to exists, with the headings named.
func TestLinks(t *testing.T) {
	pages := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			if err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "dist" ||
				d.Name() == ".git") {
				return fs.SkipDir
			}
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		checkLinks(t, path, string(text))
		return err
	})
	if err != nil || pages < 60 {
		t.Fatalf("%d pages, %v", pages, err)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	dropped = regexp.MustCompile("[^a-z0-9 _-]")
)

// checkLinks: the pages that text links to exist, with the headings named.
func checkLinks(t *testing.T, from, text string) {
	t.Helper()
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		to := filepath.Join(filepath.Dir(from), m[1])
		if at, err := os.Stat(to); err == nil && at.IsDir() && m[2] == "" {
			continue
		}
		page, err := os.ReadFile(to)
		if err != nil {
			t.Errorf("%s: %v", from, err)
			continue
		}
		anchors := map[string]bool{"": true}
		for _, h := range heading.FindAllStringSubmatch(string(page), -1) {
			anchors["#"+strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
		}
		if !anchors[m[2]] {
			t.Errorf("%s: %s has no heading %s", from, m[1], m[2])
		}
	}
}

var measured = regexp.MustCompile(`^# [^\n]*\?\n\n\*\d{1,2}( to \d{1,2})? \w+ 20\d\d, commits? [0-9a-f]{7}`)

// command is one in a block or in a sentence.
var command = regexp.MustCompile("```sh\n|`(\\w+=\\S+ )?(make|go|bohier) ")

// indexes name the folder of the pages that each lists: those for readers, at most eight, and the notes.
var indexes = map[string]struct {
	folder      string
	least, most int
}{
	"benchmarks.md":            {"benchmarks", 6, 8},
	"../bench/notes/README.md": {"../bench/notes", 20, 40},
}

// Every page of figures asks one question, and says of which day and commit its answer is,
// and by which command; the index lists each.
func TestBenchmarksIndex(t *testing.T) {
	for name, index := range indexes {
		list := mustRead(t, name)
		pages, err := filepath.Glob(index.folder + "/[a-z]*.md")
		if err != nil || len(pages) < index.least || len(pages) > index.most {
			t.Errorf("%s has %d pages, %v", index.folder, len(pages), err)
		}
		for _, page := range pages {
			text := mustRead(t, page)
			if !measured.Match(text) {
				t.Errorf("%s does not begin with a question, a date and a commit", page)
			}
			if !command.Match(text) {
				t.Errorf("%s does not say by which command its figures can be had", page)
			}
			if to, err := filepath.Rel(filepath.Dir(name), page); err != nil ||
				!strings.Contains(string(list), "("+filepath.ToSlash(to)+")") {
				t.Errorf("%s does not list %s", name, page)
			}
		}
	}
}

var (
	indexed = regexp.MustCompile(`(?m)^\| .* \| (.*) \| \[[^|]*\]\((.*\.md)\) \|$`)
	figure  = regexp.MustCompile(`\d[\d.]*\d(e-?\d+)?`)
	digits  = strings.NewReplacer(",", "", "−", "-")
)

// The indexes repeat figures of the pages digit by digit: whoever changes a page changes them.
func TestIndexQuotesPages(t *testing.T) {
	for name, index := range indexes {
		list := mustRead(t, name)
		rows := indexed.FindAllStringSubmatch(string(list), -1)
		if len(rows) < index.least {
			t.Errorf("%s has %d rows", name, len(rows))
		}
		for _, m := range rows {
			page := filepath.Join(filepath.Dir(name), m[2])
			text := mustRead(t, page)
			there := digits.Replace(string(text))
			for _, number := range figure.FindAllString(digits.Replace(m[1]), -1) {
				if !regexp.MustCompile(`(^|[^\d.])0?` + regexp.QuoteMeta(strings.TrimPrefix(number, "0")) +
					`([^\d]|$)`).MatchString(there) {
					t.Errorf("%s quotes %s, and %s does not have it: make the two agree", name, number, page)
				}
			}
		}
	}
}
