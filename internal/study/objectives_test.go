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
