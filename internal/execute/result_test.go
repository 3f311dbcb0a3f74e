package execute

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohier/internal/runner"
	"bohier/internal/study"
)

func resultStudy() *study.Study {
	return &study.Study{
		Objective:   study.Objective{Name: "loss"},
		Constraints: []study.Constraint{{Name: "latency_ms", Bound: 200}},
		Cost:        &study.Cost{Name: "seconds"},
	}
}

func told(values map[string]float64) runner.Tell {
	return runner.Tell{Observation: study.Observation{Values: values}}
}

func TestParseResult(t *testing.T) {
	cost, stderr := 3.5, 0.01
	withCost := told(map[string]float64{"loss": 1})
	withCost.Cost, withCost.Stderr, withCost.Note = &cost, &stderr, "fine"
	failed := told(map[string]float64{})
	failed.Failure, failed.Note = study.Infeasible, "too big"
	for text, want := range map[string]runner.Tell{
		"0.5":     told(map[string]float64{"loss": 0.5}),
		" -1e3\n": told(map[string]float64{"loss": -1000}),
		"nan":     told(map[string]float64{"loss": math.NaN()}),
		"-nan":    told(map[string]float64{"loss": math.NaN()}),
		"-inf":    told(map[string]float64{"loss": math.Inf(-1)}),
		"1e999":   told(map[string]float64{"loss": math.Inf(1)}),
		`{"loss": 0.5, "latency_ms": 12, "epochs": [1, {"a": NaN}], "x": "NaN"}`: told(map[string]float64{"loss": 0.5, "latency_ms": 12}),
		`{"values": {"loss": "0.5"}, "fail": null}`:                              told(map[string]float64{"loss": 0.5}),
		`{"loss": -Infinity}`: told(map[string]float64{"loss": math.Inf(-1)}),
		`{"loss": 1, "seconds": 3.5, "stderr": 0.01, "note": "fine"}`: withCost,
		`{"loss": 1, "cost": 3.5, "stderr": 0.01, "note": "fine"}`:    withCost,
		`{"fail": "infeasible", "note": "too big"}`:                   failed,
	} {
		got, err := ParseResult(resultStudy(), text)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" || err != nil {
			t.Errorf("%s: %v %s", text, err, diff)
		}
	}
	for text, want := range map[string]string{
		"":                        "neither a number nor",
		"good":                    "neither a number nor",
		"0x10":                    "neither a number nor",
		"1_000":                   "neither a number nor",
		"[1]":                     "neither a number nor",
		`{"loss": 1`:              "neither a number nor",
		`{"accuracy": 1}`:         "no value for the objective loss",
		`{"loss": null}`:          "no value for the objective loss",
		`{"loss": "good"}`:        `loss is not a number: "good"`,
		`{"loss": 1, "cost": []}`: "cost is not a number",
		`{"fail": "sometimes"}`:   `"fail" is "infeasible" or "transient"`,
	} {
		if _, err := ParseResult(resultStudy(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func TestFindResult(t *testing.T) {
	for _, c := range []struct {
		output, pattern string
		want            float64
	}{
		{"epoch 1\n3\nloss follows\n2\nbye 7\n", "", 2},
		{"2\n{\"loss\": 4}\n{not json}\n", "", 4},
		{"{\"loss\": 4, \"grad\": NaN}\r\n", "", 4},
		{"loss=9 loss=8\nloss=7e-1 end\n3", `loss=(\S+)`, 0.7},
	} {
		got, err := findResult(resultStudy(), c.output, c.pattern)
		if err != nil || got.Values["loss"] != c.want {
			t.Errorf("%q: %v, %v; want %v", c.output, got.Values, err, c.want)
		}
	}
	// The last object counts: that it lacks the objective is an error, not a
	// reason to look further up.
	if _, err := findResult(resultStudy(), "2\n{\"accuracy\": 4}\n", ""); err == nil {
		t.Error("an object without the objective was passed over")
	}
	for _, pattern := range []string{"", `loss=(\S+)`} {
		if _, err := findResult(resultStudy(), "no luck\n", pattern); err == nil {
			t.Errorf("pattern %q: a result in output without one", pattern)
		}
	}
}

func FuzzParseResult(f *testing.F) {
	f.Add(`{"loss": NaN, "s": "\"NaN"}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseResult(resultStudy(), text)
		if _, ok := got.Values["loss"]; err == nil && got.Failure == "" && !ok {
			t.Errorf("%q: neither a value nor a failure nor an error", text)
		}
	})
}

func TestCaptureKeepsBothEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stdout")
	c, err := newCapture(path)
	if err != nil {
		t.Fatal(err)
	}
	const line = "0123456789abcde\n"
	total := 0
	for n := 1; total < fileBytes+3*tailBytes; n = n%5000 + 1 { // chunks of many sizes
		b := []byte(strings.Repeat(line, n))
		if _, err := c.Write(b); err != nil {
			t.Fatal(err)
		}
		total += len(b)
	}
	if _, err := c.Write([]byte("the end\n")); err != nil {
		t.Fatal(err)
	}
	tail := c.tail()
	if len(tail) > tailBytes || len(tail) < tailBytes-len(line) || !strings.HasPrefix(tail, line) || !strings.HasSuffix(tail, line+"the end\n") {
		t.Errorf("the tail has %d bytes: %.20q … %q", len(tail), tail, tail[max(0, len(tail)-20):])
	}
	if got := c.lastLine(); got != "the end" {
		t.Errorf("last line %q", got)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > fileBytes+tailBytes+100 || !strings.HasPrefix(string(b), line) || !strings.HasSuffix(string(b), "the end\n") {
		t.Errorf("the file has %d bytes, ending in %q", len(b), b[len(b)-20:])
	}
	if last, err := readBounded(path); err != nil || len(last) != tailBytes {
		t.Errorf("readBounded: %d bytes, %v", len(last), err)
	}
}

func TestClaimIsExclusive(t *testing.T) {
	l := &loop{trials: t.TempDir()}
	trial := &study.Trial{Number: 1, Tag: "abcd"}
	first, err := l.claim(trial)
	if err != nil || first == nil {
		t.Fatalf("first claim: %v, %v", first, err)
	}
	if second, err := l.claim(trial); err != nil || second != nil {
		t.Errorf("second claim: %v, %v; want none", second, err)
	}
	first.Close()
	if third, err := l.claim(trial); err != nil || third == nil {
		t.Errorf("claim after release: %v, %v", third, err)
	}
}
