package runner

import (
	"math"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// terrace falls in wide steps towards (0.2, 0.2).
func terrace(c space.Configuration) float64 {
	return math.Floor(4 * math.Hypot(c.Value[0]-0.2, c.Value[1]-0.2))
}

// Trials do not pile up on a plateau that is known.
func TestPlateau(t *testing.T) {
	st := newStudy(t, number("x"), number("y"))
	again := 0
	for seed := range uint64(8) {
		trials := simulateSeed(t, st, seed, 25, value(terrace))
		best := math.Inf(1)
		for k := range trials {
			v := trials[k].Values["f"]
			if trials[k].Source == "model" && v == best {
				again++
			}
			best = min(best, v)
		}
	}
	if again > 70 {
		t.Errorf("%d of 160 suggestions fall on the best plateau", again)
	}
}

// What a suggestion has to gain grows with the configurations that share the best
// value, and only with them.
func TestRequired(t *testing.T) {
	st := newStudy(t, number("x"))
	trials := simulate(t, st, 7, value(func(c space.Configuration) float64 { return c.Value[0] }))
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, 2, 3, 4, 5, 6, 7}, 0},
		{[]float64{2, 2, 2, 1, 3, 3, 3}, 0},
		{[]float64{1, 2, 1, 4, 5, 5, 5}, climb},
		{[]float64{1, 1, 1, 1, 1, 1, 1}, highest},
	} {
		for k, v := range c.values {
			trials[k].Values["f"] = v
		}
		if got := required(st, readHistory(st, trials, 8).told); got != c.want {
			t.Errorf("values %v: a gain of %v is required, want %v", c.values, got, c.want)
		}
	}
}

// Less is not better where the objective is maximised; what is infeasible and what
// was measured twice makes no plateau.
func TestRequiredOf(t *testing.T) {
	st := newStudy(t, number("x"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	trial := func(x, f, c float64) *study.Trial {
		return &study.Trial{Config: space.Configuration{Value: []float64{x}, Active: []bool{true}},
			Observation: study.Observation{Values: map[string]float64{"f": f, "c": c}}}
	}
	told := []*study.Trial{trial(0.1, 1, 0), trial(0.2, 1, 0), trial(0.2, 1, 0), trial(0.3, 2, 0), trial(0.4, 0, 2), trial(0.5, 1, 2)}
	if got := required(st, told); got != climb {
		t.Errorf("minimised: %v, want %v", got, float64(climb))
	}
	st.Objective.Direction = study.Maximize
	if got := required(st, told); got != 0 {
		t.Errorf("maximised: %v, want 0", got)
	}
}
