package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the program in process.
func call(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := run(args, strings.NewReader(stdin), &out)
	return out.String(), err
}

func TestVerbs(t *testing.T) {
	params := filepath.Join(t.TempDir(), "params.json")
	if err := os.WriteFile(params, []byte(`{"x1":0.6}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BOHIER_PARAMS", params)
	for _, c := range []struct {
		args  string
		stdin string
		want  string // a part of the output
	}{
		{args: "list", want: "zaefferer_b0.1_c0.4_d0.7"},
		{args: "spec jenatton", want: `"name": "jenatton"`},
		{args: `eval zaefferer_A {"x1":0.6}`, want: "0.25\n"},
		{args: "trial zaefferer_A", want: "0.25\n"},
		{args: "serve zaefferer_B", stdin: "{\"x1\":0.1}\n\n{\"x1\":0.7,\"x2\":0.5}\n", want: "0\n0.45999999999999996\n"},
		{args: "study -seed 3 -budget 12 zaefferer_A", want: "budget: {trials: 12}\nseed: 3\n"},
		{args: "study zaefferer_A", want: "x2: {type: float, low: 0, high: 1, active_if: {x1: {gt: 0.6}}}"},
	} {
		got, err := call(t, c.stdin, strings.Fields(c.args)...)
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("blackbox %s: %q, %v; want %q", c.args, got, err, c.want)
		}
	}
}

func TestMistakes(t *testing.T) {
	t.Setenv("BOHIER_PARAMS", "")
	for _, c := range []struct {
		args, stdin, want string
	}{
		{args: "", want: "usage"},
		{args: "list all", want: "usage"},
		{args: "fly", want: "usage"},
		{args: "eval nothing {}", want: `no problem is called "nothing"`},
		{args: "eval zaefferer_A [1]", want: "JSON object"},
		{args: "serve zaefferer_A", stdin: "{\"x1\":0.1}\n{\"x1\":2}\n", want: "line 2: zaefferer_A: x1: 2 is outside"},
		{args: "study -speed 3 zaefferer_A", want: "-speed"},
		{args: "trial zaefferer_A", want: "BOHIER_PARAMS"},
	} {
		if _, err := call(t, c.stdin, strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("blackbox %s: error %v, want %q", c.args, err, c.want)
		}
	}
}
