package gp

import (
	"math"
	"testing"
)

// A fit that may not go on is one with the best hyperparameters it has met, whatever looks for
// them: no step follows the last that was granted, and the more were, the better the fit.
func TestCutFits(t *testing.T) {
	x, y := sample(57, hurried+20, 3)
	for name, o := range map[string]Options{
		"lbfgs": {}, "direct": {Optimizer: "direct"},
		"warm": {Warm: Warm{Hyper: map[string]float64{"relative.noise": 0.2}}},
	} {
		last := math.Inf(-1)
		for _, granted := range []int{0, 1, 12} {
			asked := 0
			o.More = func() bool { asked++; return asked <= granted }
			m, rep := mustFit(t, newARD(3, true, false), x, y, o)
			if !rep.Cut || asked != granted+1 || rep.Points > hurried || m.Len() != rep.Points {
				t.Errorf("%s: asked %d times of %d, %d points, cut %v", name, asked, granted, rep.Points, rep.Cut)
			}
			if granted == 0 && rep.Evaluations > 0 || rep.Evaluations > 40*granted || rep.Warm.FittedTo != (FittedTo{}) {
				t.Errorf("%s, %d granted: %d evaluations, fitted to %v", name, granted, rep.Evaluations, rep.Warm.FittedTo)
			}
			if name == "lbfgs" || name == "direct" {
				if rep.LogPosterior < last-1 {
					t.Errorf("%s, %d granted: log posterior %g after %g", name, granted, rep.LogPosterior, last)
				}
				last = rep.LogPosterior
			}
		}
	}
}

// Steps that are granted as long as they are asked for come to the very fit that asks for none.
func TestStepsChangeNoFit(t *testing.T) {
	x, y := sample(58, 30, 3)
	for name, o := range map[string]Options{"lbfgs": {}, "direct": {Optimizer: "direct"}} {
		k := newARD(3, true, false)
		_, want := mustFit(t, k, x, y, o)
		asked := 0
		o.More = func() bool { asked++; return true }
		if _, got := mustFit(t, k, x, y, o); got.LogPosterior != want.LogPosterior || got.Evaluations != want.Evaluations ||
			got.Cut || asked < 2 {
			t.Errorf("%s: %v after %d evaluations and %d steps, without steps %v after %d", name,
				got.LogPosterior, got.Evaluations, asked, want.LogPosterior, want.Evaluations)
		}
	}
}
