package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"bohier/bench/peers"
)

func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"-peers nobody":                "no peer \"nobody\"",
		"more":                         "unexpected argument",
		"-spec x":                      "-spec and -serve need each other",
		"-problems none -peers random": `no problem is called "none"`,
		"-seeds -1":                    "must be above 0",
	} {
		args := append(strings.Fields(args), "-o", filepath.Join(t.TempDir(), "runs.jsonl"))
		if strings.HasPrefix(args[0], "more") {
			args = args[:1]
		}
		err := run(context.Background(), args, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}

// What is given beside -quick counts.
func TestQuick(t *testing.T) {
	for args, want := range map[string][2]int{"": {2, 30}, "-seeds 5": {5, 30}, "-n 12": {2, 12}} {
		o, err := parse(append([]string{"-quick"}, strings.Fields(args)...), io.Discard)
		if err != nil || o.seeds != want[0] || o.n != want[1] || len(o.problems) != 4 {
			t.Errorf("-quick %s: %d seeds of %d evaluations on %v, want %v, %v", args, o.seeds, o.n, o.problems, want, err)
		}
	}
}

// Every peer has its command, and every adapter its peer.
func TestPeers(t *testing.T) {
	for _, p := range everyone[2:] {
		if adapters[p] == nil {
			t.Errorf("%s has no adapter", p)
		}
	}
	if len(everyone) != len(adapters)+2 {
		t.Errorf("%d peers, %d adapters and two of our own", len(everyone), len(adapters))
	}
	files, err := filepath.Glob("../../peers/adapters/with_*.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		used := false
		for _, a := range adapters {
			used = used || a[0] == filepath.Base(f)
		}
		if !used {
			t.Errorf("nobody runs %s", f)
		}
	}
}

// Runs of two versions of a peer do not go into one file.
func TestVersions(t *testing.T) {
	v, err := newVersions("runs.jsonl",
		[]*peers.Run{{Variant: "a", Version: "1"}, {Variant: "b", Version: "2"}, {Variant: "a"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*peers.Run{{Variant: "a", Version: "1"}, {Variant: "b"}, {Variant: "c", Version: "3"}} {
		if err := v.check(r); err != nil {
			t.Error(err)
		}
	}
	err = v.check(&peers.Run{Variant: "a", Version: "2"})
	if err == nil || !strings.Contains(err.Error(), `sed -i '/"variant":"a"/d' runs.jsonl`) {
		t.Errorf("another version: %v", err)
	}
	if own, err := ownVersion(); err != nil || len(own) != 12 {
		t.Errorf("%q, %v", own, err)
	}
}
