package main

import (
	"context"
	"io"
	"strings"
	"testing"
)

// Without data the program says which files it needs and where they are to be had.
func TestWithoutData(t *testing.T) {
	t.Setenv("DATA", "")
	for _, args := range [][]string{nil, {"-data", t.TempDir()}} {
		err := run(context.Background(), args, io.Discard, io.Discard)
		if err == nil {
			t.Fatalf("%v: no error", args)
		}
		for _, want := range []string{"servo.data", "meta.data", "optical_interconnection_network.csv", "swersky_mnist_bo_951x24.csv", "UCI"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v\nlacks %q", args, err, want)
			}
		}
	}
}

func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"-data . more":            `unexpected argument "more"`,
		"-data . -study nonsense": `no study "nonsense"`,
	} {
		err := run(context.Background(), strings.Fields(args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}
