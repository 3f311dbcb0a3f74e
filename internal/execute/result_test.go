package execute

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bohier/internal/study"
)

func resultStudy() *study.Study {
	return &study.Study{
		Objectives:  []study.Objective{{Name: "loss"}},
		Constraints: []study.Constraint{{Name: "latency_ms", Bound: 200}},
		Cost:        &study.Cost{Name: "seconds"},
	}
}

func told(values map[string]float64) study.Report {
	return study.Report{Observation: study.Observation{Values: study.NamedOf(values)}}
}

func TestParseResult(t *testing.T) {
	cost, stderr := 3.5, 0.01
	withCost := told(map[string]float64{"loss": 1})
	withCost.Cost, withCost.Stderr, withCost.Note = &cost, &stderr, "fine"
	inJSON := withCost
	inJSON.Note = `{"a":null,"b":[1,"x"]}`
	failed := told(map[string]float64{})
	failed.Failure, failed.Note = study.Infeasible, "too big"
	measured := told(map[string]float64{"loss": 1})
	measured.Metrics = study.NamedOf(map[string]any{"acc": 0.9, "host": "a", "ok": "true", "big": "1e999", "nan": "NaN", "deep": 1.0,
		"own": 2.0})
	measured.Duration = &cost
	again := told(map[string]float64{"loss": 1})
	again.Metrics = study.Metrics{{Name: "acc", Value: 0.9}}
	for text, want := range map[string]study.Report{
		"0.5":     told(map[string]float64{"loss": 0.5}),
		" -1e3\n": told(map[string]float64{"loss": -1000}),
		"nan":     told(map[string]float64{"loss": math.NaN()}),
		"-nan":    told(map[string]float64{"loss": math.NaN()}),
		"-inf":    told(map[string]float64{"loss": math.Inf(-1)}),
		`{"loss": 0.5, "latency_ms": 12, "epochs": [1, {"a": NaN}], "x": null}`: told(map[string]float64{"loss": 0.5,
			"latency_ms": 12}),
		`{"values": {"loss": "0.5"}, "fail": null}`:                                    told(map[string]float64{"loss": 0.5}),
		`{"loss": -Infinity}`:                                                          told(map[string]float64{"loss": math.Inf(-1)}),
		`{"loss": 1, "seconds": 3.5, "stderr": 0.01, "note": "fine"}`:                  withCost,
		`{"loss": 1, "cost": 3.5, "stderr": 0.01, "note": "fine"}`:                     withCost,
		`{"loss": 1, "cost": 3.5, "stderr": 0.01, "note": {"b": [1, "x"], "a": null}}`: inJSON,
		`{"fail": "infeasible", "note": "too big"}`:                                    failed,
		`{"loss": 1, "acc": 0.9, "host": "a", "ok": true, "big": 1e999, "nan": NaN, "no": {"a": 1}, "duration": 3.5,
		  "values": {"deep": 1}, "metrics": {"own": 2}}`: measured,
		`{"schema": "bohier/trial/1", "trial": 1, "id": "1-abcd", "state": "complete", "key": null, "source": "model", "worker": "w",
		  "params": {"x": 1}, "values": {"loss": 1}, "metrics": {"acc": 0.9}, "observed_at": "now"}`: again,
	} {
		got, err := ParseResult(resultStudy(), text)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" || err != nil {
			t.Errorf("%s: %v %s", text, err, diff)
		}
	}
	for text, want := range map[string]string{
		"":                                   "neither a number nor",
		"good":                               "neither a number nor",
		"0x10":                               "neither a number nor",
		"1_000":                              "neither a number nor",
		"1e999":                              "1e999 is too large for a number (at most 1.8e308)",
		`{"loss": "-1e999"}`:                 "loss is too large for a number (at most 1.8e308)",
		"[1]":                                "neither a number nor",
		`{"loss": 1`:                         "neither a number nor",
		`{"lss": 1, "acc": 2}`:               "no value for the objective loss; its names: acc, lss",
		`{}`:                                 "no value for the objective loss; no outcome is given",
		`{"loss": 1, "loss": 2}`:             `"loss" is given twice`,
		`{"values": {"loss": 1, "loss": 1}}`: `"loss" is given twice`,
		`{"loss": null}`:                     "no value for the objective loss",
		`{"loss": "good"}`:                   `loss is not a number: "good"`,
		`{"loss": 1, "cost": []}`:            "cost is not a number",
		`{"loss": 1, "stderr": "x"}`:         `stderr is not a number: "x"`,
		`{"fail": "sometimes"}`:              `"fail" is "infeasible" or "transient"`,
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
		{"2\n{'acc': 1, 'loss': 4, 'x': 3}\n", "", 4}, // as Python prints a dictionary
		{"loss: 0.25", "", 0.25}, {"loss=.25", "", 0.25}, {"loss = -25e-2.", "", -0.25}, {"\"loss\": 0.25,", "", 0.25},
		{"epoch 3: loss 0.25", "", 0.25}, {"final loss 0.25\n", "", 0.25}, {"loss: 0.25 (best 0.2)", "", 0.25},
		{"loss 0.25, acc 3", "", 0.25}, {"loss 0.25 latency_ms 7", "", 0.25}, {"loss=9 loss=0.25", "", 0.25},
		{"loss: 0.5\nloss: 0.25\ndone in 3 s\n", "", 0.25}, {"3\nloss: 0.25\n", "", 0.25}, {"loss: 3\n0.25\n", "", 3},
		{"{\"lr\": 1}\nloss: 0.25\n", "", 0.25}, {"10%\r20%\r\x1b[32mloss: 0.25\x1b[0m\r\n", "", 0.25},
		{"loss: inf\n0.25", "", math.Inf(1)}, {"loss: 3\nloss: 1e999", "", math.Inf(1)}, {"3\n-1e999", "", math.Inf(-1)},
		{"{\"loss\": 4, \"grad\": NaN}\r\n", "", 4},
		{"loss: 0.3\n42\n", "", 0.3}, {"{\"loss\": 4}\n42", "", 4}, {"{\"accuracy\": 4}\n42\n", "", 42},
		{"12\ntrain loss: 0.1\n", "", 12},
		{"loss: 0.3\nval loss: 0.2\nloss_2: 9", "", 0.3}, {"2026-01-01 INFO loss: 0.25", "", 0.25},
		{"loss: 0.25, lr 0.1", "", 0.25}, {"loss: 3 ms", "", 3}, {"loss: −0.25", "", -0.25}, {"loss: 25e−2", "", 0.25},
		{"−0.25", "", -0.25}, {"loss: 5 K", "", 5},
		{"\ufeff0.25", "", 0.25}, {"\ufeff{\"loss\": 0.25}\n", "", 0.25}, {"\ufeffloss: 0.25", "", 0.25},
		{"start\n{\n  \"loss\": 0.25,\n  \"train\": {\n \"loss\": 9\n}\n}\n", "", 0.25},
		{"│ loss  │  0.25  │", "", 0.25}, {"| loss | 0.25 | acc | 3 |", "", 0.25}, {"loss=0.25;acc=3", "", 0.25},
		{"level=info msg=done loss=0.25", "", 0.25},
		{"loss=9 loss=8\nloss=7e-1 end\n3", `loss=(\S+)`, 0.7},
	} {
		got, err := findResult(resultStudy(), c.output, c.pattern)
		if err != nil || got.Values.Of("loss") != c.want {
			t.Errorf("%q: %v, %v; want %v", c.output, got.Values, err, c.want)
		}
	}
	// With a fidelity what comes before the end are reports on the way.
	curve := resultStudy()
	curve.Fidelity = study.Fidelity{Name: "epochs", Levels: []float64{1, 9}}
	for _, output := range []string{"{\"epochs\": 6, \"loss\": 0.6}\n0.05\n", "epochs: 6 loss: 0.6\n0.05\n"} {
		if got, err := findResult(curve, output, ""); err != nil || got.Values.Of("loss") != 0.05 {
			t.Errorf("%q: %v, %v; want 0.05", output, got.Values, err)
		}
	}
	// The last object counts: that it lacks the objective is an error, not a reason to look further up.
	if _, err := findResult(resultStudy(), "2\n{\"accuracy\": 4}\n", ""); err == nil {
		t.Error("an object without the objective was passed over")
	}
	for _, pattern := range []string{"", `loss=(\S+)`} {
		if _, err := findResult(resultStudy(), "no luck\n", pattern); err == nil {
			t.Errorf("pattern %q: a result in output without one", pattern)
		}
	}
	for _, output := range []string{
		"val_loss: 1", "val-loss: 1", "train.loss=1", "lossy: 1", "loss_1: 2", "loss is 1", "loss: 10:30", "loss: 1,234.5",
		"loss: 0,5",
		"loss: 3ms", "loss: 91%", "loss: 3/10", "loss: 3 / 10", "loss 3 of 10", "loss 3 times", "loss 3 -> 2", "loss: x",
		"loss:", "1 2 3", "loss: 0x10",
		"loss: 5 000 000", "loss: 5 000", "loss: 1 234,5", "loss: 5\u00a0000", "loss: 5\u202f000", "loss: 5'000",
		"loss: 5 e3", "loss: 5 .25", "loss: - 5",
		"loss: 2 x 10^3", "loss: 2*10^3", "loss: 2 · 10^3", "loss: 91 %", "loss: 5 million", "loss: 5 k", "loss: 5 e 3",
		"loss = 1 000 ms", "{'loss': 5 000}", "5 000 000",
		"| loss | 0.25 | 0.3 |", "train loss: 0.1", "val loss 0.1", "Train loss=0.1", "best loss: 0.1", "l2 loss: 0.1", "mean loss: 0.1",
	} {
		if got, err := findResult(resultStudy(), output, ""); err == nil {
			t.Errorf("%q: %v out of nothing", output, got.Values)
		}
	}
}

