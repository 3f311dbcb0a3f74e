package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bohier/internal/points"
)

// branched marks coordinate 1 inactive in the first m points.
func branched(x *points.Set, m int) {
	for i := range m {
		x.Set(1, i, 0.5, false)
	}
}

// A linear mean with its weights integrated out is a Gaussian process whose covariance has H·B·H' besides, B the
// weights' prior variances (Rasmussen & Williams 2006, eq. 2.40): likelihood, predictions and joint draws are its, at
// points that lack a coordinate too. It also says how widths and inactive coordinates count.
func TestLinearMeanIsAnotherCovariance(t *testing.T) {
	x, y := sample(90, 25, 2)
	q, _ := sample(91, 6, 2)
	branched(x, 9)
	branched(q, 3)
	k := newARD(2, true, false)
	const width = 4
	for i := range y {
		y[i] += 20 * x.At(0, i)
	}
	x.Set(1, 2, 1e9, false) // what an inactive coordinate holds is nobody's business
	q.Set(1, 1, -1e9, false)
	all := points.Concat(x, q)
	covariance := func(theta []float64) *mat.SymDense {
		n := all.Len()
		out := mat.NewSymDense(n, nil)
		cov := k.Bind(theta[:2], all)
		row := make([]float64, n)
		h := func(i int) [3]float64 {
			a := [3]float64{1, all.At(0, i)/width - 0.5, 0}
			if all.Active(1, i) {
				a[2] = all.At(1, i) - 0.5
			}
			return a
		}
		for i := range n {
			cov.Row(row, all, i, 0)
			for j := range i + 1 {
				v := theta[2] * row[j]
				for c := range 3 {
					v += h(i)[c] * h(j)[c] // prior variances 1
				}
				out.SetSym(i, j, v)
			}
		}
		return out
	}
	o := Options{Mean: "linear", Linear: []float64{width, 1}}
	m, _ := mustFit(t, k, x, y, o)
	theta, n := m.theta, x.Len()
	whole := covariance(theta)
	noisy := mat.NewSymDense(n, nil)
	noisy.CopySym(whole.SliceSym(0, n))
	for i := range n {
		noisy.SetSym(i, i, noisy.At(i, i)+theta[3])
	}
	var chol mat.Cholesky
	if !chol.Factorize(noisy) {
		t.Fatal("no factor")
	}
	z := mat.NewVecDense(n, m.y)
	var solved mat.VecDense
	must(t, chol.SolveVecTo(&solved, z))
	p := problemOf(t, k, x, y, nil, o)
	e := newEvaluator(p)
	if !e.evaluate(append([]float64(nil), theta...)) {
		t.Fatal("no likelihood")
	}
	want := -(mat.Dot(z, &solved)+chol.LogDet())/2 - float64(n)*halfLog2Pi
	for _, i := range p.free {
		lp, _ := p.params[i].Prior.LogDensity(theta[i])
		lj, _ := logJacobian(p.params[i], theta[i])
		want += lp + lj
	}
	near(t, "log posterior", e.posterior, want, 1e-8)
	var inverse mat.Dense
	must(t, inverse.Inverse(noisy))
	loo := m.leaveOneOut()
	for i := range n {
		near(t, "left out", loo.Observed[i]-loo.Mean[i], m.units.Deviation(solved.AtVec(i)/inverse.At(i, i)), 1e-6)
		near(t, "left out, deviation", loo.Std[i], m.units.Deviation(1/math.Sqrt(inverse.At(i, i))), 1e-6)
	}
	std := m.Standard()
	square := mat.DenseCopyOf(whole)
	var cross mat.Dense
	must(t, chol.SolveTo(&cross, square.Slice(0, n, n, n+6)))
	for i := range q.Len() {
		mean, variance := 0.0, whole.At(n+i, n+i)
		for j := range n {
			mean += whole.At(n+i, j) * solved.AtVec(j)
			variance -= whole.At(n+i, j) * cross.At(j, i)
		}
		mu, v := At(std.PredictBatch, q, i)
		near(t, "mean", mu, mean, 1e-7)
		near(t, "variance", v, variance, 1e-7)
	}
	const count = 4000
	draws, err := m.Draws(rand.New(rand.NewPCG(1, 1)), q, count)
	must(t, err)
	for i := range q.Len() {
		mean, variance := At(m.Predict, q, i)
		sum := 0.0
		for _, d := range draws {
			sum += (d[i] - mean) * (d[i] - mean) / count
		}
		near(t, "variance of draws", sum, variance, 0.12*variance)
	}
}

// Where a linear mean extrapolates a slope, a constant one returns to its level and zero to the median.
func TestMeansFarFromObservations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	x, y := points.New(30, 1), make([]float64, 30)
	for i := range y {
		x.Set(0, i, r.Float64()/2, true)
		y[i] = 10*x.At(0, i) + 0.1*r.NormFloat64()
	}
	far := points.New(1, 1)
	far.Set(0, 0, 40, true)
	at := func(o Options) float64 {
		m, rep := mustFit(t, newARD(1, true, false), x, y, o)
		mean, _ := At(m.Predict, far, 0)
		near(t, o.Mean, mean, rep.Hyper["mean"]+func() float64 {
			return m.Slopes()[0] * (40 - 0.5)
		}(), 1e-3*math.Abs(mean))
		grown, err := m.Condition(far, []float64{mean})
		must(t, err)
		again, _ := At(grown.Predict, far, 0)
		near(t, o.Mean+" told what it expects", again, mean, 1e-6*math.Abs(mean))
		return mean
	}
	u, _ := UnitsOf(y)
	near(t, "zero", at(Options{Mean: "zero"}), u.Value(0), 1e-6)
	near(t, "constant", at(Options{}), u.Value(0), 2)
	if linear := at(Options{Mean: "linear", Linear: []float64{1}, Inference: "mle"}); linear < 350 || linear > 450 {
		t.Errorf("linear: %v at 40, want about 400", linear)
	}
}

// A coordinate that was never active keeps the slope 0, and fewer observations than slopes are enough.
func TestLinearMeanOfFewObservations(t *testing.T) {
	x, y := sample(92, 3, 6)
	for i := range 3 {
		x.Set(4, i, 0.3, false)
	}
	for _, o := range []Options{{}, {Inference: "mle"}, {Form: "kriging", Nugget: -1}} {
		o.Mean, o.Linear = "linear", []float64{1, 1, 1, 1, 1, 1}
		m, _ := mustFit(t, newARD(6, true, false), x, y, o)
		if v := m.Slopes()[4]; v != 0 {
			t.Errorf("%+v: slope %v of a coordinate that was never active", o, v)
		}
		if mean, v := At(m.Predict, x, 1); math.IsNaN(mean) || !(v >= 0) {
			t.Errorf("%+v: prediction %v ± %v", o, mean, v)
		}
	}
	if _, _, err := Fit(context.Background(), newARD(6, true, false), x, y,
		Options{Mean: "linear", Linear: []float64{1}}); err == nil {
		t.Error("widths of one coordinate of six accepted")
	}
}
