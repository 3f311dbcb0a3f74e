package docs

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// prose lists what a reader stumbles over, with what to write in its place.
var prose = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?m)(?:^|[.:] )(?:Of|What|Whoever|Those|Without) [^?]*?(?:[.:]|$)`),
		"begin the sentence with its subject, a noun"},
	{regexp.MustCompile(`\b[Ww]hoever\b`), "name the person or the thing"},
	{regexp.MustCompile(`\b(?:is|are|was|were) told\b`), "reported, listed, warned of"},
	{regexp.MustCompile(`\bthose that\b`), "repeat the noun"},
	{regexp.MustCompile(`\b(?:come|comes|came) to\b`), "reach, equal, cost"},
	{regexp.MustCompile(`\bforet(?:ell|old)`), "predict"},
	{regexp.MustCompile(`\b(?:is|are) what\b`), "name the thing by a noun"},
	{regexp.MustCompile(`\b(?:says?|tells?) what\b`), "describe, report, or name the thing"},
	{regexp.MustCompile(`\bwhat (?:be)?c[ao]mes? of\b`), "name the result, the state, the end"},
	{regexp.MustCompile(`\bsums? up\b`), "summarise"},
	{regexp.MustCompile(`\bstands? in for\b`), "replace, imitate"},
	{regexp.MustCompile(`\blets? go of\b`), "release"},
	{regexp.MustCompile(`\bas ever\b`), "leave it out"},
	{regexp.MustCompile(`\bto the letter\b`), "exactly"},
	{regexp.MustCompile(`\bof (?:which|whom)\b`), "make two sentences"},
}

// block is a fenced block or a table, in which lines are no sentences.
var block = regexp.MustCompile("(?ms)^```.*?^```$|^\\|.*?$|^<!--.*?-->$")

// named is the beginning of a comment on a declaration with one of the names.
var named = regexp.MustCompile(`^(?:Of|Without) (?:is|returns|summarises) `)

// TestProse: the pages that a reader is led to, the texts of `bohier help` and the comments of the code keep
// to plain sentences. Titles and questions may begin with What.
func TestProse(t *testing.T) {
	for _, page := range matching(t, "../README.md", "../CONTRIBUTING.md", "README.md", "manual/*.md",
		"how-a-suggestion-is-chosen.md", "comparison.md", "extending.md", "kernels.md", "layout.md") {
		raw := mustRead(t, page)
		checkProse(t, page, block.ReplaceAllString(string(raw), ""))
	}
	for _, text := range matching(t, "../cmd/bohier/help/*.txt") {
		raw := mustRead(t, text)
		checkProse(t, text, string(raw))
	}
	for _, file := range matching(t, "../cmd/*/*.go", "../internal/*/*.go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		must(t, err)
		for _, c := range f.Comments {
			checkProse(t, file, named.ReplaceAllString(c.Text(), ""))
		}
	}
}

// matching lists the files that match patterns. Each pattern matches one at least.
func matching(t *testing.T, patterns ...string) (files []string) {
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no file %s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

func checkProse(t *testing.T, file, text string) {
	for _, paragraph := range strings.Split(text, "\n\n") {
		text := strings.Join(strings.Fields(paragraph), " ")
		if strings.HasPrefix(text, "#") {
			continue
		}
		for _, p := range prose {
			if found := p.pattern.FindString(text); found != "" {
				t.Errorf("%s: %q: %s", file, found, p.instead)
			}
		}
	}
}
