package journal

import (
	"slices"
	"strings"
	"testing"

	"bohier/internal/study"
)

// part reports values of a trial; those that lack one of two are partial.
func part(t *testing.T, o Options, id string, values map[string]float64) (recorded bool, err error) {
	t.Helper()
	_, err = Update(ctx, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe(id, study.Report{Observation: study.Observation{Values: study.NamedOf(values)}, Partial: len(values) < 2})
		recorded = len(recs) > 0
		return recs, err
	})
	return recorded, err
}

type values = map[string]float64

// Values of several objectives may come one after the other, and again; the trial is
// complete with the last. A value that contradicts is a conflict.
func TestPartial(t *testing.T) {
	o := options(t)
	mustAsk(t, o, "", 0.25)
	for k, step := range []struct {
		told     values
		recorded bool
	}{{values{"loss": 1}, true}, {values{"loss": 1}, false}, {values{"loss": 1, "latency": 5}, true},
		{values{"latency": 5}, false}, {values{"loss": 1, "latency": 5, "size": 3}, true}} {
		if rec, err := part(t, o, "1", step.told); err != nil || rec != step.recorded {
			t.Fatalf("step %d: recorded %v, %v", k, rec, err)
		}
		s := read(t, o)
		want := study.Pending
		if k > 1 {
			want = study.Complete
		}
		if got := s.Trials[0]; got.State != want || got.Values.Of("loss") != 1 {
			t.Fatalf("step %d: %s %v", k, got.State, got.Values)
		}
	}
	text := string(content(t, o.Path))
	if strings.Count(text, `"t":"partial"`) != 2 || strings.Count(text, `"t":"observe"`) != 1 {
		t.Errorf("records:\n%s", text)
	}
	mustAsk(t, o, "", 0.5)
	if _, err := part(t, o, "2", values{"loss": 1}); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []values{{"loss": 2}, {"loss": 2, "latency": 5}} {
		_, err := part(t, o, "2", wrong)
		wantCode(t, err, study.Conflict)
	}
	known := Record{Kind: KindPartial, Trial: 2, Tag: read(t, o).Trials[1].Tag, Values: study.Values{{Name: "loss", Value: 1}}}
	if _, err := Update(ctx, o, func(*State) ([]Record, error) { return []Record{known}, nil }); err == nil {
		t.Error("a value is recorded that the trial has")
	}
	if rep, err := Verify(ctx, o); err != nil || len(rep.Problems) > 0 {
		t.Errorf("%+v %v", rep, err)
	}
}

// Two copies of a journal in which values of a trial came to one and to the other are
// merged to a trial with both, whichever way; contradicting ones are a conflict.
func TestMergePartial(t *testing.T) {
	a := options(t)
	for range 3 {
		mustAsk(t, a, "", 0.25)
	}
	for _, id := range []string{"1", "2"} { // 2 is complete with one objective, to which one was added
		if _, err := part(t, a, id, values{"loss": 1}); err != nil {
			t.Fatal(err)
		}
	}
	update(t, a, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe("2", study.Report{Observation: study.Observation{Values: study.Values{{Name: "loss", Value: 1}}}})
		return recs, err
	})
	b := options(t)
	write(t, b.Path, content(t, a.Path))
	for id, v := range map[string]values{"1": {"latency": 5}, "2": {"latency": 6}, "3": {"loss": 7}} {
		if _, err := part(t, b, id, v); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := part(t, a, "3", values{"loss": 8}); err != nil {
		t.Fatal(err)
	}
	for _, way := range [][2]Options{{a, b}, {b, a}} {
		rep, err := Merge(ctx, way[0], way[1])
		if err != nil || len(rep.Conflicts) != 1 {
			t.Fatalf("%+v %v", rep, err)
		}
		s := read(t, way[0])
		if !slices.Equal(s.Trials[0].Values, study.NamedOf(values{"loss": 1, "latency": 5})) ||
			!slices.Equal(s.Trials[1].Values, study.NamedOf(values{"loss": 1, "latency": 6})) {
			t.Errorf("%v, %v", s.Trials[0].Values, s.Trials[1].Values)
		}
		if s.Trials[0].State != study.Pending || s.Trials[1].State != study.Complete {
			t.Errorf("%s, %s", s.Trials[0].State, s.Trials[1].State)
		}
	}
}

// Notes of partial reports, and metrics and notes that came with fewer values than another copy has, stay.
func TestPartialNotes(t *testing.T) {
	a := options(t)
	mustAsk(t, a, "", 0.25)
	report := func(o Options, note string, v values, metrics study.Metrics) {
		t.Helper()
		update(t, o, func(s *State) ([]Record, error) {
			recs, _, err := s.Observe("1", study.Report{Partial: true, Note: note,
				Observation: study.Observation{Values: study.NamedOf(v), Metrics: metrics}})
			return recs, err
		})
	}
	report(a, "cold", values{"loss": 1}, nil)
	report(a, "windy", values{"loss": 1}, nil)
	b := options(t)
	write(t, b.Path, content(t, a.Path))
	report(a, "", values{"loss": 1, "latency": 5}, nil)
	report(b, "dark", values{"loss": 1}, study.Metrics{{Name: "mass", Value: 2.0}})
	if _, err := Merge(ctx, a, b); err != nil {
		t.Fatal(err)
	}
	got := read(t, a).Trials[0]
	mass, _ := got.Metrics.Get("mass")
	if got.Said() != "cold; windy; dark" || len(got.Values) != 2 || mass != 2.0 {
		t.Errorf("notes %q, values %v, metrics %v", got.Said(), got.Values, got.Metrics)
	}
}
