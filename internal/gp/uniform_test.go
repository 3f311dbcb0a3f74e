package gp

import (
	"testing"

	"bohier/internal/kernels"
)

// A uniform prior is flat in the hyperparameter: it moves no optimum of the likelihood
// within its range, in any units of the objective, while samples are spread evenly
// over it where the observations say nothing.
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

	// Inputs that are all alike leave the lengthscale to the prior.
	for c := range 2 {
		for i := range y {
			x.Set(c, i, 0.5, true)
		}
	}
	free := fixed(Params(k, y), 0, 0.5, 60, 30, 45)
	free[0] = k.Params()[0]
	free[0].Lo, free[0].Hi, free[0].Prior = 0.01, 100, kernels.Uniform{Low: 0.01, High: 100}
	m, _ := mustFit(t, k, x, y, Options{Params: free, Inference: "mcmc", Samples: 500, Thin: 2, Seed: 3})
	mean := 0.0
	for _, s := range m.Samples() {
		mean += s.theta[0] / 500
	}
	near(t, "mean of the sampled lengthscale", mean, 50, 8)
}
