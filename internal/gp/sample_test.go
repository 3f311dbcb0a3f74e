package gp

import (
	"slices"
	"testing"
)

// A fit draws as many samples as asked for, which differ, and the same ones twice.
func TestSamplesOfAFit(t *testing.T) {
	x, y := sample(61, 15, 2)
	fit := func() (out []float64) {
		m, _ := mustFit(t, newARD(2, true, false), x, y, Options{Inference: "mcmc", Samples: 4, Seed: 3})
		for _, s := range m.Samples() {
			out = append(out, s.theta[0])
		}
		return out
	}
	drawn, again := fit(), fit()
	if len(drawn) != 4 || drawn[0] == drawn[3] || !slices.Equal(drawn, again) {
		t.Errorf("samples %v, then %v", drawn, again)
	}
}
