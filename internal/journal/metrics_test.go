package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/study"
)

// measuring is an outcome with metrics and a duration in seconds.
func measuring(v float64, m study.Metrics, seconds float64) study.Report {
	out := value(v)
	out.Metrics, out.Duration = m, &seconds
	return out
}

func observe(o Options, id string, out study.Report, mode study.Mode) (recorded int, err error) {
	_, err = Update(ctx, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe(id, by(out, mode))
		recorded = len(recs)
		return recs, err
	})
	return recorded, err
}

func wantMeasured(t *testing.T, o study.Observation, m study.Metrics, seconds float64) {
	t.Helper()
	if diff := cmp.Diff(m, o.Metrics); diff != "" || o.Duration == nil || *o.Duration != seconds {
		t.Errorf("duration %v, want %v; metrics: %s", o.Duration, seconds, diff)
	}
}

func TestMetricsAreKept(t *testing.T) {
	o := options(t)
	mustAsk(t, o, "", 0.25)
	first := study.NamedOf(map[string]any{"acc": 0.9, "checkpoint": "a \"b\"\n", "tiny": 5e-324})
	if n, err := observe(o, "1", measuring(1, first, 0.125), study.Once); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	wantMeasured(t, read(t, o).Trials[0].Observation, first, 0.125)

	// The same again is known, whatever it took; a further metric is added; another value is a conflict.
	if n, err := observe(o, "1", measuring(1, study.Metrics{{Name: "acc", Value: 0.9}}, 7), study.Once); err != nil || n != 0 {
		t.Error("the same again:", n, err)
	}
	if n, err := observe(o, "1", measuring(1, study.NamedOf(map[string]any{"acc": 0.9, "later": 3.0}), 7), study.Once); err != nil || n != 1 {
		t.Error("one more:", n, err)
	}
	all := first.With(study.Metrics{{Name: "later", Value: 3.0}})
	wantMeasured(t, read(t, o).Trials[0].Observation, all, 0.125)
	_, err := observe(o, "1", measuring(1, study.Metrics{{Name: "acc", Value: 0.8}}, 7), study.Once)
	wantCode(t, err, study.Conflict)
	if !strings.Contains(err.Error(), "acc=0.9") || !strings.Contains(err.Error(), "acc=0.8") {
		t.Error("the conflict does not show both:", err)
	}

	// Every measurement has its own; a correction keeps what it does not give anew; failures have some, too.
	if _, err := observe(o, "1", measuring(2, study.Metrics{{Name: "acc", Value: 0.7}}, 9), study.Replicate); err != nil {
		t.Fatal(err)
	}
	s := read(t, o)
	wantMeasured(t, s.Trials[0].Observation, all, 0.125)
	wantMeasured(t, s.Trials[0].Replicates[0], study.Metrics{{Name: "acc", Value: 0.7}}, 9)
	failed := measuring(math.NaN(), study.Metrics{{Name: "acc", Value: 0.0}}, 4)
	if _, err := observe(o, "1", failed, study.Replace); err != nil {
		t.Fatal(err)
	}
	s = read(t, o)
	wantMeasured(t, s.Trials[0].Observation, all.With(study.Metrics{{Name: "acc", Value: 0.0}}), 4)
	if s.Trials[0].State != study.Failed || len(s.Trials[0].Replicates) > 0 {
		t.Error(summary(s))
	}
	update(t, o, func(s *State) ([]Record, error) {
		recs, trials, err := s.Add([]study.Addition{addition([]byte(`{"x":0.5}`), measuring(3, study.Metrics{{Name: "acc", Value: 1.0}}, 5))})
		wantMeasured(t, trials[0].Observation, study.Metrics{{Name: "acc", Value: 1.0}}, 5)
		return recs, err
	})
	wantMeasured(t, read(t, o).Trials[1].Observation, study.Metrics{{Name: "acc", Value: 1.0}}, 5)
}

