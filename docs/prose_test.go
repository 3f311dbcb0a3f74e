package docs

import (
	"os"
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
	{regexp.MustCompile(`\bforetell`), "predict"},
	{regexp.MustCompile(`\bstands? in for\b`), "replace, imitate"},
	{regexp.MustCompile(`\blets? go of\b`), "release"},
	{regexp.MustCompile(`\bas ever\b`), "leave it out"},
	{regexp.MustCompile(`\bto the letter\b`), "exactly"},
	{regexp.MustCompile(`\bof (?:which|whom)\b`), "make two sentences"},
}

// block is a fenced block or a table, in which lines are no sentences.
var block = regexp.MustCompile("(?ms)^```.*?^```$|^\\|.*?$|^<!--.*?-->$")

// TestProse: the pages that a reader is led to keep to plain sentences. Titles and questions
// may begin with What.
func TestProse(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"../README.md", "../CONTRIBUTING.md", "README.md", "manual/*.md",
		"how-a-suggestion-is-chosen.md", "comparison.md", "extending.md", "kernels.md", "layout.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no page %s: %v", pattern, err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, paragraph := range strings.Split(block.ReplaceAllString(string(raw), ""), "\n\n") {
			text := strings.Join(strings.Fields(paragraph), " ")
			if strings.HasPrefix(text, "#") {
				continue
			}
			for _, p := range prose {
				if found := p.pattern.FindString(text); found != "" {
					t.Errorf("%s: %q: %s", page, found, p.instead)
				}
			}
		}
	}
}
