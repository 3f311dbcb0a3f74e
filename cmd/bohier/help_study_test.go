package main

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"bohier/internal/config"
)

var update = flag.Bool("update", false, "rewrite testdata/golden and what pages of the manual take from the program")

// TestStudyFilePage holds that the page in the manual is the reference of this program.
func TestStudyFilePage(t *testing.T) {
	const page = "../../docs/study-file.md"
	want := studyFilePage()
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

// TestKeysHaveExamples: every key has an example that loads, and a value that is refused with an error.
func TestKeysHaveExamples(t *testing.T) {
	for _, k := range config.Reference(options()) {
		if k.Example == "" || k.Error == "" {
			t.Errorf("%s: example %q, wrong %q, error %q", k.Path, k.Example, k.Wrong, k.Error)
		}
	}
}