// A measurement that is told again is recorded once; another cost or standard error contradicts the recorded one.
func TestMeasurementsAreToldAgain(t *testing.T) {
	o := options(t)
	mustAsk(t, o, "", 0.25)
	told := func(cost, stderr, own float64) study.Report {
		out := value(1)
		out.Cost, out.Stderr, out.Stderrs = &cost, &stderr, study.Values{{Name: "latency", Value: own}}
		return out
	}
	if n, err := observe(o, "1", told(2, 0.1, 0.3), study.Once); err != nil || n != 1 {
		t.Fatalf("%d records, %v", n, err)
	}
	for name, again := range map[string]study.Report{"the same": told(2, 0.1, 0.3), "less": value(1)} {
		if n, err := observe(o, "1", again, study.Once); err != nil || n != 0 {
			t.Errorf("%s: %d records, %v", name, n, err)
		}
	}
	for _, other := range []study.Report{told(3, 0.1, 0.3), told(2, 0.2, 0.3), told(2, 0.1, 0.4)} {
		_, err := observe(o, "1", other, study.Once)
		wantCode(t, err, study.Conflict)
	}
}

// A correction keeps the context of its measurement, or has none where that had none.
func TestCorrectionsKeepTheirContext(t *testing.T) {
	for _, first := range []string{"v1", ""} {
		o := options(t)
		mustAsk(t, o, "", 0.25)
		under := func(context string, v float64, mode study.Mode) {
			o.Study = json.RawMessage(`{"context":"` + context + `","space":{}}`)
			_, err := observe(o, "1", value(v), mode)
			must(t, err)
		}
		under(first, 1, study.Once)
		under("v2", 2, study.Replace)
		tr := read(t, o).Trials[0]
		if tr.Values.Of("loss") != 2 || tr.MeasuredUnder("v2") || first != "" && !tr.MeasuredUnder(first) {
			t.Errorf("first under %q, corrected under v2: %v", first, tr.Metrics)
		}
	}
}

// A program that does not know measure records reads the journal on, without them: neither what an observation
// gave nor the context that a study adds.
func TestMetricsAreOptional(t *testing.T) {
	for name, given := range map[string]struct {
		study string
		told  study.Report
	}{
		"metrics": {`{"space":{}}`, measuring(1, study.Metrics{{Name: "acc", Value: 0.9}}, 3)},
		"context": {`{"context":"v1","space":{}}`, value(1)},
	} {
		o := options(t)
		o.Study = json.RawMessage(given.study)
		mustAsk(t, o, "", 0.25)
		_, err := observe(o, "1", given.told, study.Once)
		must(t, err)
		data := content(t, o.Path)
		last := bytes.LastIndex(data[:len(data)-1], []byte{'\n'}) + 1
		body := bytes.Replace(data[last:len(data)-1-tailLen], []byte(`"t":"measure"`), []byte(`"t":"unknown"`), 1)
		write(t, o.Path, append(append(data[:last:last], sealed(body)...), '\n'))
		must(t, os.Remove(o.Path+".lock")) // remembers the checksum of the last record
		s := read(t, o)
		if s.Trials[0].Values.Of("loss") != 1 || s.Trials[0].Metrics != nil {
			t.Errorf("%s: without its measure record trial 1 has %v and %v, want loss 1 alone:\n%s",
				name, s.Trials[0].Values, s.Trials[0].Metrics, summary(s))
		}
		mustAsk(t, o, "", 0.5)
	}
}

func TestMetricsHaveBounds(t *testing.T) {
	o := options(t)
	mustAsk(t, o, "", 0.25)
	many := study.Metrics{}
	for i := range study.MaxMetrics {
		many.Set(fmt.Sprint("m", i), 1.0)
	}
	for name, m := range map[string]study.Metrics{
		"count":       many.With(study.Metrics{{Name: "one more", Value: 1.0}}),
		"name":        {{Name: strings.Repeat("n", study.MaxMetricName+1), Value: 1.0}},
		"text":        {{Name: "text", Value: strings.Repeat("t", study.MaxMetricText+1)}},
		"empty name":  {{Name: "", Value: 1.0}},
		"bad name":    {{Name: "a\x1b[2J", Value: 1.0}},
		"not UTF-8":   {{Name: "text", Value: "\xff"}},
		"bad blank":   {{Name: " a", Value: 1.0}},
		"name's UTF8": {{Name: "\xff", Value: 1.0}},
	} {
		_, err := observe(o, "1", measuring(1, m, 1), study.Once)
		if code(err) != study.Usage {
			t.Errorf("%s: %v", name, err)
		}
		kept := m.With(study.Metrics{{Name: "zzz", Value: 1.0}})
		kept.Delete("zzz")
		kept, dropped := study.TrimMetrics(kept)
		if err := study.CheckMetrics(kept); len(dropped) != 1 || err != nil {
			t.Errorf("%s: trimming dropped %q and left %v", name, dropped, err)
		}
	}
	for _, seconds := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := observe(o, "1", measuring(1, nil, seconds), study.Once); code(err) != study.Usage {
			t.Errorf("%v seconds: %v", seconds, err)
		}
	}
	many.Set("x", strings.Repeat("t", study.MaxMetricText))
	many.Delete("m0")
	if _, err := observe(o, "1", measuring(1, many, 0), study.Once); err != nil {
		t.Error("what is just within the bounds:", err)
	}
}

