package main

import (
	"flag"
	"testing"

	"bohier/internal/config"
)

var update = flag.Bool("update", false, "rewrite testdata/golden and what pages of the manual take from the program")

// TestStudyFilePage holds that the page in the manual is the reference of this program.
func TestStudyFilePage(t *testing.T) {
	goldenFile(t, "../../docs/study-file.md", studyFilePage())
}

// TestKeysHaveExamples: every key has an example that loads, and a value that is refused with an error.
func TestKeysHaveExamples(t *testing.T) {
	for _, k := range config.Reference(options()) {
		if k.Example == "" || k.Error == "" {
			t.Errorf("%s: example %q, wrong %q, error %q", k.Path, k.Example, k.Wrong, k.Error)
		}
	}
}
