package main

import (
	"regexp"
	"strings"
	"testing"
)

var (
	comparisonRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| (.+) \|$`)
	aTest         = regexp.MustCompile(`\bTest\w+|make \w+|\.ci/\S+`)
)

// TestComparison: comparison.txtar shows every row of docs/comparison.md in which bohier does
// something, under the row's name, by commands or by tests and targets that exist.
func TestComparison(t *testing.T) {
	const name = "docs/comparison.md"
	page := mustRead(t, "../../"+name)
	text := mustRead(t, "testdata/script/comparison.txtar")
	shown := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^# (.*?)(?:: ((?:Test|make|\.ci).*))?$`).FindAllStringSubmatch(string(text),
		-1) {
		shown[m[1]] = true
		for _, one := range aTest.FindAllString(m[2], -1) {
			exists(t, name+", "+m[1], one)
		}
	}
	_, tables, _ := strings.Cut(string(page), "## Spaces")
	rows, theirs := 0, 1
	for _, m := range comparisonRow.FindAllStringSubmatch(tables, -1) {
		cells := strings.Split(m[2], " | ")
		if m[1] == "looked for" {
			theirs = 2 // bohier is the last of three columns
		}
		own := cells[theirs-1]
		if strings.HasPrefix(m[1], "--") || own == "bohier" ||
			regexp.MustCompile(`^(no|none|new|the owner's)\b`).MatchString(own) && !strings.Contains(own, "`") {
			continue
		}
		if rows++; !shown[m[1]] {
			t.Errorf("%s: comparison.txtar does not show %q: %s", name, m[1], own)
		}
	}
	if rows < 40 {
		t.Errorf("%d rows", rows)
	}
}
