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
			if err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "dist" || d.Name() == ".git") {
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

// Every page of figures asks one question, and says of which day and commit its answer is,
// and by which command; the index lists each.
func TestBenchmarksIndex(t *testing.T) {
	index, err := os.ReadFile("benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob("benchmarks/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if !measured.Match(text) {
			t.Errorf("%s does not begin with a question, a date and a commit", page)
		}
		if !command.Match(text) {
			t.Errorf("%s does not say by which command its figures can be had", page)
		}
		if !strings.Contains(string(index), "("+filepath.ToSlash(page)+")") {
			t.Errorf("benchmarks.md does not list %s", page)
		}
	}
}

var (
	indexed = regexp.MustCompile(`(?m)^\| .* \| (.*) \| \[[^|]*\]\((benchmarks/.*\.md)\) \|$`)
	figure  = regexp.MustCompile(`\d[\d.]*\d(e-?\d+)?`)
	digits  = strings.NewReplacer(",", "", "−", "-")
)

// The index repeats figures of the pages digit by digit: whoever changes a page changes them.
func TestIndexQuotesPages(t *testing.T) {
	index, err := os.ReadFile("benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := indexed.FindAllStringSubmatch(string(index), -1)
	if len(rows) < 30 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, m := range rows {
		text, err := os.ReadFile(m[2])
		if err != nil {
			t.Fatal(err)
		}
		page := digits.Replace(string(text))
		for _, number := range figure.FindAllString(digits.Replace(m[1]), -1) {
			if !regexp.MustCompile(`(^|[^\d.])0?` + regexp.QuoteMeta(strings.TrimPrefix(number, "0")) + `([^\d]|$)`).MatchString(page) {
				t.Errorf("benchmarks.md quotes %s, and %s does not have it: make the two agree", number, m[2])
			}
		}
	}
}
