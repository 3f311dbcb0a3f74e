package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// attack is what retitles, clears, colours and turns around a terminal.
const attack = "\x1b]0;owned\x07\x1b[31m\x1b[2J\u202e\u009b"

// hostileStudy is a study whose texts, and a journal whose notes, hold the attack.
func hostileStudy(t *testing.T) string {
	t.Helper()
	const escaped = `\u001b]0;owned\u0007\u001b[31m\u001b[2J\u202e\u009b`
	dir := t.TempDir()
	write := func(name, text string) {
		mustWrite(t, filepath.Join(dir, name), text)
	}
	write("bohier.yaml", `name: "study `+escaped+`"
objective: {name: "loss", direction: minimize}
space:
  kind: ["good", "bad `+escaped+`"]
  x: {type: float, low: 0, high: 1}
budget: {trials: 30}
seed: 1
`)
	var lines strings.Builder
	for _, x := range []string{"0.1", "0.3", "0.5", "0.7", "0.9"} {
		lines.WriteString(`{"params":{"kind":"bad ` + escaped + `","x":` + x + `},"values":{"loss":` + x +
			`},"note":"note ` + escaped + `"}` + "\n")
	}
	lines.WriteString(`{"params":{"kind":"bad ` + escaped + `","x":0.95},"fail":"infeasible","note":"note ` + escaped +
		`"}` + "\n")
	write("trials.jsonl", lines.String())
	write("points.jsonl", `{"kind":"bad `+escaped+`","x":0.5}`+"\n")
	if code, _, errs := inProcess(dir, "add", "--json", "trials.jsonl"); code != 0 {
		t.Fatal(errs)
	}
	return dir
}

func actsOnTerminals(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf)
	})
}

// Whatever a study, a journal or the command line holds, people see it as escapes,
// in every command; and on a terminal so does the output for programs.
func TestNothingActsOnTheTerminal(t *testing.T) {
	dir := hostileStudy(t)
	shown := 0
	for _, args := range [][]string{
		{"check"}, {"check", "--sample", "3"}, {"status"}, {"trials"}, {"show", "1"}, {"show", "6"}, {"best"},
		{"best", "-n", "3"},
		{"best", "--by", "posterior"}, {"report"}, {"report", "-o", "html"}, {"model"}, {"explain", "1"},
		{"predict", "--points", "points.jsonl"}, {"score", "points.jsonl"}, {"plot", "slice", "kind"},
		{"plot", "convergence"},
		{"plot", "contour", "kind", "x"}, {"plot", "parallel"}, {"plot", "importance"},
		{"suggest", "-o", "table", "--key", "table", "--fix", "kind=bad " + attack}, {"trials", "-o", "json"},
		{"show", "1", "-o", "jsonl"},
		{"suggest", "--fix", "x=" + attack}, {"show", attack}, {"suggest", "-c", attack}, {"nonsense" + attack},
		{"trials", "--state", attack},
		{"observe", "1", attack}, {"journal", "verify"}, {"journal", "replay"}, {"migrate"}, {"doctor"},
		{"suggest", "--fix", "x=" + attack, "-o", "json"}, {"suggest", "--log-format", "json", "--fix", "x=" + attack},
	} {
		_, out, errs := inProcess(dir, args...)
		if actsOnTerminals(out) || actsOnTerminals(errs) {
			t.Errorf("%q prints %q, %q", args, out, errs)
		}
		if strings.Contains(out+errs, "owned") {
			shown++
		}
	}
	if shown < 15 {
		t.Errorf("only %d commands showed the attack at all", shown)
	}
	for _, format := range []string{"csv", "env", "args", "template={kind}"} {
		var out, errs bytes.Buffer
		code := runProgram(context.Background(), streams{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Screen: true,
			Env: func(string) (string, bool) { return "", false },
		}, []string{"show", "1", "-o", format, "--color", "always"})
		if code != 0 || actsOnTerminals(out.String()) || !strings.Contains(out.String(), "owned") {
			t.Errorf("-o %s on a terminal: %d, %q, %s", format, code, &out, &errs)
		}
		if _, piped, _ := inProcess(dir, "show", "1", "-o", format); !strings.Contains(piped, attack) {
			t.Errorf("-o %s in a pipe is not exact: %q", format, piped)
		}
	}
}

// A table is bold for a terminal on standard output, wherever messages go.
func TestColourFollowsStdout(t *testing.T) {
	dir := hostileStudy(t)
	for _, screen := range []bool{false, true} {
		var out bytes.Buffer
		code := runProgram(context.Background(), streams{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Dir: dir, Screen: screen, Terminal: !screen,
			Env: func(string) (string, bool) { return "", false },
		}, []string{"trials"})
		if code != 0 || strings.HasPrefix(out.String(), "\x1b[1mID") != screen {
			t.Errorf("stdout a terminal %v: exit code %d, %.20q", screen, code, &out)
		}
	}
}

// On a terminal a picture without --out is text; elsewhere, and with --out -, SVG.
func TestPlotOnATerminal(t *testing.T) {
	dir := hostileStudy(t)
	for _, c := range []struct {
		screen bool
		args   []string
		want   string
	}{
		{true, []string{"plot", "convergence"}, "# best so far"},
		{true, []string{"plot", "convergence", "--out", "-"}, "<svg "},
		{false, []string{"plot", "convergence"}, "<svg "},
	} {
		var out, errs bytes.Buffer
		code := runProgram(context.Background(), streams{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Screen: c.screen, Columns: 70,
			Env: func(string) (string, bool) { return "", false },
		}, c.args)
		if code != 0 || !strings.Contains(out.String(), c.want) || c.want[0] == '#' && strings.Contains(out.String(), "<") {
			t.Errorf("%v, a terminal %v: exit code %d, %s%s", c.args, c.screen, code, &out, &errs)
		}
	}
}
