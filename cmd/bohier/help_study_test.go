package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"bohier/internal/config"
	"bohier/internal/study"
)

var update = flag.Bool("update", false, "rewrite testdata/golden and what pages of the manual take from the program")

// TestStudyFilePage holds that the page in the manual is the reference of this
// program.
func TestStudyFilePage(t *testing.T) {
	const page = "../../docs/study-file.md"
	want := config.ReferencePage(options())
	if *update {
		if err := os.WriteFile(page, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the program says; `make golden` writes it anew", page)
	}
}

// TestExitCodesPage holds that the README's table is what help prints.
func TestExitCodesPage(t *testing.T) {
	const page, head = "../../README.md", "## Exit codes\n\n| code | meaning |\n|---|---|\n"
	want := ""
	for _, e := range study.Exits {
		want += "| " + e.Code + " | " + e.Meaning + " |\n"
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), head)
	got, after, _ := strings.Cut(rest, "\n\n")
	switch got += "\n"; {
	case !ok:
		t.Fatalf("%s has no table of exit codes", page)
	case got == want:
	case !*update:
		t.Errorf("%s shows\n%s\nthe program says (make golden)\n%s", page, got, want)
	default:
		if err := os.WriteFile(page, []byte(before+head+want+"\n"+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
