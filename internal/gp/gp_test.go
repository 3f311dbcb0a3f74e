package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// sample returns n points of d coordinates and a smooth noisy function of them.
func sample(seed uint64, n, d int) (*points.Set, []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	x, y := points.New(n, d), make([]float64, n)
	for i := range n {
		for c := range d {
			x.Col(c)[i] = r.Float64()
			y[i] += math.Sin(3*x.At(c, i)+float64(c)) * float64(c+1)
		}
		y[i] = 40 + 7*(y[i]+0.1*r.NormFloat64())
	}
	return x, y
}

func fixed(params []kernels.Param, values ...float64) []kernels.Param {
	out := append([]kernels.Param(nil), params...)
	for i, v := range values {
		out[i].Init, out[i].Lo, out[i].Hi = v, v, v
	}
	return out
}

func mustKernel(t testing.TB, s kernels.Spec, coords []kernels.Coord) kernels.Kernel {
	t.Helper()
	k, err := kernels.New(s, coords)
	must(t, err)
	return k
}

func mustFit(t testing.TB, k kernels.Kernel, x *points.Set, y []float64, o Options) (*Model, *Report) {
	t.Helper()
	m, rep, err := Fit(context.Background(), k, x, y, o)
	must(t, err)
	return m, rep
}

// roots are the square roots of v; nil of nil.
func roots(v []float64) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	for i := range v {
		out[i] = math.Sqrt(v[i])
	}
	return out
}

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.17g, want %.17g ± %g", what, got, want, tol)
	}
}

// textbook computes likelihood, means and variances by dense algebra straight
// from Rasmussen & Williams (2006), Eqs. 2.25, 2.26 and 2.30.
func textbook(k kernels.Kernel, x *points.Set, y, own []float64, signal, noise, mu float64, extra []float64,
	q *points.Set) (lml float64, mean, variance []float64) {
	n := x.Len()
	K := mat.NewSymDense(n, nil)
	cov := k.Bind(own, x)
	row := make([]float64, n)
	for i := range n {
		cov.Row(row, x, i, 0)
		for j := i; j < n; j++ {
			v := signal * row[j]
			if i == j {
				v += noise
				if extra != nil {
					v += extra[i]
				}
			}
			K.SetSym(i, j, v)
		}
	}
	var inv mat.Dense
	if err := inv.Inverse(K); err != nil {
		panic(err)
	}
	logdet, _ := mat.LogDet(K)
	r := mat.NewVecDense(n, nil)
	for i := range n {
		r.SetVec(i, y[i]-mu)
	}
	var a mat.VecDense
	a.MulVec(&inv, r)
	lml = -(mat.Dot(r, &a)+logdet)/2 - float64(n)*halfLog2Pi
	for i := range q.Len() {
		ks := mat.NewVecDense(n, nil)
		cov.Row(row, q, i, 0)
		for j := range n {
			ks.SetVec(j, signal*row[j])
		}
		var v mat.VecDense
		v.MulVec(&inv, ks)
		self := []float64{0}
		cov.With(q).Row(self, q, i, i)
		mean = append(mean, mu+mat.Dot(ks, &a))
		variance = append(variance, signal*self[0]-mat.Dot(ks, &v))
	}
	return lml, mean, variance
}

func TestFixedHyperparametersGiveTheTextbook(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		x, y := sample(1, 30, 3)
		q, _ := sample(2, 200, 3)
		k := newARD(3, true, weighted)
		own, signal := []float64{0.4, 0.9, 2}, 250.0
		values := []float64{0.4, 0.9, 2, 250, 3, 38}
		if weighted {
			own, signal = []float64{0.4, 0.9, 2, 250}, 1 // the weight takes its place
		}
		extra := make([]float64, len(y))
		for i := range extra {
			extra[i] = float64(i%4) / 2
		}
		m, rep := mustFit(t, k, x, y, Options{Params: fixed(Params(k, y), values...), Stderr: roots(extra)})
		lml, mean, variance := textbook(k, x, y, own, signal, 3, 38, extra, q)
		near(t, "log marginal likelihood", rep.LogMarginalLikelihood, lml, 1e-9)
		if v, ok := rep.Hyper["signal"]; ok == weighted || ok && !(math.Abs(v-signal) <= 1e-9*signal) {
			t.Errorf("signal %v, %v; want %v unless there is a weight", v, ok, signal)
		}
		mb, vb := make([]float64, q.Len()), make([]float64, q.Len())
		m.Predict(mb, vb, q)
		for i := range q.Len() {
			mu, v := At(m.Predict, q, i)
			near(t, "mean", mu, mean[i], 1e-9)
			near(t, "variance", v, variance[i], 1e-8)
			near(t, "batch mean", mb[i], mean[i], 1e-9)
			near(t, "batch variance", vb[i], variance[i], 1e-8)
		}
	}
}

func TestFitRecoversAFunction(t *testing.T) {
	x, y := sample(3, 60, 2)
	for _, inference := range []string{"map", "mle"} {
		_, rep := mustFit(t, newARD(2, true, false), x, y, Options{Inference: inference, Workers: 2})
		t.Logf("%s: %v lml %.3f, %d evaluations, LOO %.3g %.3g %.2f", inference, rep.Hyper, rep.LogMarginalLikelihood,
			rep.Evaluations, rep.LOO().RMSE, rep.LOO().StdLogLoss, rep.LOO().Coverage90)
		if rep.LOO().RMSE > 1.5 || rep.LOO().StdLogLoss > -1.5 || rep.LOO().Coverage90 < 0.75 {
			t.Errorf("%s: leave-one-out %+v", inference, rep.LOO())
		}
	}
}

// Likelihood and posterior are densities of the values in their own units: eight times the
// values divides the likelihood by eight for each, and the posterior once more for the mean.
func TestDensitiesAreInTheUnitsOfTheValues(t *testing.T) {
	x, y := sample(3, 20, 2)
	_, small := mustFit(t, newARD(2, true, false), x, y, Options{Starts: 1})
	for i := range y {
		y[i] *= 8
	}
	_, large := mustFit(t, newARD(2, true, false), x, y, Options{Starts: 1})
	near(t, "likelihood", small.LogMarginalLikelihood-large.LogMarginalLikelihood, 20*math.Log(8), 1e-9)
	near(t, "posterior", small.LogPosterior-large.LogPosterior, 21*math.Log(8), 1e-9)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
