package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

var (
	fence  = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
	topKey = regexp.MustCompile(`(?m)^([a-z_]+):`)
)

// experiment is what the pages tune: its loss is the length of its arguments.
const experiment = "#!/bin/sh\necho \"$#.$(printf %s \"$*\" | wc -c | tr -d ' ')\"\n"

// TestManual runs every page of the manual, in a directory of its own: a YAML block is
// the study file, or replaces its keys in the one before, and is checked; an sh block is
// run and has to end with 0. Blocks of text are not run.
func TestManual(t *testing.T) {
	pages, err := filepath.Glob("../../docs/manual/*.md")
	if err != nil || len(pages) < 17 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	dir := t.TempDir()
	index, err := os.ReadFile("../../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(page)
		if !strings.Contains(string(index), "(manual/"+name+")") {
			t.Errorf("docs/README.md does not name %s", name)
		}
		if n := strings.Count(string(text), "\n"); n > 120 {
			t.Errorf("%s has %d lines, more than 120", name, n)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		script := pageScript(string(text))
		if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name, ".md")+".txtar"), txtar.Format(script), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: func(e *testscript.Env) error {
		e.Setenv("HOME", e.WorkDir)
		return nil
	}})
}

// pageScript turns the blocks of a page into a script.
func pageScript(page string) *txtar.Archive {
	a := &txtar.Archive{Files: []txtar.File{{Name: "experiment", Data: []byte(experiment)}}}
	var script strings.Builder
	script.WriteString("exec chmod +x experiment\n")
	study := ""
	for k, block := range fence.FindAllStringSubmatch(page, -1) {
		switch block[1] {
		case "yaml":
			study = withKeys(study, block[2])
			name := fmt.Sprintf("block%d.yaml", k)
			a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(study)})
			fmt.Fprintf(&script, "cp %s bohier.yaml\nexec bohier check\n", name)
		case "sh":
			name := fmt.Sprintf("block%d.sh", k)
			a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(block[2])})
			fmt.Fprintf(&script, "exec sh -eu %s\n", name)
		}
	}
	a.Comment = []byte(script.String())
	return a
}

// withKeys is a study file in which the top-level keys of part replace those of study;
// one with a space of its own replaces all.
func withKeys(study, part string) string {
	keys := map[string]bool{}
	for _, m := range topKey.FindAllStringSubmatch(part, -1) {
		keys[m[1]] = true
	}
	if keys["objective"] && keys["space"] {
		return part
	}
	var kept strings.Builder
	skip := false
	for _, line := range strings.SplitAfter(study, "\n") {
		if m := topKey.FindStringSubmatch(line); m != nil {
			skip = keys[m[1]]
		}
		if !skip {
			kept.WriteString(line)
		}
	}
	return kept.String() + part
}
