package surrogate_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// shares are, for every configuration, those of the draws in which it is the best.
func shares(f *surrogate.Fitted, sp *space.Space, confs []space.Configuration, draws int, seed uint64) ([]float64, error) {
	rows, err := f.Draws(sp, confs, draws, seed)
	out := make([]float64, len(confs))
	for _, row := range rows {
		out[floats.MinIdx(row)] += 1 / float64(len(rows))
	}
	return out, err
}

// TestProbabilityBest: shares of the draws, which single out a configuration that is clearly best and split among ones
// that measure alike, and are the same for the same seed.
func TestProbabilityBest(t *testing.T) {
	sp, err := space.New([]space.Parameter{{Name: "x", Kind: space.Float, Low: 0, High: 1}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, direction := range []study.Direction{study.Minimize, study.Maximize} {
		st := &study.Study{Space: sp, Objectives: []study.Objective{{Name: "f", Direction: direction, Transform: "none"}}}
		var trials []study.Trial
		var confs []space.Configuration
		for k, v := range []float64{9, 4, 1, 0, 1, 4, 9, 9.1, 8.9} {
			c := space.NewConfiguration(1)
			c.Value[0] = min(float64(k)/6, 1)
			sp.Activate(&c)
			trials = append(trials, study.Trial{Number: k + 1, State: study.Complete, Config: c, Observation: study.Observation{
				Values: study.Values{{Name: "f", Value: direction.Sign() * v}},
			}})
			if k < 7 {
				confs = append(confs, c)
			}
		}
		d := surrogate.Data{Rows: surrogate.RowsOf(study.Pointers(trials))}
		f, err := surrogate.Fit(context.Background(), st, study.ModelSpec{Kernel: "matern52", Transform: "none"}, d,
			study.HyperSet{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		p, err := shares(f, sp, confs, 512, 1)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, v := range p {
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 || p[3] < 0.9 || p[0] > 0.01 {
			t.Errorf("%v: %v, sum %v", direction, p, sum)
		}
		again, err := shares(f, sp, confs, 512, 1)
		if err != nil || again[3] != p[3] {
			t.Errorf("%v again, %v", again, err)
		}
		two, err := shares(f, sp, []space.Configuration{confs[2], confs[4]}, 512, 1)
		if err != nil || math.Abs(two[0]-0.5) > 0.25 {
			t.Errorf("equal values: %v, %v", two, err)
		}
	}
}
