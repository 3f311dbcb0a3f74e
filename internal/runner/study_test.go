package runner

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
)

// number is a float parameter on [0, 1].
func number(name string) space.Parameter {
	return space.Parameter{Name: name, Kind: space.Float, High: 1}
}

func category(name string, values ...string) space.Parameter {
	return space.Parameter{Name: name, Kind: space.Categorical, Values: values}
}

// when is parameter p, active if the parameter number parent has the value.
func when(p space.Parameter, parent int, value float64) space.Parameter {
	p.Condition = space.In{Param: parent, Values: []float64{value}}
	return p
}

// newStudy is a study as a study file without settings declares it.
func newStudy(t testing.TB, params ...space.Parameter) *study.Study {
	t.Helper()
	s, err := space.New(params, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &study.Study{
		Name: "test", Space: s,
		Objective: study.Objective{Name: "f"},
		Initial:   study.Initial{Design: "halton", Count: 5},
		Surrogate: study.Surrogate{Kernel: study.Kernel{ARD: true}, Nugget: -1},
		Acquisition: study.Acquisition{
			Candidates: 200, Starts: 8,
		},
		Budget: study.Budget{Failures: 20},
	}
}

// measure is what a trial came to.
type measure func(c space.Configuration) (study.Observation, study.Failure)

// value measures an objective alone.
func value(f func(c space.Configuration) float64) measure {
	return func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: map[string]float64{"f": f(c)}}, ""
	}
}

// simulate runs trials one after the other, without a journal.
func simulate(t testing.TB, st *study.Study, n int, m measure) []study.Trial {
	t.Helper()
	return simulateSeed(t, st, 7, n, m)
}

func simulateSeed(t testing.TB, st *study.Study, seed uint64, n int, m measure) []study.Trial {
	t.Helper()
	var trials []study.Trial
	var warm map[string]float64
	for k := range n {
		s, err := Next(context.Background(), st, trials, Request{Number: k + 1, Seed: seed, Warm: warm})
		if err != nil {
			t.Fatalf("trial %d: %v", k+1, err)
		}
		check(t, st, trials, s.Config)
		if s.Fit != nil {
			warm = s.Fit
		}
		trials = append(trials, outcomeOf(k+1, s, m))
	}
	return trials
}

func outcomeOf(number int, s *study.Suggestion, m measure) study.Trial {
	trial := study.Trial{Number: number, State: study.Complete, Config: s.Config, Source: s.Source}
	if trial.Observation, trial.Failure = m(s.Config); trial.Failure != "" {
		trial.State = study.Failed
	}
	return trial
}

// check fails unless a suggestion is valid and new.
func check(t testing.TB, st *study.Study, trials []study.Trial, c space.Configuration) {
	t.Helper()
	if err := st.Space.Validate(c); err != nil {
		t.Fatalf("trial %d: %v", len(trials)+1, err)
	}
	for _, v := range c.Value {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("trial %d: value %v", len(trials)+1, v)
		}
	}
	for k := range trials {
		if st.Space.Key(trials[k].Config) == st.Space.Key(c) {
			t.Fatalf("trial %d repeats trial %d: %s", len(trials)+1, k+1, st.Space.Key(c))
		}
	}
}

// newCycle binds a study to a journal of its own.
func newCycle(t testing.TB, st *study.Study) Cycle {
	t.Helper()
	if st.Seed == nil {
		seed := uint64(7)
		st.Seed = &seed
	}
	return Cycle{Study: st, Journal: journal.Options{
		Path: filepath.Join(t.TempDir(), "test.journal.jsonl"), Space: st.Space, Seed: st.Seed,
		Study: []byte(`{"objective":{"name":"f","direction":"` + st.Objective.Direction.String() + `"}}`),
	}}
}

// play suggests and observes n trials through the journal.
func play(t testing.TB, c Cycle, n int, m measure) []study.Trial {
	t.Helper()
	var out []study.Trial
	for range n {
		got, _, err := c.Suggest(context.Background(), Ask{N: 1})
		if err != nil {
			t.Fatal(err)
		}
		tell(t, c, &got[0], m)
		out = append(out, got...)
	}
	return out
}

func tell(t testing.TB, c Cycle, trial *study.Trial, m measure) {
	t.Helper()
	o, failure := m(trial.Config)
	if _, _, err := c.Observe(context.Background(), trial.ID(), Tell{Observation: o, Failure: failure}); err != nil {
		t.Fatal(err)
	}
}
