package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"bohier/internal/space"
	"bohier/internal/study"
)

// line is a space of one number named x.
type line struct{ name string }

func (l line) Fingerprint() string { return "sha256:" + l.name }

func (l line) AppendJSON(dst []byte, c space.Configuration) []byte {
	dst = append(dst, `{"x":`...)
	dst = strconv.AppendFloat(dst, c.Value[0], 'g', -1, 64)
	return append(dst, '}')
}

func (l line) ParseJSON(b []byte, _ ...json.RawMessage) (space.Configuration, error) {
	var m map[string]float64
	if err := json.Unmarshal(b, &m); err != nil {
		return space.Configuration{}, err
	}
	if _, ok := m["x"]; !ok || len(m) != 1 {
		return space.Configuration{}, errors.New("want x and nothing else")
	}
	return at(m["x"]), nil
}

func (l line) Proposable(space.Configuration) error { return nil }

func at(x float64) space.Configuration {
	return space.Configuration{Value: []float64{x}, Active: []bool{true}}
}

var clockTime = time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)

func options(t testing.TB) Options {
	seed := uint64(42)
	return Options{
		Path: filepath.Join(t.TempDir(), "s.journal.jsonl"), Space: line{"one"}, Seed: &seed,
		Study: json.RawMessage(`{"space":{"x":{"type":"float","low":0,"high":1}}}`),
		Now:   func() time.Time { return clockTime }, Host: "host",
	}
}

func update(t testing.TB, o Options, decide func(*State) ([]Record, error)) *State {
	t.Helper()
	s, err := Update(context.Background(), o, decide)
	must(t, err)
	return s
}

func read(t testing.TB, o Options) *State {
	t.Helper()
	s, _, err := Read(context.Background(), o)
	must(t, err)
	return s
}

// numbers reserves what is asked for.
func numbers(o Options, a Asking) (*State, []study.Trial, error) {
	var given []int
	s, err := UpdateInParts(context.Background(), o, true, func(s *State, part int) ([]Record, bool, error) {
		if part == 0 {
			given = nil
		}
		recs, number, err := s.Reserve(a, given...)
		if number > 0 {
			given = append(given, number)
		}
		return recs, number > 0 && len(given) < a.N, err
	})
	if err != nil {
		return nil, nil, err
	}
	return s, s.Given(a, given), nil
}

// ask reserves and suggests one trial at x.
func ask(o Options, key string, x float64) (*study.Trial, error) {
	ctx := context.Background()
	hold := &Hold{}
	defer hold.Close()
	o.Hold = hold
	s, trials, err := numbers(o, Asking{N: 1, Key: key})
	if err != nil {
		return nil, err
	}
	from := s.Seq
	var out *study.Trial
	_, err = Update(ctx, o, func(s *State) ([]Record, error) {
		recs, t, err := s.Suggest(trials[0], &study.Suggestion{Config: at(x), Source: "design",
			Spare: []space.Configuration{at(x + 1000)}}, from, 0)
		out = t
		return recs, err
	})
	return out, err
}

func mustAsk(t testing.TB, o Options, key string, x float64) *study.Trial {
	t.Helper()
	tr, err := ask(o, key, x)
	must(t, err)
	return tr
}

// tell observes a trial.
func tell(o Options, id string, v float64, mode study.Mode) (recorded bool, err error) {
	_, err = Update(context.Background(), o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe(id, by(value(v), mode))
		recorded = len(recs) > 0
		return recs, err
	})
	return recorded, err
}

// tellPart observes a part of a trial's values.
func tellPart(o Options, id string, v float64) (recorded bool, err error) {
	_, err = Update(context.Background(), o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe(id, partOf(v))
		recorded = len(recs) > 0
		return recs, err
	})
	return recorded, err
}

func value(v float64) study.Report {
	return study.Report{Observation: study.Observation{Values: study.Values{{Name: "loss", Value: v}}}}
}

// partOf is an outcome of which the loss is still to come.
func partOf(v float64) study.Report {
	return study.Report{Observation: study.Observation{Values: study.Values{{Name: "latency", Value: v}}}, Partial: true}
}

// by is a report in a mode.
func by(r study.Report, mode study.Mode) study.Report {
	r.Mode = mode
	return r
}

// addition is a report about a configuration that was measured elsewhere.
func addition(params []byte, r study.Report) study.Addition {
	r.Params = params
	return study.Addition{Report: r}
}

func keyed(v float64, key string) study.Report {
	o := value(v)
	o.Key = key
	return o
}

func code(err error) study.Code {
	var e *study.Error
	if errors.As(err, &e) {
		return e.Code
	}
	if err == nil {
		return 0
	}
	return -1
}

func wantCode(t testing.TB, err error, want study.Code) {
	t.Helper()
	if code(err) != want {
		t.Fatalf("error %v has code %d, want %d", err, code(err), want)
	}
}

// summary is what a state says, for comparison.
func summary(s *State) string {
	out := fmt.Sprintf("seq %d torn %v", s.Seq, s.Torn)
	for i := range s.Trials {
		t := &s.Trials[i]
		out += fmt.Sprintf("\n%d %s %s %s %s %v %v %q", t.Number, t.Tag, t.State, t.Failure, t.Key, t.Config, t.Values,
			t.Note)
		for _, o := range append([]study.Observation{t.Observation}, t.Replicates...) {
			if len(o.Metrics) > 0 || o.Duration != nil {
				out += fmt.Sprintf(" %v %v", o.Metrics, *o.Duration)
			}
		}
	}
	for _, q := range s.Queue {
		out += fmt.Sprintf("\nqueue %d %s", q.Seq, q.Params)
	}
	return out
}

// counts is how many trials are in each state.
func counts(s *State) map[study.State]int {
	n := map[study.State]int{}
	for i := range s.Trials {
		n[s.Trials[i].State]++
	}
	return n
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
