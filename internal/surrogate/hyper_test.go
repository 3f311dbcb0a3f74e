package surrogate_test

import (
	"testing"

	"bohier/internal/kernels"
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
			Prior: map[string]study.Density{"theta": {Family: "uniform", Args: []float64{2, 5}},
				"mean": {Family: "normal", Args: []float64{3, 1}}},
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
		study.Hyper{Prior: map[string]study.Density{"theta": {Family: "uniform", Args: []float64{1e4, 1e5}}}}, 1)
	if err != nil || got[0].Lo != 1e4 || got[0].Hi != 1e5 || got[0].Init != 1e4 {
		t.Errorf("%+v, %v", got[0], err)
	}
	if _, err := surrogate.Override(params,
		study.Hyper{Prior: map[string]study.Density{"theta": {Family: "uniform", Args: []float64{-2, -1}}}}, 1); err == nil {
		t.Error("a prior without positive numbers is accepted for a positive hyperparameter")
	}
}
