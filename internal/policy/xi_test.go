package policy

import (
	"math"
	"testing"

	"bohier/internal/gp"
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

// What a suggestion has to gain grows with the configurations that share the best
// value, and only with them.
func TestRequired(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	trials := simulate(t, st, 7, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] }))
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
		if got := required(st, ReadHistory(st, trials, 8).Observed); got != c.want {
			t.Errorf("values %v: a gain of %v is required, want %v", c.values, got, c.want)
		}
	}
}

// Less is not better where the objective is maximised; what is infeasible and what
// was measured twice makes no plateau.
func TestRequiredOf(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
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

// A surrogate's mistakes count where a tenth of the better half of the trials repeats
// a value, in standard deviations and by the better half's median.
func TestDoubt(t *testing.T) {
	same := func(v []float64) []float64 { return v }
	wrong := func(by float64) func([]float64) []float64 {
		return func(v []float64) []float64 {
			out := make([]float64, len(v))
			for k, y := range v {
				if out[k] = y + by; k >= len(v)/2 { // the worse half is not looked at
					out[k] = y - 50
				}
			}
			return out
		}
	}
	ties := func(n int) []float64 { // that many among the better half of forty
		out := make([]float64, 40)
		for k := range out {
			out[k] = float64(max(k, n))
		}
		return out
	}
	u, _ := gp.UnitsOf(ties(2))
	for name, c := range map[string]struct {
		observed []float64
		mean     func([]float64) []float64
		want     float64
	}{
		"one tie of 20":        {ties(1), wrong(1), 0},
		"two ties of 20":       {ties(2), wrong(1), u.Standard(1) - u.Standard(0)},
		"no trials":            {nil, same, 0},
		"one value":            {[]float64{3, 3, 3}, wrong(1), 0},
		"no ties":              {[]float64{1, 2, 3, 4, 5, 6, 7, 8}, wrong(1), 0},
		"ties that are bad":    {[]float64{1, 2, 3, 4, 9, 9, 9, 9}, wrong(1), 0},
		"a tie, no mistakes":   {[]float64{1, 2, 2, 4, 5, 6, 7, 8}, same, 0},
		"a tie, mistakes":      {[]float64{2, 2, 8, 8}, wrong(1), 1. / 3},
		"the same, far larger": {[]float64{2e200, 2e200, 8e200, 8e200}, wrong(1e200), 1. / 3},
		"one large mistake":    {[]float64{2, 2, 2, 8, 8, 8}, func(v []float64) []float64 { return []float64{-90, 3, 2, 0, 0, 0} }, 1. / 3},
		"a tie, only mistakes": {[]float64{2, 2, 8, 8}, wrong(-40), highest},
	} {
		got := doubt(gp.LOO{Observed: c.observed, Mean: c.mean(c.observed)})
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// An objective that goes in steps is not trusted to fall a little beside its best:
// the score there is lower than without the tie, which is not at the best value.
func TestStepsAskForMore(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Objective.Transform = "none"
	values := []float64{6, 3, 1, 3, 7, 4, 9, 8}
	score := func(apart float64) float64 {
		var trials []study.Trial
		for k, v := range values {
			if k == 1 {
				v += apart
			}
			trials = append(trials, study.Trial{Number: k + 1, State: study.Complete,
				Config:      space.Configuration{Value: []float64{float64(k) / 8}, Active: []bool{true}},
				Observation: study.Observation{Values: map[string]float64{"f": v}}})
		}
		h := ReadHistory(st, trials, len(trials)+1)
		f, err := fitTurn(t.Context(), st, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		a, err := acquisition(st, f, nil, h, Request{Number: len(trials) + 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		out := []float64{0}
		a.Fork().Scores(out, st.Space.EncodeAll([]space.Configuration{{Value: []float64{0.27}, Active: []bool{true}}}))
		return out[0]
	}
	if tied, apart := score(0), score(1e-3); tied > apart-0.1 {
		t.Errorf("beside the best the score is %v with a tie elsewhere and %v without", tied, apart)
	}
}
