package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// indefiniteIco is icocor with hyperparameters for which ico is indefinite, on
// points of which every other one lacks the second coordinate.
func indefiniteIco(t *testing.T, seed uint64, n int) (kernels.Kernel, *points.Set, []float64, []float64) {
	t.Helper()
	k := mustKernel(t, kernels.Spec{Name: "icocor", Base: "exp", AlwaysActive: "same", ARD: true},
		[]kernels.Coord{{Name: "a"}, {Name: "b", Conditional: true}})
	x, y := sample(seed, n, 2)
	for i := 0; i < n; i += 2 {
		x.Set(1, i, 0.5, false)
	}
	return k, x, y, []float64{1, 20, 0.001, 200, 2, 41} // ico.theta[a], ico.theta[b], ico.rho[b], signal, noise, mean
}

// TestConditionFlip: a spectrum flip conditioned on further points is that of all points at once.
func TestConditionFlip(t *testing.T) {
	k, x, y, values := indefiniteIco(t, 21, 40)
	_, q, _, _ := indefiniteIco(t, 22, 20)
	for _, o := range []Options{{}, {Form: "kriging", Nugget: 0.01, Reinterpolate: true}} {
		values := values
		if o.Form == "kriging" {
			values = values[:3]
		}
		o.Params = fixed(Params(k, y), values...)
		part, _ := mustFit(t, k, x.Slice(0, 30), y[:30], o)
		some, err := part.Condition(x.Slice(30, 33), y[30:33])
		must(t, err)
		grown, err := some.Condition(x.Slice(33, 40), y[33:])
		must(t, err)
		if o.Form == "kriging" { // whose variance and mean come from the first 30
			for i := range q.Len() {
				if m, v := At(grown.Predict, q, i); math.IsNaN(m) || !(v >= 0) {
					t.Errorf("prediction %g, %g", m, v)
				}
			}
			continue
		}
		all, _ := mustFit(t, k, x, y, o)
		repaired := 0.0
		for i := range q.Len() {
			a, va := At(all.Predict, q, i)
			b, vb := At(grown.Predict, q, i)
			near(t, "mean", b, a, 1e-8)
			near(t, "variance", vb, va, 1e-7)
			row := make([]float64, 40)
			k.Bind(all.theta[:all.kernelParams], all.x).Row(row, q, i, 0)
			repaired = max(repaired, math.Abs(row[0]-blas64.Dot(vector(all.flip.t.Data[:40]), vector(row))))
		}
		if repaired < 1e-3 {
			t.Errorf("the flip changed covariances by %g at most: nothing tested", repaired)
		}
	}
}

// TestSampleFlip: joint draws have the predicted means and variances also where
// the posterior covariance of the points is indefinite.
func TestSampleFlip(t *testing.T) {
	k, x, y, values := indefiniteIco(t, 21, 8)
	values[0], values[1], values[2] = 30, 5, 0.05 // else every variance is 0
	_, q, _, _ := indefiniteIco(t, 22, 2)
	m, _ := mustFit(t, k, x, y, Options{Params: fixed(Params(k, y), values...)})
	r := rand.New(rand.NewPCG(1, 1))
	const draws = 4000
	sum, squares := make([]float64, 2), make([]float64, 2)
	for range draws {
		s, err := m.Sample(r, q)
		must(t, err)
		for i, v := range s {
			sum[i] += v / draws
			squares[i] += v * v / draws
		}
	}
	for i := range q.Len() {
		mean, variance := At(m.Predict, q, i)
		if !(variance > 1) {
			t.Errorf("variance %g: nothing tested", variance)
		}
		near(t, "sample mean", sum[i], mean, 5*math.Sqrt(variance/draws))
		near(t, "sample variance", squares[i]-sum[i]*sum[i], variance, 0.12*variance)
	}
	_, many, _, _ := indefiniteIco(t, 23, 60)
	s, err := m.Sample(r, many)
	must(t, err)
	for _, v := range s {
		if math.IsNaN(v) {
			t.Fatal("a draw is not a number")
		}
	}
}
