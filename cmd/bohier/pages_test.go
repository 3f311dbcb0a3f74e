package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// A block is a fenced part of a page: YAML is a study, sh is run. A comment before it, or
// at the top of the page for all of its blocks, says what else holds: who runs it instead,
// why nobody does, which files it works with.
type block struct {
	language, text string
	line           int
	unrun          string // why it is not run
	runBy          string // the test or script that runs it
	files          string // the directory of the repository whose files it works with
	first          bool   // changes the page's first study, not the last one
}

var (
	fence       = regexp.MustCompile("(?ms)^(?:<!-- ([^>]*) -->\n)?```([a-z]*)\n(.*?)^```$")
	pageWide    = regexp.MustCompile(`(?m)^<!-- blocks of this page are ((?:not run: |run by )[^>]*) -->$`)
	byIndent    = regexp.MustCompile(`(?m)^\n    \S.*`)
	topKey      = regexp.MustCompile(`(?m)^([a-z_]+):`)
	budgets     = regexp.MustCompile(`(budget: \{[^}\n]*(trials|resource): )(\d+)`)
	commandLine = regexp.MustCompile(`(?m)^(?:\$ |bohier |make |go run |go test )|\$\(bohier `)
)

// blocks are those of a page, in order.
func blocks(page string) []block {
	all := ""
	if m := pageWide.FindStringSubmatch(page); m != nil {
		all = m[1]
	}
	var out []block
	for _, m := range fence.FindAllStringSubmatchIndex(page, -1) {
		said := all
		if m[2] >= 0 {
			said = page[m[2]:m[3]]
		}
		b := block{language: page[m[4]:m[5]], text: page[m[6]:m[7]], line: 1 + strings.Count(page[:m[6]], "\n"), first: said == "the first study"}
		b.unrun, _ = strings.CutPrefix(said, "not run: ")
		b.runBy, _ = strings.CutPrefix(said, "run by ")
		b.files, _ = strings.CutPrefix(said, "with the files of ")
		for _, kind := range []*string{&b.unrun, &b.runBy, &b.files} {
			if *kind == said { // not cut
				*kind = ""
			}
		}
		out = append(out, b)
	}
	return out
}

// notRun is how many blocks of commands or YAML may be left out, each with its reason in
// the text: most of them measure for hours or need a cluster.
const notRun = 19

// TestPages runs every block of commands and every study of README and the documentation,
// each page in a directory of its own: a YAML block is the study file, or replaces its keys
// in the one before, and is checked; an sh block has to end with 0. Budgets are cut to four
// trials where bohier runs them, eight where a page does, or 30 units of a resource. What
// another test runs names it; what cannot be run says why, and what it names exists.
func TestPages(t *testing.T) {
	dir, skipped := t.TempDir(), 0
	for _, page := range pages(t) {
		raw, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		var run []block
		shell := false
		if m := byIndent.FindString(fence.ReplaceAllString(string(raw), "")); m != "" {
			t.Errorf("%s: an indented block is not looked at, fence it: %s", page, m)
		}
		for _, b := range blocks(string(raw)) {
			at := fmt.Sprintf("%s:%d", page, b.line)
			switch {
			case b.language != "sh" && b.language != "yaml":
				if commandLine.MatchString(b.text) && b.unrun+b.runBy == "" {
					t.Errorf("%s: commands in a block of %q are not run", at, b.language)
				}
			case b.unrun != "":
				skipped++
				namesExist(t, filepath.Dir(page), at, b)
			case b.runBy != "":
				runs(t, at, b.runBy)
				namesExist(t, filepath.Dir(page), at, b)
			default:
				run, shell = append(run, b), shell || b.language == "sh"
			}
		}
		name := strings.NewReplacer("/", "_", ".md", "").Replace(page)
		switch {
		case shell:
			if err := os.WriteFile(filepath.Join(dir, name+".txtar"), txtar.Format(script(run)), 0o666); err != nil {
				t.Fatal(err)
			}
		case len(run) > 0:
			t.Run(name, func(t *testing.T) { checkStudies(t, page, run) })
		}
	}
	if skipped > notRun {
		t.Errorf("%d blocks are not run, more than %d", skipped, notRun)
	}
	t.Logf("%d blocks are not run", skipped)
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: func(e *testscript.Env) error {
		e.Setenv("HOME", e.WorkDir)
		e.Setenv("REPOSITORY", repository)
		return nil
	}})
}

// runs: a script of that name, a target of make, or a test is there.
func runs(t *testing.T, at, name string) {
	t.Helper()
	if target, isTarget := strings.CutPrefix(name, "make "); isTarget {
		makefile, err := os.ReadFile("../../Makefile")
		if err != nil || !strings.Contains(string(makefile), "\n"+target+": ") {
			t.Errorf("%s: no target %s runs it (%v)", at, target, err)
		}
		return
	}
	if _, err := os.Stat(filepath.Join("../..", name)); err == nil {
		return
	}
	for _, pattern := range []string{"*_test.go", "../../docs/*_test.go", "../../examples/*_test.go"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "\nfunc "+name+"(t ") {
				return
			}
		}
	}
	t.Errorf("%s: there is no test %s", at, name)
}

