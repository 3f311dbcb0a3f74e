package policy

import (
	"math"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// terrace falls in wide steps towards (0.2, 0.2).
func terrace(c space.Configuration) float64 {
	return math.Floor(4 * math.Hypot(c.Value[0]-0.2, c.Value[1]-0.2))
}

// Trials do not pile up on a plateau that is known.
func TestPlateau(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	again := 0
	for seed := range uint64(24) {
		trials := simulateSeed(t, st, seed, 25, studytest.Value(terrace))
		best := math.Inf(1)
		for k := range trials {
			v := trials[k].Values["f"]
			if trials[k].Source == "model" && v == best {
				again++
			}
			best = min(best, v)
		}
	}
	if again > 210 {
		t.Errorf("%d of 480 suggestions fall on the best plateau", again)
	}
}

// The ties at the best grow with the configurations that share its value, and only with
// them; less is not better where the objective is maximised, and what is infeasible and
// what was measured twice makes no tie.
func TestBestOf(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	number := 0
	trial := func(x, f, c float64) *study.Trial {
		number++
		return &study.Trial{Number: number, Config: space.Configuration{Value: []float64{x}, Active: []bool{true}},
			Observation: study.Observation{Values: map[string]float64{"f": f, "c": c}}}
	}
	told := []*study.Trial{trial(0.1, 1, 0), trial(0.2, 1, 0), trial(0.2, 1, 0), trial(0.3, 2, 0), trial(0.4, 0, 2), trial(0.5, 1, 2)}
	if got := bestOf(st, told); got != (Best{Trial: 1, Ties: 1}) {
		t.Errorf("minimised: %+v", got)
	}
	st.Objective.Direction = study.Maximize
	if got := bestOf(st, told); got != (Best{Trial: 4}) {
		t.Errorf("maximised: %+v", got)
	}
	if got := bestOf(st, told[4:]); got != (Best{}) {
		t.Errorf("nothing feasible: %+v", got)
	}
}

// ξ grows by a step with every tie, up to its limit.
func TestXiTies(t *testing.T) {
	v := busyView(t)
	for ties, want := range map[int]float64{0: 0, 1: xiPerTie, 3: 3 * xiPerTie, 9: xiMax} {
		v.Best.Ties = ties
		p := named(v)
		if why := xiTies(v, p); math.Abs(p.Xi-want) > 1e-12 || (why == "") != (want == 0) {
			t.Errorf("%d ties: ξ = %v, want %v: %q", ties, p.Xi, want, why)
		}
	}
}
