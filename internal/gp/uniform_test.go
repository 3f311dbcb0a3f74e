package gp

import (
	"testing"

	"bohier/internal/kernels"
)

// A uniform prior is flat in the hyperparameter: it moves no optimum of the likelihood
// within its range, in any units of the objective.
func TestUniformPriorsAreFlat(t *testing.T) {
	x, y := sample(54, 12, 2)
	k := newARD(2, true, false)
	flat := Params(k, y)
	for i := range flat {
		flat[i].Prior = nil
	}
	_, want := mustFit(t, k, x, y, Options{Params: flat})
	uniform := Params(k, y)
	for i := range uniform {
		uniform[i].Prior = kernels.Uniform{Low: uniform[i].Lo, High: uniform[i].Hi}
	}
	_, got := mustFit(t, k, x, y, Options{Params: uniform})
	for name, v := range want.Hyper {
		near(t, name, got.Hyper[name]/v, 1, 1e-3)
	}
	near(t, "log posterior", got.LogPosterior, want.LogPosterior, 1e-4)
}
