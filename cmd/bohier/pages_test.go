package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// A block is a fenced part of a page: YAML is a study, sh is run. A comment before it, or at the top of the page for
// all of its blocks, says what else holds: who runs it instead, or which files it works with.
type block struct {
	language, text string
	line           int
	runBy          string // the test or script that runs it
	files          string // the directory of the repository whose files it works with
	first          bool   // changes the page's first study, not the last one
}

var (
	fence       = regexp.MustCompile("(?ms)^(?:<!-- ([^>]*) -->\n)?```([a-z]*)\n(.*?)^```$")
	pageWide    = regexp.MustCompile(`(?m)^<!-- blocks of this page are (run by [^>]*) -->$`)
	byIndent    = regexp.MustCompile(`(?m)^\n    \S.*`)
	topKey      = regexp.MustCompile(`(?m)^([a-z_]+):`)
	budgets     = regexp.MustCompile(`(budget: \{[^}\n]*(trials|resource): )(\d+)`)
	ofBench     = regexp.MustCompile(`go run \./bench|make (?:compare|replicate|simulate|ablate)|bench/compare/`)
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
		b := block{language: page[m[4]:m[5]], text: page[m[6]:m[7]], line: 1 + strings.Count(page[:m[6]], "\n"),
			first: said == "the first study"}
		b.runBy, _ = strings.CutPrefix(said, "run by ")
		b.files, _ = strings.CutPrefix(said, "with the files of ")
		for _, kind := range []*string{&b.runBy, &b.files} {
			if *kind == said { // not cut
				*kind = ""
			}
		}
		out = append(out, b)
	}
	return out
}

// TestPages runs every block of commands and every study of README and the documentation, each page in a directory of
// its own: a YAML block is the study file, or replaces its keys in the one before, and is checked; an sh block has to
// end with 0. Budgets are cut to four trials where bohier runs them, eight where a page does, or 30 units of a
// resource. What another test runs names it, and that test the page. No block is left out.
func TestPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, page := range pages(t) {
		raw := mustRead(t, filepath.Join("../..", page))
		var run []block
		shell := false
		if m := byIndent.FindString(fence.ReplaceAllString(string(raw), "")); m != "" {
			t.Errorf("%s: an indented block is not looked at, fence it: %s", page, m)
		}
		for _, b := range blocks(string(raw)) {
			at := fmt.Sprintf("%s:%d", page, b.line)
			switch {
			case b.language != "sh" && b.language != "yaml" && b.runBy == "":
				if b.language == "python" || commandLine.MatchString(b.text) {
					t.Errorf("%s: commands in a block of %q are not run", at, b.language)
				}
			case b.runBy != "":
				runs(t, page, at, b.runBy)
				namesExist(t, filepath.Dir(page), at, b)
				if b.language == "sh" && strings.Contains(b.text, "…") {
					t.Errorf("%s: nobody can type a command with “…” in it: write it out, or make it a sentence", at)
				}
			case ofBench.MatchString(b.text):
				t.Errorf("%s: write <!-- run by TestMeasurements --> above this block (CONTRIBUTING.md, Commands in pages)", at)
			default:
				run, shell = append(run, b), shell || b.language == "sh"
			}
		}
		name := strings.NewReplacer("/", "_", ".md", "").Replace(page)
		switch {
		case shell:
			noError(t, os.WriteFile(filepath.Join(dir, name+".txtar"), txtar.Format(script(run)), 0o666))
		case len(run) > 0:
			t.Run(name, func(t *testing.T) { checkStudies(t, page, run) })
		}
	}
	repository, err := filepath.Abs("../..")
	noError(t, err)
	testscript.Run(t, testscript.Params{Dir: dir, Setup: func(e *testscript.Env) error {
		e.Setenv("HOME", e.WorkDir)
		useBuilt(e)
		e.Setenv("REPOSITORY", repository)
		return nil
	}})
}

