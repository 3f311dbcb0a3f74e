package main

import (
	"bytes"
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
	var text []byte
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, b...)
	}
	for _, s := range tests {
		if !bytes.Contains(text, []byte("\nfunc "+s.name+"(t ")) {
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
		if f.what != fuzzing && f.what != whole && !bytes.Contains(text, []byte(`figure(t, "`+what)) {
			t.Errorf("nothing reports %q", f.what)
		}
	}
	fuzzers, err := findFuzzers("../../../internal")
	if err != nil || executions*len(fuzzers) < 300000 {
		t.Errorf("%d fuzz tests %v", len(fuzzers), err)
	}
	packages, err := findPackages("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range wanted {
		if f.what == whole && f.n != len(packages) {
			t.Errorf("%d packages have longer tests, the table wants %d: %v", len(packages), f.n, packages)
		}
	}
}

func TestFiguresAddUp(t *testing.T) {
	b := newBook()
	out := "    crash_test.go:9: figure crash states: 30000\n--- PASS: TestCrash (1.00s)\n"
	b.add(step{name: "TestCrash"}, out)
	if said := b.add(step{name: "TestCrash"}, out); said != "30000 crash states" {
		t.Errorf("said %q", said)
	}
	b.add(step{name: "TestFullDisk"}, "--- SKIP: TestFullDisk (0.00s)\n")
	b.add(step{name: "FuzzRead", pkg: "p"}, "fuzz: elapsed: 3s, execs: 100 (33/sec)\nfuzz: elapsed: 6s, execs: 40123 (9/sec)\n")
	var table bytes.Buffer
	err := b.print(&table)
	for _, want := range []string{"| crash states | 50000 | 60000 |", "| fuzz executions | 300000 | 40123 |", "skipped: TestFullDisk"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
	if err == nil || strings.Contains(err.Error(), "crash states") || !strings.Contains(err.Error(), "mutations") {
		t.Error(err)
	}
}
