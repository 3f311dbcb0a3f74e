package main

import (
	"strings"
	"testing"
	"time"

	"bohier/bench/runs"
)

func TestProgress(t *testing.T) {
	var b strings.Builder
	progress(&b, 8)(&runs.Run{Problem: "func2c", Variant: "auto", Seed: 2, Best: []float64{1, 0.25}}, 3, 61*time.Second)
	if want := "3 of 8, 1m1s left: func2c, auto, seed 2: 0.25\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