func TestMergeBringsMetrics(t *testing.T) {
	a, b := options(t), options(t)
	mustAsk(t, b, "", 0.25)
	for k, mode := range []study.Mode{study.Once, study.Replicate} {
		if _, err := observe(b, "1", measuring(1, study.Metrics{{Name: "acc", Value: float64(k)}}, float64(k)), mode); err != nil {
			t.Fatal(err)
		}
	}
	mustAsk(t, a, "", 0.5)
	if _, err := Merge(ctx, a, b); err != nil {
		t.Fatal(err)
	}
	got := read(t, a).Trials[1]
	wantMeasured(t, got.Observation, study.Metrics{{Name: "acc", Value: 0.0}}, 0)
	wantMeasured(t, got.Replicates[0], study.Metrics{{Name: "acc", Value: 1.0}}, 1)

	// Of a copy that parted before the metric was reported, it comes too.
	c := options(t)
	c.Path = filepath.Join(t.TempDir(), "copy.jsonl")
	write(t, c.Path, content(t, a.Path))
	if _, err := observe(c, "1", measuring(1, study.Metrics{{Name: "late", Value: "yes"}}, 2), study.Once); err != nil {
		t.Fatal(err)
	}
	if _, err := tell(a, "1", 1, study.Once); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		rep, err := Merge(ctx, a, c)
		if err != nil || len(rep.Conflicts) > 0 || rep.Observed > 0 {
			t.Fatal(rep, err)
		}
	}
	wantMeasured(t, read(t, a).Trials[0].Observation, study.Metrics{{Name: "late", Value: "yes"}}, 2)
}

// Where only a metric differs, the report of a merge says so, and ours stays.
func TestMergeTellsOfOtherMetrics(t *testing.T) {
	a := options(t)
	mustAsk(t, a, "", 0.25)
	b := a
	b.Path = filepath.Join(t.TempDir(), "copy.jsonl")
	write(t, b.Path, content(t, a.Path))
	for o, acc := range map[*Options]float64{&a: 0.5, &b: 0.75} {
		if _, err := observe(*o, "1", measuring(1, study.NamedOf(map[string]any{"acc": acc, "same": "yes"}), 2), study.Once); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := Merge(ctx, a, b)
	if err != nil || len(rep.Conflicts) != 1 ||
		!strings.Contains(rep.Conflicts[0], "the metric acc is 0.5 here and 0.75 there; ours stays") {
		t.Errorf("%+v %v", rep, err)
	}
	wantMeasured(t, read(t, a).Trials[0].Observation, study.NamedOf(map[string]any{"acc": 0.5, "same": "yes"}), 2)
}

// A further measurement with a key that was cut between its two records gets its metrics when it is said again.
func TestKeyedReplicateGetsItsMetrics(t *testing.T) {
	o := options(t)
	mustAsk(t, o, "", 0.25)
	if _, err := tell(o, "1", 1, study.Once); err != nil {
		t.Fatal(err)
	}
	out := measuring(2, study.Metrics{{Name: "acc", Value: 0.5}}, 3)
	out.Key = "k"
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe("1", by(out, study.Replicate))
		return recs[:1], err
	})
	for want := 1; want >= 0; want-- {
		if n, err := observe(o, "1", out, study.Replicate); n != want || err != nil {
			t.Errorf("%d records, %v", n, err)
		}
	}
	tr := read(t, o).Trials[0]
	if len(tr.Replicates) != 1 {
		t.Fatalf("%d further measurements", len(tr.Replicates))
	}
	wantMeasured(t, tr.Replicates[0], study.Metrics{{Name: "acc", Value: 0.5}}, 3)
}
