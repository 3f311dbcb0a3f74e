package study_test

import (
	"testing"

	"bohier/internal/study"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 trials", 1: "1 trial", 2: "2 trials", 11: "11 trials"} {
		if got := study.Count(n, "trial"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