// runs: a script of that name, a target of make, or a test is there; the test or script names the page.
func runs(t *testing.T, page, at, name string) {
	t.Helper()
	text := exists(t, at, name)
	body, _, _ := strings.Cut(text[max(0, strings.Index(text, "\nfunc "+name+"(")):], "\n}\n")
	dir, base := filepath.Split(page)
	names := []string{base, `"` + filepath.Base(dir) + `"`} // an example by its directory
	if name == "TestMeasurements" {
		names = append(names, filepath.Base(dir)+"/*.md")
	}
	if !strings.HasPrefix(name, "make ") &&
		!slices.ContainsFunc(names, func(n string) bool { return strings.Contains(body, n) }) {
		t.Errorf("%s: %s says nothing of this page", at, name)
	}
}

// exists: a script of that name, a target of make, or a test is there, in a file with this text.
func exists(t *testing.T, at, name string) (text string) {
	t.Helper()
	files, line := []string{filepath.Join("../..", name)}, ""
	if target, isTarget := strings.CutPrefix(name, "make "); isTarget {
		files, line = []string{"../../Makefile"}, "\n"+target+": "
	} else if strings.HasPrefix(name, "Test") {
		files, line = nil, "\nfunc "+name+"(t "
		for _, pattern := range []string{"*_test.go", "../../docs/*_test.go", "../../examples/*_test.go",
			"../../internal/*/*_test.go"} {
			more, _ := filepath.Glob(pattern)
			files = append(files, more...)
		}
	}
	for _, file := range files {
		if raw, err := os.ReadFile(file); err == nil && strings.Contains(string(raw), line) {
			return string(raw)
		}
	}
	t.Errorf("%s: there is no %s", at, name)
	return ""
}

// pages are the repository's pages, but for the list of changes and what tests keep.
func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS("../.."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "dist" ||
			strings.HasPrefix(d.Name(), ".") && path != "."):
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
		mustWrite(t, filepath.Join(dir, "bohier.yaml"), study)
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
	programs  = regexp.MustCompile(`(?m)(?:^|&& |\| |\()(?:[A-Z_]+=\S+ )*(make|go run|bohier|sh|bench/\S+|\./\S+) ([a-z./][\w./-]*)?`)
	goTest    = regexp.MustCompile(`go test .*-(?:run|bench) '?([A-Z][\w|]*)'?.*`)
	packageOf = regexp.MustCompile(`\./[\w/]+`)
	target    = regexp.MustCompile(`(?m)^([a-z-]+(?: [a-z-]+)*):(?: |$)`)
)

// namesExist: the targets, programs, tests and commands are there that a block of a page in
// dir names, which another test runs, if at other times.
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
	root := newRoot(&globals{})
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
	for _, m := range goTest.FindAllStringSubmatch(b.text, -1) {
		files, _ := filepath.Glob(filepath.Join("../..", packageOf.FindString(m[0]), "*_test.go"))
		var all strings.Builder
		for _, file := range files {
			text, _ := os.ReadFile(file)
			all.Write(text)
		}
		for _, name := range strings.Split(m[1], "|") {
			if found, err := regexp.MatchString(`(?m)^func \w*`+strings.Trim(name, "^$"), all.String()); err != nil || !found {
				t.Errorf("%s: no test or benchmark %s in %q", at, name, m[0])
			}
		}
	}
}

// TestManual: the index names every page of the manual, and no page is too long to read.
func TestManual(t *testing.T) {
	index := mustRead(t, "../../docs/README.md")
	list, err := filepath.Glob("../../docs/manual/*.md")
	if err != nil || len(list) < 19 {
		t.Fatalf("%d pages, %v", len(list), err)
	}
	for _, page := range append(list, "../../README.md") {
		text := mustRead(t, page)
		if name := filepath.Base(page); !strings.Contains(string(index), "(manual/"+name+")") && name != "README.md" {
			t.Errorf("docs/README.md does not name %s", name)
		}
		if n := strings.Count(string(text), "\n"); n > 120 {
			t.Errorf("%s has %d lines, more than 120", page, n)
		}
	}
}
