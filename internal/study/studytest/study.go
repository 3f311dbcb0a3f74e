// Package studytest makes studies, trials and objectives for tests.
package studytest

import (
	"math"
	"slices"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// Number is a float parameter on [0, 1].
func Number(name string) space.Parameter {
	return space.Parameter{Name: name, Kind: space.Float, High: 1}
}

// Category is a categorical parameter.
func Category(name string, values ...string) space.Parameter {
	return space.Parameter{Name: name, Kind: space.Categorical, Values: values}
}

// When is parameter p, active if the parameter number parent has the value.
func When(p space.Parameter, parent int, value float64) space.Parameter {
	p.Condition = space.In{Param: parent, Values: []float64{value}}
	return p
}

// NewStudy is a study as a study file without settings declares it, but for fits and
// searches, which are short: tests make hundreds.
func NewStudy(t testing.TB, params ...space.Parameter) *study.Study {
	t.Helper()
	s, err := space.New(params, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &study.Study{
		Name: "test", Space: s,
		Objectives: []study.Objective{{Name: "f"}},
		Initial:    study.Initial{Design: "halton", Count: 5},
		Surrogate:  study.Surrogate{Kernel: study.Kernel{ARD: true}, Nugget: -1, Starts: 2, Evaluations: 40},
		Acquisition: study.Acquisition{
			Candidates: 64, Starts: 2,
		},
		Budget: study.Budget{Failures: 20},
	}
}

// Several is NewStudy of m objectives, f, g, h, …
func Several(t testing.TB, m int, transform string, params ...space.Parameter) *study.Study {
	t.Helper()
	st := NewStudy(t, params...)
	st.Objectives = nil
	for k := range m {
		st.Objectives = append(st.Objectives, study.Objective{Name: string(rune('f' + k)), Transform: transform})
	}

	return st
}

// Uses reports whether a rule changed a plan.
func Uses(p *study.Plan, rule string) bool {
	return slices.ContainsFunc(p.Rules, func(r study.RuleUse) bool { return r.Name == rule })
}

// Measure returns the result of a trial.
type Measure func(c space.Configuration) (study.Observation, study.Failure)

// Value measures an objective alone.
func Value(f func(c space.Configuration) float64) Measure {
	return func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: "f", Value: f(c)}}}, ""
	}
}

// OutcomeOf is the trial that a suggestion becomes when it is measured.
func OutcomeOf(number int, s *study.Suggestion, m Measure) study.Trial {
	trial := study.Trial{Number: number, State: study.Complete, Config: s.Config, Source: s.Source}
	if trial.Observation, trial.Failure = m(s.Config); trial.Failure != "" {
		trial.State = study.Failed
	}
	return trial
}

// Check fails unless a suggestion is valid and new.
func Check(t testing.TB, st *study.Study, trials []study.Trial, c space.Configuration) {
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

// Sq is x².
func Sq(x float64) float64 { return x * x }