// pages are the repository's pages, but for the list of changes and what tests keep.
func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS("../.."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "dist" || strings.HasPrefix(d.Name(), ".") && path != "."):
			return fs.SkipDir
		case filepath.Ext(path) == ".md" && path != "CHANGELOG.md":
			out = append(out, path)
		}
		return nil
	})
	if err != nil || len(out) < 70 {
		t.Fatalf("%d pages, %v", len(out), err)
	}
	return out
}

// experiment is what the pages tune: its loss is a checksum of its arguments, below 1.
const experiment = "#!/bin/sh\necho \"0.$(printf %s \"$*\" | cksum | cut -d ' ' -f 1)\"\n"

// studies calls do with each block and the study file as it is then.
func studies(list []block, do func(k int, b block, study string)) {
	study, first := "", ""
	for k, b := range list {
		if b.language == "yaml" {
			if b.first {
				study = first
			}
			study = withKeys(study, b.text)
			if first == "" {
				first = study
			}
		}
		most := map[string]int{"trials": 8, "resource": 30}
		if strings.Contains(study, "\nrun:") {
			most["trials"] = 4
		}
		do(k, b, budgets.ReplaceAllStringFunc(study, func(text string) string {
			m := budgets.FindStringSubmatch(text)
			n, _ := strconv.Atoi(m[3])
			return m[1] + strconv.Itoa(min(n, most[m[2]]))
		}))
	}
}

// checkStudies checks the studies of a page that has no commands, in this process.
func checkStudies(t *testing.T, page string, list []block) {
	studies(list, func(_ int, b block, study string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "bohier.yaml"), []byte(study), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, errs := inProcess(dir, "check"); code != 0 {
			t.Errorf("%s:%d: exit code %d\n%s%s", page, b.line, code, out, errs)
		}
	})
}

// script turns the blocks of a page into a script.
func script(list []block) *txtar.Archive {
	a := &txtar.Archive{Files: []txtar.File{{Name: "experiment", Data: []byte(experiment)}}}
	var lines strings.Builder
	lines.WriteString("exec chmod +x experiment\n")
	studies(list, func(k int, b block, study string) {
		name := fmt.Sprintf("block%d.%s", k, b.language)
		if b.language == "yaml" {
			a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(study)})
			fmt.Fprintf(&lines, "cp %s bohier.yaml\nexec bohier check\n", name)
			return
		}
		if b.files != "" {
			fmt.Fprintf(&lines, "exec cp -R $REPOSITORY/%s/. .\n", b.files)
		}
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(b.text)})
		fmt.Fprintf(&lines, "exec sh -eu %s\n", name)
	})
	a.Comment = []byte(lines.String())
	return a
}

// withKeys is a study file in which the top-level keys of part replace those of study;
// one with a space of its own replaces all.
func withKeys(study, part string) string {
	keys := map[string]bool{}
	for _, m := range topKey.FindAllStringSubmatch(part, -1) {
		keys[m[1]] = true
	}
	if (keys["objective"] || keys["objectives"]) && keys["space"] {
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

var (
	programs = regexp.MustCompile(`(?m)(?:^|&& |\| |\()(?:[A-Z_]+=\S+ )*(make|go run|bohier|sh|bench/\S+|\./\S+) ([a-z./][\w./-]*)?`)
	target   = regexp.MustCompile(`(?m)^([a-z-]+(?: [a-z-]+)*):(?: |$)`)
)

// namesExist: the targets, programs and commands that a block of a page in dir names that is not run.
func namesExist(t *testing.T, dir, at string, b block) {
	t.Helper()
	if b.language != "sh" {
		return
	}
	targets := map[string]bool{}
	for _, file := range []string{"../../Makefile", filepath.Join("../..", dir, "Makefile")} {
		makefile, _ := os.ReadFile(file)
		for _, m := range target.FindAllStringSubmatch(string(makefile), -1) {
			for _, name := range strings.Fields(m[1]) {
				targets[name] = true
			}
		}
	}
	root := newRoot(&streams{}, &globals{})
	for _, m := range programs.FindAllStringSubmatch(b.text, -1) {
		known := true
		switch program, arg := m[1], m[2]; {
		case program == "make":
			known = arg == "" || targets[arg]
		case program == "go run" && strings.HasPrefix(arg, "./"):
			_, err := os.Stat(filepath.Join("../..", arg))
			known = err == nil
		case strings.HasPrefix(program, "bench/"):
			_, err := os.Stat(filepath.Join("../..", program))
			known = err == nil
		case program == "bohier" && arg != "":
			c, _, err := root.Find([]string{arg})
			known = err == nil && c != root
		}
		if !known {
			t.Errorf("%s: %q is not there", at, strings.TrimSpace(m[0]))
		}
	}
}

// TestManual: the index names every page of the manual, and no page is too long to read.
func TestManual(t *testing.T) {
	index, err := os.ReadFile("../../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := filepath.Glob("../../docs/manual/*.md")
	if err != nil || len(list) < 19 {
		t.Fatalf("%d pages, %v", len(list), err)
	}
	for _, page := range append(list, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Base(page); !strings.Contains(string(index), "(manual/"+name+")") && name != "README.md" {
			t.Errorf("docs/README.md does not name %s", name)
		}
		if n := strings.Count(string(text), "\n"); n > 120 {
			t.Errorf("%s has %d lines, more than 120", page, n)
		}
	}
}
