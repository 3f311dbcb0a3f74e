package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"":                                      "which study? There are",
		"nonsense":                              `no study "nonsense"`,
		"zaefferer more":                        `unexpected argument "more"`,
		"regression -data . -problems nonsense": `no study "nonsense"`,
		"zaefferer -problems func2c":            "-problems",
		"zaefferer -runs -3":                    "must be 1 or more",
		"zaefferer -j 0":                        "at least one",
		"fm -n 0":                               "must be 1 or more",
		"fm -methods modlab":                    `no method "modlab"`,
	} {
		list := strings.Fields(args)
		if len(list) > 1 {
			list = slices.Insert(list, 1, "-o", filepath.Join(t.TempDir(), "results.jsonl"))
		}
		err := run(context.Background(), list, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}

// Without data the program says which files it needs and where they are to be had.
func TestWithoutData(t *testing.T) {
	t.Setenv("DATA", "")
	for _, study := range []string{"regression"} {
		err := run(context.Background(), []string{study, "-o", ""}, io.Discard, io.Discard)
		if err == nil {
			t.Fatalf("%s: no error", study)
		}
		for _, want := range []string{"servo.data", "meta.data", "optical_interconnection_network.csv",
			"swersky_mnist_bo_951x24.csv", "UCI"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nlacks %q", study, err, want)
			}
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
