package gp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestHyperparametersOfASubset: above MaxFit the hyperparameters come from a
// subset and the model conditions on every point.
func TestHyperparametersOfASubset(t *testing.T) {
	x, y := sample(70, 200, 2)
	m, rep := mustFit(t, newARD(2, true, false), x, y, Options{MaxFit: 60})
	if rep.FitPoints != 60 || rep.Points != 200 || m.Len() != 200 {
		t.Errorf("fitted on %d, conditioned on %d of %d", rep.FitPoints, rep.Points, m.Len())
	}
	_, all := mustFit(t, newARD(2, true, false), x, y, Options{})
	if rep.LOO().RMSE > 1.2*all.LOO().RMSE {
		t.Errorf("leave-one-out error %.3g with a subset, %.3g with all", rep.LOO().RMSE, all.LOO().RMSE)
	}
}

// TestSubsetOfPoints: above MaxExact the model holds the best point and points spread over the rest.
func TestSubsetOfPoints(t *testing.T) {
	x, y := sample(71, 300, 2)
	m, rep := mustFit(t, newARD(2, true, false), x, y, Options{MaxFit: 40, MaxExact: 90})
	if m.Len() != 90 || rep.Points != 90 || len(rep.Warnings) == 0 {
		t.Errorf("%d points, %d reported, warnings %v", m.Len(), rep.Points, rep.Warnings)
	}
	best := 0
	for i := range y {
		if y[i] < y[best] {
			best = i
		}
	}
	kept := false
	for i := range m.x.Len() {
		kept = kept || m.x.Equal(i, x, best)
	}
	if !kept {
		t.Error("the best point was left out")
	}
	again, _ := mustFit(t, newARD(2, true, false), x, y, Options{MaxFit: 40, MaxExact: 90, Workers: 3})
	for i := range m.x.Len() {
		if !m.x.Equal(i, again.x, i) {
			t.Fatal("another subset the second time")
		}
	}
	pending, values := sample(73, 3, 2)
	more, err := m.Condition(pending, values)
	must(t, err)
	if more.Len() != 93 {
		t.Errorf("%d points with 3 pending ones, want 93", more.Len())
	}
	// The spread points cover the square: nowhere is farther than 0.25 from one.
	for _, a := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		for _, b := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
			dist := math.Inf(1)
			for i := range m.x.Len() {
				dist = min(dist, math.Hypot(m.x.At(0, i)-a, m.x.At(1, i)-b))
			}
			if dist > 0.25 {
				t.Errorf("no point within %.2g of (%g, %g)", dist, a, b)
			}
		}
	}
}

// TestSubsetIsNotTheLucky: observations near the best are predicted about as surely as the model says (here 80 % lie in
// the 90 % interval). With a third of the subset chosen because its values are good it is 52 %.
func TestSubsetIsNotTheLucky(t *testing.T) {
	const n, noise = 1500, 0.05
	r := rand.New(rand.NewPCG(7, 7))
	raw, y := make([][]float64, n+300), make([]float64, n+300)
	for i := range raw {
		a, b := r.Float64(), r.Float64()
		if i%2 == 0 || i >= n { // around the best
			a, b = 0.5+0.05*r.NormFloat64(), 0.5+0.05*r.NormFloat64()
		}
		raw[i] = []float64{a, b}
		y[i] = 3*(a-0.5)*(a-0.5) + 2*(b-0.5)*(b-0.5) + 0.3*math.Sin(6*a)*math.Cos(5*b) + noise*r.NormFloat64()
	}
	x := rows(raw)
	m, _ := mustFit(t, newARD(2, true, false), x.Slice(0, n), y[:n], Options{MaxFit: 150, MaxExact: 200, Workers: 2})
	mean, variance := make([]float64, 300), make([]float64, 300)
	m.Predict(mean, variance, x.Slice(n, n+300))
	inside := 0
	for i := range mean {
		if math.Abs(y[n+i]-mean[i]) < 1.645*math.Sqrt(variance[i]+m.Noise()) {
			inside++
		}
	}
	if inside < 225 { // 75 %
		t.Errorf("%d of 300 inside the 90 %% interval", inside)
	}
}

// TestMostPoints: the hyperparameters of many points are fitted to 500 of them, and the model rests on 1,000.
func TestMostPoints(t *testing.T) {
	x, y := sample(72, 1100, 2)
	m, rep := mustFit(t, newARD(2, true, false), x, y, Options{Starts: 1, Evaluations: 1})
	if rep.FitPoints != 500 || rep.Points != 1000 || m.Len() != 1000 {
		t.Errorf("fitted to %d points, %d reported, %d in the model", rep.FitPoints, rep.Points, m.Len())
	}
}
