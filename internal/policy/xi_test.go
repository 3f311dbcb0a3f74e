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
		s, err := fitSurrogates(t.Context(), st, trials, Request{Number: len(trials) + 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		a, _, err := s.acquisition(s.whole())
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

// ties are the values of forty trials, that many ties among the better half of them.
func ties(n int) []float64 {
	out := make([]float64, 40)
	for k := range out {
		out[k] = float64(max(k, n))
	}
	return out
}

// What repeats counts in the better half of distinct configurations.
func TestRepeats(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	for name, c := range map[string]struct {
		values []float64
		want   float64
	}{
		"one tie of 20":     {ties(1), 1. / 20},
		"two ties of 20":    {ties(2), 2. / 20},
		"no trials":         {nil, 0},
		"one value":         {[]float64{3, 3, 3}, 0},
		"no ties":           {[]float64{1, 2, 3, 4, 5, 6, 7, 8}, 0},
		"ties that are bad": {[]float64{1, 2, 3, 4, 9, 9, 9, 9}, 0},
		"a tie at half":     {[]float64{1, 2, 2, 3, 4}, 1. / 3},
		"a tie":             {[]float64{1, 2, 2, 4, 5, 6, 7, 8}, 1. / 4},
		"far larger":        {[]float64{2e200, 2e200, 8e200, 8e200}, 1. / 2},
	} {
		var told []*study.Trial
		for k, v := range c.values {
			for range 2 { // the second is of the same configuration and counts once
				told = append(told, &study.Trial{Config: space.Configuration{Value: []float64{float64(k) / 64}, Active: []bool{true}},
					Observation: study.Observation{Values: map[string]float64{"f": v}}})
			}
		}
		if got := repeats(st, told); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The surrogate's error is that for the better half of the trials, in standard deviations
// and by the half's median.
func TestLOOError(t *testing.T) {
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
	u, _ := gp.UnitsOf(ties(2))
	for name, c := range map[string]struct {
		observed []float64
		mean     func([]float64) []float64
		want     float64
	}{
		"two ties of 20":       {ties(2), wrong(1), u.Standard(1) - u.Standard(0)},
		"no trials":            {nil, same, 0},
		"one value":            {[]float64{3, 3, 3}, wrong(1), 0},
		"no mistakes":          {[]float64{1, 2, 2, 4, 5, 6, 7, 8}, same, 0},
		"a mistake":            {[]float64{2, 2, 8, 8}, wrong(1), 1. / 3},
		"the same, far larger": {[]float64{2e200, 2e200, 8e200, 8e200}, wrong(1e200), 1. / 3},
		"one large mistake":    {[]float64{2, 2, 2, 8, 8, 8}, func(v []float64) []float64 { return []float64{-90, 3, 2, 0, 0, 0} }, 1. / 3},
		"only mistakes":        {[]float64{2, 2, 8, 8}, wrong(-40), xiMax},
	} {
		got := looError(gp.LOO{Observed: c.observed, Mean: c.mean(c.observed)})
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
