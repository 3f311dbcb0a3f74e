package study

import (
	"maps"
	"testing"
)

// A setting under an objective's name is for that one alone, and counts before one for all.
func TestHyperOfOneObjective(t *testing.T) {
	st := &Study{Objectives: []Objective{{Name: "loss"}, {Name: "latency"}}}
	st.Surrogate.Hyper.Fixed = map[string]float64{"noise": 1, "loss/noise": 2, "latency/mean": 3, "other/noise": 4}
	for k, want := range []map[string]float64{{"noise": 2, "other/noise": 4}, {"noise": 1, "mean": 3, "other/noise": 4}} {
		if got := st.For(k).Surrogate.Hyper.Fixed; !maps.Equal(got, want) {
			t.Errorf("objective %d: %v, want %v", k, got, want)
		}
	}
}

// The closest to satisfying every constraint, by the spread of each outcome.
func TestClosest(t *testing.T) {
	st := &Study{Constraints: []Constraint{{Name: "m", Bound: 1}, {Name: "r", Bound: 100}}}
	trial := func(n int, state State, m, r float64) Trial {
		return Trial{Number: n, State: state, Observation: Observation{Values: map[string]float64{"m": m, "r": r}}}
	}
	trials := []Trial{
		trial(1, Complete, 3, 50), trial(2, Complete, 1, 900), trial(3, Complete, 1.5, 400), trial(4, Pending, 1, 100),
		{Number: 5, State: Complete, Observation: Observation{Values: map[string]float64{"m": 1}}},
	}
	got, by := st.Closest(trials)
	if got == nil || got.Number != 3 || !(by > 1.4 && by < 1.6) {
		t.Errorf("%+v by %v", got, by)
	}
	if got, _ := st.Closest(trials[3:]); got != nil {
		t.Errorf("%+v of none with all outcomes", got)
	}
}