func TestFindOutcomesByName(t *testing.T) {
	seconds := 9.0
	want := told(map[string]float64{"loss": 1, "latency_ms": 7})
	want.Cost = &seconds
	for _, output := range []string{
		"loss: 1 latency_ms: 7 seconds: 9",
		"loss 1, latency_ms 7, seconds 9",
		"loss=3\nlatency_ms=7\nseconds=9\nloss=1\nbye",
		"seconds: 9\n{\"lr\": 3}\nlatency_ms: 8 ... latency_ms: 7\n1",
		"1\nlatency_ms 7\nseconds 9",
		"{\"loss\": 4, \"latency_ms\": 7, \"cost\": 9}\nloss: 1",
		"{\"loss\": 1, \"cost\": 2}\nseconds: 9\nlatency_ms: 7",
	} {
		got, err := findResult(resultStudy(), output, "")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v %s", output, err, diff)
		}
	}
}

func TestNoResultSaysWhatIsExpected(t *testing.T) {
	for output, want := range map[string]string{
		"a\nno luck \n\n": `no result: the last line printed is "no luck"; expected a number, {"loss": 0.42} or lines such as "loss: NUMBER"`,
		"":                "no result: the command printed nothing; expected",
	} {
		if _, err := findResult(resultStudy(), output, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", output, err)
		}
	}
}

