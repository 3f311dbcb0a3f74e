package suggest

import (
	"math"
	"slices"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// The candidate at the optimum of a smooth function comes first under every way to score, drawn functions included.
func TestRank(t *testing.T) {
	for _, name := range []string{"logei", "lcb"} {
		st := studytest.NewStudy(t, studytest.PlainSpace()...)
		st.Acquisition.Name = name
		confs := studytest.Sampled(t, st, 25)
		y := make([]float64, len(confs))
		for i, c := range confs {
			y[i] = studytest.Sq(c.Value[0]-0.3) + studytest.Sq(c.Value[1]-0.6)
		}
		at := func(x, y float64) space.Configuration {
			return space.Configuration{Value: []float64{x, y}, Active: []bool{true, true}}
		}
		candidates := []space.Configuration{at(1, 0), at(0.3, 0.6), at(0.8, 0.2)}
		ranked, err := Rank(t.Context(), st, studytest.Completed(confs, y), Request{Number: 26, Seed: 2}, candidates)
		must(t, err)
		if !ranked[0].Config.Equal(candidates[1]) || ranked[0].Score <= ranked[2].Score {
			t.Errorf("%s: ranked %v", name, ranked)
		}
	}
}

// Candidates are picked one after the other, each new and once, with its score beside those
// picked before; nothing can be picked, or ranked, before there is a surrogate.
func TestPick(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	trials := tenths(st, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.3) }))
	at := func(x float64) space.Configuration {
		return space.Configuration{Value: []float64{x}, Active: []bool{true}}
	}
	candidates := []space.Configuration{at(0.95), at(0.3), at(0.32), at(0.32), at(0.28)}
	picked, warnings, err := Pick(t.Context(), st, trials, Request{Number: 11, Seed: 2}, candidates, 4)
	if err != nil || len(picked) != 3 || len(warnings) != 1 ||
		warnings[0] != "only 3 of the candidates are new and different" {
		t.Fatalf("%v, %q, %v", picked, warnings, err)
	}
	if at := picked[0].Config.Value[0]; at == 0.95 || at == 0.3 {
		t.Errorf("%v is picked first", at)
	}
	for k, p := range picked {
		if slices.ContainsFunc(picked[:k], func(o Ranked) bool { return o.Config.Equal(p.Config) }) || p.Tried ||
			p.Config.Value[0] == 0.3 {
			t.Errorf("number %d is %+v", k+1, p)
		}
	}
	if picked, warnings, err = Pick(t.Context(), st, trials, Request{Number: 11, Seed: 2}, candidates,
		2); len(picked) != 2 || warnings != nil || err != nil {
		t.Errorf("%v, %q, %v", picked, warnings, err)
	}
	if _, _, err := Pick(t.Context(), st, nil, Request{Number: 1}, candidates, 1); !study.HasCode(err, study.NoResult) {
		t.Errorf("without trials: %v", err)
	}
	if _, err := Rank(t.Context(), st, nil, Request{Number: 1}, candidates); !study.HasCode(err, study.NoResult) {
		t.Errorf("without trials: %v", err)
	}
}

// Defaults fill in what is not given, as far as they leave a valid configuration.
func TestWithDefaults(t *testing.T) {
	two, half := 2.0, 0.5
	k, x, y := studytest.Category("k", "a", "b", "c"), studytest.Number("x"), studytest.Number("y")
	k.Default, y.Default = &two, &half
	s := studytest.NewStudy(t, k, x, studytest.When(y, 0, 1)).Space
	for _, c := range []struct{ given, want space.Assignment }{
		{space.Assignment{}, space.Assignment{0: 2}}, // y is inactive where k is c
		{space.Assignment{0: 1}, space.Assignment{0: 1, 2: 0.5}},
		{space.Assignment{0: 1, 1: 0.25, 2: 0.75}, space.Assignment{0: 1, 1: 0.25, 2: 0.75}},
	} {
		got := withFitting(s, c.given, func(p *space.Parameter) *float64 { return p.Default })
		if len(got) != len(c.want) {
			t.Errorf("%v with defaults is %v, want %v", c.given, got, c.want)
			continue
		}
		for i, v := range c.want {
			if got[i] != v {
				t.Errorf("%v with defaults is %v, want %v", c.given, got, c.want)
			}
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct{ v, mean, std, want float64 }{
		{1, 0, 1, 0.8413447460685429}, {5, 3, 2, 0.8413447460685429}, {3, 5, 2, 0.15865525393145705}, // Φ(±1)
	} {
		if got := below(c.v, c.mean, c.std); !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("N(%g, %g²) is below %g with probability %g, want %g", c.mean, c.std, c.v, got, c.want)
		}
	}
}
