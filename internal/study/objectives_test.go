package study_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"bohier/internal/study"
)

// A setting under an objective's name is for that one alone, and counts before one for all.
func TestHyperOfOneObjective(t *testing.T) {
	st := &study.Study{Objectives: []study.Objective{{Name: "loss"}, {Name: "latency"}}}
	st.Surrogate.Fixed = map[string]float64{"noise": 1, "loss/noise": 2, "latency/mean": 3, "other/noise": 4}
	for k, want := range []map[string]float64{{"noise": 2, "other/noise": 4}, {"noise": 1, "mean": 3, "other/noise": 4}} {
		if got := st.For(k).Surrogate.Fixed; !maps.Equal(got, want) {
			t.Errorf("objective %d: %v, want %v", k, got, want)
		}
	}
}

// A front grows by what is asked of it, and not by what was asked before.
func TestGrowthOfOtherTrials(t *testing.T) {
	st := &study.Study{Objectives: []study.Objective{{Name: "f"}, {Name: "g"}}}
	var trials []*study.Trial
	for k, v := range [][2]float64{{1, 4}, {2, 2}, {5, 1.5}} {
		trials = append(trials, &study.Trial{Number: k + 1, State: study.Complete,
			Observation: study.Observation{Values: study.Values{{Name: "f", Value: v[0]}, {Name: "g", Value: v[1]}}}})
	}
	in := st.Standing(trials)
	all := slices.Clone(in.Growth(trials))
	back := in.Growth([]*study.Trial{trials[2], trials[1], trials[0]})
	if !(all[0] < all[1] && all[1] < all[2] && back[0] > 0 && math.Abs(back[2]-all[2]) < 1e-12) || back[1] == all[1] {
		t.Errorf("%v, and in the other order %v", all, back)
	}
	if again := in.Growth(trials); !slices.Equal(again, all) {
		t.Errorf("again %v, not %v", again, all)
	}
}