// Whatever is printed, a result has the objective's value or says that it failed.
func FuzzFindResult(f *testing.F) {
	f.Add("epoch 1 loss: 3, latency_ms=4\r{'loss': .5}")
	f.Fuzz(func(t *testing.T, output string) {
		st := resultStudy()
		got, err := findResult(st, output, "")
		if _, ok := got.Values.Get("loss"); err == nil && got.Failure == "" && !ok {
			t.Errorf("%q: neither a value nor a failure nor an error", output)
		}
	})
}

func FuzzParseResult(f *testing.F) {
	f.Add(`{"loss": NaN, "s": "\"NaN"}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseResult(resultStudy(), text)
		if _, ok := got.Values.Get("loss"); err == nil && got.Failure == "" && !ok {
			t.Errorf("%q: neither a value nor a failure nor an error", text)
		}
	})
}

func TestCaptureKeepsBothEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stdout")
	c, err := newCapture(path)
	must(t, err)
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
	if len(tail) > tailBytes || len(tail) < tailBytes-len(line) || !strings.HasPrefix(tail, line) ||
		!strings.HasSuffix(tail, line+"the end\n") {
		t.Errorf("the tail has %d bytes: %.20q … %q", len(tail), tail, tail[max(0, len(tail)-20):])
	}
	if got := lastLine(c.tail()); got != "the end" {
		t.Errorf("last line %q", got)
	}
	must(t, c.Close())
	b, err := os.ReadFile(path)
	must(t, err)
	if len(b) > fileBytes+tailBytes+100 || !strings.HasPrefix(string(b), line) ||
		!strings.HasSuffix(string(b), "the end\n") {
		t.Errorf("the file has %d bytes, ending in %q", len(b), b[len(b)-20:])
	}
	if last, err := readBounded(path); err != nil || len(last) != tailBytes {
		t.Errorf("readBounded: %d bytes, %v", len(last), err)
	}
}
