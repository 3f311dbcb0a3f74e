package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"":               "which study? There are",
		"nonsense":       `no study "nonsense"`,
		"zaefferer more": `unexpected argument "more"`,
	} {
		err := run(context.Background(), strings.Fields(args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

// Without results the report says so of every claim, and runs nothing.
func TestReportOnly(t *testing.T) {
	var out strings.Builder
	path := filepath.Join(t.TempDir(), "none.jsonl")
	if err := run(context.Background(), []string{"zaefferer", "-report", "-o", path}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "too few results"); n != 19 {
		t.Errorf("%d claims have too few results\n%s", n, out.String())
	}
}
