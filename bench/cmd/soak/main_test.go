package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every test in the table exists, and every figure wanted is reported by one.
func TestTableIsReported(t *testing.T) {
	var files []string
	for _, pkg := range []string{journal, program} {
		more, err := filepath.Glob("../../../" + pkg + "/*_test.go")
		if err != nil || len(more) == 0 {
			t.Fatal("no tests", err)
		}
		files = append(files, more...)
	}
	files = append(files, "../../soak/hosts")
	var text []byte
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, b...)
	}
	for _, s := range tests {
		if s.run == "" && !bytes.Contains(text, []byte("\nfunc "+s.name+"(t ")) {
			t.Errorf("no %s", s.name)
		}
	}
	for _, f := range wanted {
		what, _, lock := strings.Cut(f.what, " under ")
		if lock {
			what += ` under "+`
		} else {
			what += `"`
		}
		if f.what != fuzzing && !bytes.Contains(text, []byte(`figure(t, "`+what)) {
			t.Errorf("nothing reports %q", f.what)
		}
	}
	_, fuzzers, err := findSteps("../../../internal")
	if err != nil || executions*len(fuzzers) < 300000 {
		t.Errorf("%d fuzz tests %v", len(fuzzers), err)
	}
	for _, what := range zeros {
		if !bytes.Contains(text, []byte(`zero(t, "`+what)) && !bytes.Contains(text, []byte(`echo "figure `+what)) {
			t.Errorf("nothing reports %q", what)
		}
	}
}

func TestFiguresAddUp(t *testing.T) {
	b := &tally{figures: map[string]int{}, passed: map[string]int{}}
	out := "    crash_test.go:9: figure crash states: 30000\n--- PASS: TestCrash (1.00s)\n"
	if said := b.add(step{name: "TestCrash"}, out, nil); said != "30000 crash states" {
		t.Errorf("said %q", said)
	}
	if said := b.add(step{name: "TestCrash"}, out, errors.New("exit status 1")); said != "30000 crash states, FAILED" {
		t.Errorf("said %q", said)
	}
	b.add(step{name: "TestFullDisk"}, "--- SKIP: TestFullDisk (0.00s)\n", nil)
	b.add(step{name: "FuzzRead", pkg: "p"},
		"fuzz: elapsed: 3s, execs: 100 (33/sec)\nfuzz: elapsed: 6s, execs: 40123 (9/sec)\n", nil)
	b.add(step{name: "TestKillStorm"}, "figure "+zeros[0]+": 0\nfigure "+zeros[1]+": 1\n", nil)
	var table bytes.Buffer
	err := b.print(&table, []step{{name: "TestCrash"}, {name: "TestKillRepairAndArchive"}})
	for _, want := range []string{"| crash states | 50000 | 60000 |", "| fuzz executions | 300000 | 40123 |",
		"skipped: TestFullDisk",
		"| " + zeros[0] + " | 0 | 0 |", "| " + zeros[1] + " | 0 | 1 |"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
	if err == nil || strings.Contains(err.Error(), "crash states") || strings.Contains(err.Error(), "TestCrash") {
		t.Fatal(err)
	}
	for _, want := range []string{"mutations", zeros[1] + ": 1", "time): TestKillRepairAndArchive"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}
