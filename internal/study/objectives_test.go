package study_test

import (
	"maps"
	"testing"

	"bohier/internal/study"
)

// A setting under an objective's name is for that one alone, and counts before one for all.
func TestHyperOfOneObjective(t *testing.T) {
	st := &study.Study{Objectives: []study.Objective{{Name: "loss"}, {Name: "latency"}}}
	st.Surrogate.Hyper.Fixed = map[string]float64{"noise": 1, "loss/noise": 2, "latency/mean": 3, "other/noise": 4}
	for k, want := range []map[string]float64{{"noise": 2, "other/noise": 4}, {"noise": 1, "mean": 3, "other/noise": 4}} {
		if got := st.For(k).Surrogate.Hyper.Fixed; !maps.Equal(got, want) {
			t.Errorf("objective %d: %v, want %v", k, got, want)
		}
	}
}

// The closest to satisfying every constraint, by the spread of each outcome.
func TestClosest(t *testing.T) {
	st := &study.Study{Constraints: []study.Constraint{{Name: "m", Bound: 1}, {Name: "r", Bound: 100}}}
	trial := func(n int, state study.State, m, r float64) study.Trial {
		return study.Trial{Number: n, State: state,
			Observation: study.Observation{Values: study.NamedOf(map[string]float64{"m": m, "r": r})}}
	}
	trials := []study.Trial{
		trial(1, study.Complete, 3, 50), trial(2, study.Complete, 1, 900), trial(3, study.Complete, 1.5, 400),
		trial(4, study.Pending, 1, 100),
		{Number: 5, State: study.Complete, Observation: study.Observation{Values: study.Values{{Name: "m", Value: 1}}}},
	}
	got, by := st.Closest(trials)
	if got == nil || got.Number != 3 || !(by > 1.4 && by < 1.6) {
		t.Errorf("%+v by %v", got, by)
	}
	if got, _ := st.Closest(trials[3:]); got != nil {
		t.Errorf("%+v of none with all outcomes", got)
	}
}
