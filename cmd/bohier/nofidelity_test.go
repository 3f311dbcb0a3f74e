package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// masks hide what differs from run to run: times, tags, checksums, the journal's name.
var masks = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`20\d\d-\d\d-\d\dT[0-9:.]+Z`), "TIME"},
	{regexp.MustCompile(`\b(\d+)-[0-9a-z]{4}\b`), "$1-TAG"},
	{regexp.MustCompile(`"(tag|crc|prev|run)":("[^"]*"|\d+)`), `"$1":MASKED`},
	{regexp.MustCompile(`"lock":"[^"]*"`), `"lock":MASKED`},
}

// TestWithoutFidelity: a study without a fidelity says and writes, byte for byte, what is recorded of it. The
// suggestions are those of the initial design, which are the same on every machine.
func TestWithoutFidelity(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bohier.yaml")
	mustWrite(t, file, goldenStudy+"initial: {count: 12}\n")
	var b strings.Builder
	for _, line := range []string{
		"suggest", "observe 1 loss=0.5 size=1 --cost 2 --metric epochs=3", "suggest -o env --key k",
		"observe 2 loss=0.4 size=6 --note heavy", "suggest -o args --worker w", "observe 3 loss=0.4 size=6",
		"observe 3 loss=0.3 size=2 --replace",
		"suggest -o table", "observe 4 --fail transient", "suggest -o id", "observe 5 loss=nan size=1",
		"suggest -n 2 -o jsonl", "abandon 6", "return 7",
		"suggest --worker w -o id", "observe 3 loss=0.1 size=2", "enqueue lr=0.5 kernel=rbf", "suggest",
		"add lr=0.2 kernel=rbf loss=0.9 size=4", "status", "status -o json", "best", "best -o json", "best -n 3", "trials",
		"trials -o json", "trials -o csv",
		"show 3", "show 3 -o json", "export csv", "observe 3 loss=0.35 size=2 --replicate",
		"journal verify --journal bohier.journal.jsonl", "suggest --start 3", "observe 7 0.3 --at 3",
	} {
		code, out, errs := inProcess(dir, strings.Fields(line)...)
		fmt.Fprintf(&b, "$ bohier %s\n%s%s[%d]\n", line, out, errs, code)
	}
	journal := mustRead(t, filepath.Join(dir, "bohier.journal.jsonl"))
	text := strings.ReplaceAll(b.String()+"\n"+string(journal), dir, "DIR")
	for _, m := range masks {
		text = m.pattern.ReplaceAllString(text, m.with)
	}
	golden(t, "nofidelity.txt", []byte(text))
}
