package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestServePage sends the requests of docs/manual/other-languages.md; the answers are those
// that stand there, but for the id and what … leaves out.
func TestServePage(t *testing.T) {
	page := mustRead(t, "../../docs/manual/other-languages.md")
	_, rest, _ := strings.Cut(string(page), "```json\n")
	text, _, _ := strings.Cut(rest, "\n```")
	lines := strings.Split(text, "\n")
	dir := t.TempDir()
	study := "objective: {name: loss, direction: minimize}\ncost: seconds\nspace: {x: {type: float, low: 0, high: 1}}\n"
	mustWrite(t, filepath.Join(dir, "bohier.yaml"), study)
	id, shown := "", regexp.MustCompile(`1-k3f9`)
	for k := 0; k+1 < len(lines); k += 2 {
		var out, errs bytes.Buffer
		code := runProgram(t.Context(), streams{
			Stdin: strings.NewReader(shown.ReplaceAllString(lines[k], id) + "\n"), Stdout: &out, Stderr: &errs, Dir: dir,
			Env: func(string) (string, bool) { return "", false },
		}, []string{"serve", "--stdio"})
		if m := regexp.MustCompile(`"id":"(1-\w{4})"`).FindStringSubmatch(out.String()); m != nil {
			id = m[1]
		}
		want := "^" + strings.ReplaceAll(regexp.QuoteMeta(shown.ReplaceAllString(lines[k+1], id)), "…", ".*") + "\n$"
		if ok, err := regexp.MatchString(want, out.String()); code != 0 || err != nil || !ok {
			t.Errorf("%s\nis answered with %d\n%s%sand not\n%s", lines[k], code, &out, &errs, lines[k+1])
		}
	}
	if id == "" || len(lines) < 4 {
		t.Errorf("%d lines", len(lines))
	}
}
