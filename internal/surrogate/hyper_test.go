package surrogate_test

import (
	"slices"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// The ends of a uniform prior are bounds, and what is said of the mean is said in the objective's own sign.
func TestOverridePriors(t *testing.T) {
	params := []kernels.Param{
		{Name: "theta", Init: 1, Lo: 1e-3, Hi: 1e3, Scale: kernels.Log},
		{Name: "mean", Lo: -10, Hi: 10},
	}
	for _, sign := range []float64{1, -1} {
		got, err := surrogate.Override(params, study.Hyper{
			Prior: map[string]study.Density{"theta": {Family: "uniform", Args: [2]float64{2, 5}},
				"mean": {Family: "normal", Args: [2]float64{3, 1}}},
			Bounds: map[string][2]float64{"mean": {1, 8}},
		}, sign)
		if err != nil {
			t.Fatal(err)
		}
		if p := got[0]; p.Lo != 2 || p.Hi != 5 || p.Init != 2 {
			t.Errorf("theta from %v to %v, at %v", p.Lo, p.Hi, p.Init)
		}
		want := kernels.Param{Lo: 1, Hi: 8}
		if sign < 0 {
			want.Lo, want.Hi = -8, -1
		}
		if p := got[1]; p.Lo != want.Lo || p.Hi != want.Hi || p.Prior != (kernels.Normal{Mean: 3 * sign, Sigma: 1}) {
			t.Errorf("sign %v: mean from %v to %v, prior %v", sign, p.Lo, p.Hi, p.Prior)
		}
	}
	// Beyond the declared bounds, which may follow from the observations, it replaces them.
	got, err := surrogate.Override(params,
		study.Hyper{Prior: map[string]study.Density{"theta": {Family: "uniform", Args: [2]float64{1e4, 1e5}}}}, 1)
	if err != nil || got[0].Lo != 1e4 || got[0].Hi != 1e5 || got[0].Init != 1e4 {
		t.Errorf("%+v, %v", got[0], err)
	}
	if _, err := surrogate.Override(params,
		study.Hyper{Prior: map[string]study.Density{"theta": {Family: "uniform", Args: [2]float64{-2, -1}}}}, 1); err == nil {
		t.Error("a prior without positive numbers is accepted for a positive hyperparameter")
	}
}

// A name that a hyperparameter has means that one, whatever others it matches; a name that no
// hyperparameter of a fit has does nothing there.
func TestNamesOfHyperparameters(t *testing.T) {
	params := lists.Of([]string{"rho", "rho[a*]", "rho[ab]", "noise"},
		func(name string) kernels.Param { return kernels.Param{Name: name, Hi: 9} })
	for name, want := range map[string][]float64{
		"rho": {5, 0, 0, 0}, "rho[a*]": {0, 5, 0, 0}, "rho[ab]": {0, 0, 5, 0}, "rho[*]": {0, 5, 5, 0},
		"rho[?b]": {0, 0, 5, 0},
		"noise":   {0, 0, 0, 5}, "noise[*]": {0, 0, 0, 0}, "beta": {0, 0, 0, 0}, "rho[": {0, 0, 0, 0},
	} {
		h := study.Hyper{Initial: map[string]float64{name: 5}}
		got, err := surrogate.Override(params, h, 1)
		init := lists.Of(got, func(p kernels.Param) float64 { return p.Init })
		if err != nil || !slices.Equal(init, want) {
			t.Errorf("%s: %v, %v, want %v", name, init, err, want)
		}
		if err := surrogate.CheckNames(params, h); (err == nil) != slices.Contains(want, 5) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No fit starts at the logarithm of 0, which a positive hyperparameter may be fixed at.
func TestPositiveHyperparametersAtZero(t *testing.T) {
	params := []kernels.Param{{Name: "theta", Init: 1, Lo: 1e-3, Hi: 1e3, Scale: kernels.Log}}
	zero := map[string]float64{"theta": 0}
	got, err := surrogate.Override(params, study.Hyper{Fixed: zero}, 1)
	if err != nil || got[0].Lo != 0 || got[0].Hi != 0 {
		t.Errorf("fixed: %+v, %v", got, err)
	}
	if got, err := surrogate.Override(params, study.Hyper{Initial: zero}, 1); err == nil {
		t.Errorf("initial: %+v", got)
	}
	params[0].Divides = true
	if got, err := surrogate.Override(params, study.Hyper{Fixed: zero}, 1); err == nil {
		t.Errorf("fixed where it divides: %+v", got)
	}
}
