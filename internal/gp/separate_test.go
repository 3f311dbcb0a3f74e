package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/points"
)

// branched marks coordinate 1 inactive in the first m points.
func branched(x *points.Set, m int) *points.Set {
	for i := range m {
		x.Set(1, i, 0.5, false)
	}
	return x
}

// TestSeparateModels: every activity pattern predicts as a model fitted to its
// observations alone, in every way to ask.
func TestSeparateModels(t *testing.T) {
	x, y := sample(80, 40, 2)
	branched(x, 15)
	q, _ := sample(81, 12, 2)
	branched(q, 5)
	k := newARD(2, true, false)
	m, rep := mustFit(t, k, x, y, Options{Separate: true})
	first, one := mustFit(t, k, x.Slice(0, 15), y[:15], Options{})
	second, two := mustFit(t, k, x.Slice(15, 40), y[15:], Options{})
	near(t, "leave-one-out log loss", rep.LOO.LogLoss, (15*one.LOO.LogLoss+25*two.LOO.LogLoss)/40, 1e-12)
	near(t, "leave-one-out RMSE²", rep.LOO.RMSE*rep.LOO.RMSE, (15*one.LOO.RMSE*one.LOO.RMSE+25*two.LOO.RMSE*two.LOO.RMSE)/40, 1e-9)
	if n := len(rep.LOO.Mean); n != 40 {
		t.Errorf("%d points left out, want 40", n)
	}
	if rep.Points != 40 || m.Len() != 40 {
		t.Errorf("%d points reported, %d in the model, want 40", rep.Points, m.Len())
	}
	extra, _ := sample(82, 4, 2)
	branched(extra, 2)
	grown, err := m.Condition(extra, []float64{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	first2, err := first.Condition(extra.Slice(0, 2), []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	p, std, g := m.Predictor(), m.Standard(), grown.Predictor()
	mean, variance := make([]float64, 12), make([]float64, 12)
	p.PredictBatch(mean, variance, q)
	for i := range q.Len() {
		one := first
		if i >= 5 {
			one = second
		}
		a, va := At(one.Predictor(), q, i)
		b, vb := At(p, q, i)
		near(t, "mean", b, a, 0)
		near(t, "variance", vb, va, 0)
		near(t, "batch mean", mean[i], a, 1e-9)
		near(t, "batch variance", variance[i], va, 1e-8)
		s, vs := At(std, q, i)
		near(t, "standardised mean", m.Units().Value(s), a, 1e-9)
		near(t, "standardised variance", m.Units().Variance(vs), va, 1e-9)
		dx, want := make([]float64, 2), make([]float64, 2)
		PullAt(p, dx, 1, 1, q, i)
		PullAt(one.Predictor(), want, 1, 1, q, i)
		near(t, "gradient", dx[0], want[0], 0)
		if i < 5 {
			c, _ := At(first2.Predictor(), q, i)
			d, _ := At(g, q, i)
			near(t, "mean after conditioning", d, c, 0)
		}
	}
	if _, err := m.Sample(rand.New(rand.NewPCG(1, 1)), q); err != nil {
		t.Error(err)
	}
}

// TestSeparateWithoutEnoughObservations: an unseen pattern is predicted from all
// observations together.
func TestSeparateWithoutEnoughObservations(t *testing.T) {
	x, y := sample(83, 20, 2)
	branched(x, 1)
	m, rep := mustFit(t, newARD(2, true, false), x, y, Options{Separate: true})
	u, _ := UnitsOf(y)
	mean, variance := At(m.Predictor(), x, 0)
	near(t, "mean", mean, u.Value(0), 0)
	near(t, "variance", variance, u.Variance(1), 0)
	if len(rep.Warnings) == 0 {
		t.Error("no warning of the pattern without a model")
	}
	if s, err := m.Sample(rand.New(rand.NewPCG(1, 1)), x); err != nil || len(s) != 20 {
		t.Errorf("sample %v, error %v", s, err)
	}
}

// TestSeparateDeclarations: hyperparameters declared for all observations leave
// every model its own, however different the spreads, unless they are edited.
func TestSeparateDeclarations(t *testing.T) {
	x, y := sample(80, 40, 2)
	branched(x, 15)
	for i := range 15 {
		y[i] *= 1e-7
	}
	y[39] = 1e300
	k := newARD(2, true, false)
	params := Params(k, y)
	a, _ := mustFit(t, k, x, y, Options{Separate: true})
	b, _ := mustFit(t, k, x, y, Options{Separate: true, Params: params})
	params[2].Lo, params[2].Init, params[2].Hi = 2e-14, 2e-14, 2e-14 // signal
	c, _ := mustFit(t, k, x, y, Options{Separate: true, Params: params})
	for i := range 3 {
		mean, v := At(a.Predictor(), x, i)
		other, w := At(b.Predictor(), x, i)
		near(t, "mean", other, mean, 0)
		near(t, "variance", w, v, 0)
		if other, w = At(c.Predictor(), x, i); other == mean && w == v {
			t.Error("an edited signal variance changed nothing")
		}
	}
}

// Separate models draw as often as they are asked, each time anew, with the moments
// of their predictions.
func TestDrawsOfSeparateModels(t *testing.T) {
	x, y := sample(80, 40, 2)
	branched(x, 15)
	q, _ := sample(81, 4, 2)
	branched(q, 2)
	m, _ := mustFit(t, newARD(2, true, false), x, y, Options{Separate: true})
	const count = 2000
	rows, err := m.Draws(rand.New(rand.NewPCG(1, 1)), q, count)
	if err != nil || len(rows) != count {
		t.Fatal(len(rows), err)
	}
	for i := range q.Len() {
		mean, variance := At(m.Predictor(), q, i)
		sum, squares := 0.0, 0.0
		for _, row := range rows {
			sum += row[i] / count
			squares += (row[i] - mean) * (row[i] - mean) / count
		}
		near(t, "mean", sum, mean, 5*math.Sqrt(variance/count))
		near(t, "variance", squares, variance, 0.2*variance)
	}
}
