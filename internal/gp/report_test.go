package gp

import (
	"math"
	"testing"

	"bohier/internal/kernels"
)

// TestRanges: every hyperparameter with its bounds and the central 90 % of its prior, in the units of the observations.
func TestRanges(t *testing.T) {
	x, y := sample(30, 25, 2)
	for i := range y {
		y[i] = 1e3*y[i] + 500
	}
	k := newARD(2, true, false)
	params := Params(k, y)
	params[1].Lo, params[1].Hi, params[1].Init = 0.4, 0.4, 0.4
	_, rep := mustFit(t, k, x, y, Options{Params: params})
	u, _ := UnitsOf(y)
	get := func(rep *Report, name string) Range {
		for _, r := range rep.Ranges {
			if r.Name == name {
				return r
			}
		}
		t.Fatalf("no range of %s", name)
		return Range{}
	}
	for _, r := range rep.Ranges {
		if v := rep.Hyper[r.Name]; v != r.Value {
			t.Errorf("%s: %v in the range, %v in the report", r.Name, r.Value, v)
		}
		if !(r.Low <= r.Value && r.Value <= r.High) {
			t.Errorf("%s = %v outside [%v, %v]", r.Name, r.Value, r.Low, r.High)
		}
	}
	if len(rep.Ranges) != 5 {
		t.Errorf("%d ranges, want 5", len(rep.Ranges))
	}
	if r := get(rep, "lengthscale[x1]"); r.Low != r.High || r.Prior != nil || r.Met != "" {
		t.Errorf("fixed: %+v", r)
	}
	noise := get(rep, "noise")
	const z = 1.6448536269514722 // Φ⁻¹(0.95)
	near(t, "prior of the noise, 5 %", noise.Prior[0]/u.Variance(math.Exp(-8-3*z)), 1, 1e-12)
	near(t, "prior of the noise, 95 %", noise.Prior[1]/u.Variance(math.Exp(-8+3*z)), 1, 1e-12)
	near(t, "lower bound of the noise", noise.Low/u.Variance(1e-6), 1, 1e-12)
	mean := get(rep, "mean")
	if !mean.Closed {
		t.Error("the mean does not count as estimated in closed form")
	}
	near(t, "prior of the mean, 5 %", mean.Prior[0]/u.Value(-z), 1, 1e-12)

	// A prior stated in the units of the observations is shown as stated.
	params[3].Prior = kernels.LogNormal{Mu: 5, Sigma: 1}
	_, rep = mustFit(t, k, x, y, Options{Params: params})
	near(t, "own prior", get(rep, "noise").Prior[1]/math.Exp(5+z), 1, 1e-9)

	_, rep = mustFit(t, k, x, y, Options{Inference: "mle"})
	if get(rep, "noise").Prior != nil {
		t.Error("maximum likelihood shows a prior")
	}
	_, rep = mustFit(t, k, x, y, Options{Form: "kriging", Nugget: -1})
	if !get(rep, "signal").Closed || !get(rep, "mean").Closed || get(rep, "nugget").Closed {
		t.Errorf("kriging: %+v", rep.Ranges)
	}
}

// TestBoundsMet: a hyperparameter that the data push to a bound says so.
func TestBoundsMet(t *testing.T) {
	x, y := sample(30, 25, 2)
	k := newARD(2, true, false)
	params := Params(k, y)
	params[0].Lo, params[0].Init = 20, 20 // far too long
	_, rep := mustFit(t, k, x, y, Options{Params: params})
	if rep.Ranges[0].Met != "lower" {
		t.Errorf("%+v", rep.Ranges[0])
	}
	if len(rep.Stopped) != 1 || rep.Stopped[0].Name != "lengthscale[x0]" {
		t.Errorf("stopped: %+v", rep.Stopped)
	}
}
