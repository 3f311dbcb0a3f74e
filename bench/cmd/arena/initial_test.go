package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohier/bench/problems"
)

// A given design becomes the study's first points: continuous columns first, then
// the choices by index; run s takes design s modulo their number.
func TestDesigns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "designs.json")
	text := `{"source": "made up", "Func2C": {"nominal": [3, 5], "runs": [{"X": [[0.25, -0.5, 2, 4]]}, {"X": [[0, 1, 0, 0]]}]}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := readDesigns(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := problems.Get("func2c")
	if err != nil {
		t.Fatal(err)
	}
	for seed, want := range map[uint64]string{
		0: `{"h1":"2","h2":"4","x1":0.25,"x2":-0.5}`,
		3: `{"h1":"0","h2":"0","x1":0,"x2":1}`,
	} {
		lines, err := d.lines(p, seed)
		if err != nil || !strings.Contains(lines, "count: 1\n") || !strings.Contains(lines, want) {
			t.Errorf("seed %d: %v\n%s", seed, err, lines)
		}
	}
	other, err := problems.Get("ackley5c")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.lines(other, 0); err == nil {
		t.Error("a problem without designs is accepted")
	}
	if _, err := point(p, []float64{1, 2}); err == nil {
		t.Error("a row that is too short is accepted")
	}
}
