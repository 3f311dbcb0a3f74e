package space_test

import (
	"testing"

	"bohier/internal/space"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		word  string
		among []string
		want  string
	}{
		{"kernle", []string{"kernel", "kerne"}, "kernel"}, // two neighbours swapped are one mistake
		{"kernle", []string{"kerne", "kernel"}, "kerne"},  // the first of equals
		{"ab", []string{"ba"}, "ba"},
		{"ab", []string{"xy"}, ""}, // one of two may differ
		{"Depth", []string{"width", "DEPT"}, "DEPT"},
		{"abcdef", []string{"abxxxf"}, ""}, // at most a third may differ
		{"abcdef", []string{"abxxef"}, "abxxef"},
		{"abc", []string{"abcde", "abcd"}, "abcd"},
		{"a", []string{"b", "a"}, "a"},
		{"", []string{"a"}, ""},
	} {
		if got, ok := space.Nearest(c.word, c.among); got != c.want || ok != (c.want != "") {
			t.Errorf("%q among %q: %q, want %q", c.word, c.among, got, c.want)
		}
	}
}
