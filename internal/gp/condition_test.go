package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/points"
)

// TestConditionEqualsFitWithFixedHyperparameters: the rank-k extension gives the
// model that all observations at once would.
func TestConditionEqualsFitWithFixedHyperparameters(t *testing.T) {
	x, y := sample(11, 40, 2)
	q, _ := sample(12, 20, 2)
	k := newARD(2, true, false)
	values := []float64{0.3, 0.7, 200, 2, 41}
	o := Options{Params: fixed(Params(k, y), values...)}
	all, _ := mustFit(t, k, x, y, o)
	o.Params = fixed(Params(k, y[:30]), values...)
	part, _ := mustFit(t, k, x.Slice(0, 30), y[:30], o)
	some, err := part.Condition(x.Slice(30, 33), y[30:33])
	must(t, err)
	grown, err := some.Condition(x.Slice(33, 40), y[33:])
	must(t, err)
	for i := range q.Len() {
		a, va := At(all.Predict, q, i)
		b, vb := At(grown.Predict, q, i)
		near(t, "mean", b, a, 1e-8)
		near(t, "variance", vb, va, 1e-7)
	}
}

func TestReinterpolationSurvivesConditioning(t *testing.T) {
	x, y := sample(11, 20, 2)
	m, _ := mustFit(t, newARD(2, true, false), x, y, Options{Form: "kriging", Nugget: 0.01, Reinterpolate: true})
	q, _ := sample(12, 3, 2)
	g, err := m.Condition(q, []float64{30, 40, 50})
	must(t, err)
	for i := range q.Len() {
		_, before := At(m.Predict, q, i)
		_, after := At(g.Predict, q, i)
		if !(before > 1e-6) || after > 1e-10*before {
			t.Errorf("variance %g before and %g after observing the point", before, after)
		}
	}
}

// TestConditionOnARepeatedPoint: fantasies may repeat an observed point, even without noise.
func TestConditionOnARepeatedPoint(t *testing.T) {
	x, y := sample(11, 10, 2)
	k := newARD(2, true, false)
	m, _ := mustFit(t, k, x, y, Options{Params: fixed(Params(k, y), 0.3, 0.7, 200, 0, 41)})
	g, err := m.Condition(x.Slice(2, 4), y[2:4])
	must(t, err)
	mean, variance := At(g.Predict, x, 2)
	near(t, "mean", mean, y[2], 1e-5)
	near(t, "variance", variance, 0, 1e-6)
}

// TestSampleMoments draws 4,000 joint samples: means within 5 standard errors,
// covariances within 12 % of the prior's scale.
func TestSampleMoments(t *testing.T) {
	x, y := sample(13, 12, 2)
	q, _ := sample(14, 3, 2)
	m, _ := mustFit(t, newARD(2, true, false), x, y, Options{})
	r := rand.New(rand.NewPCG(1, 1))
	const draws = 4000
	sum, squares := make([]float64, 3), make([]float64, 3)
	rows, err := m.Draws(r, q, draws)
	if err != nil || len(rows) != draws {
		t.Fatal(len(rows), err)
	}
	product := 0.0
	for _, s := range rows {
		for i, v := range s {
			sum[i] += v / draws
			squares[i] += v * v / draws
		}
		product += s[0] * s[1] / draws
	}
	variances := make([]float64, 3)
	for i := range q.Len() {
		mean, variance := At(m.Predict, q, i)
		near(t, "sample mean", sum[i], mean, 5*math.Sqrt(variance/draws))
		near(t, "sample variance", squares[i]-sum[i]*sum[i], variance, 0.12*variance)
		variances[i] = variance
	}
	// Conditioning on the value at one point tells the covariance with another.
	given, err := m.Condition(q.Select([]int{1}), []float64{1})
	must(t, err)
	_, rest := At(given.Predict, q, 0)
	correlation := (product - sum[0]*sum[1]) / math.Sqrt(variances[0]*variances[1])
	noise := m.Noise() / variances[1]
	near(t, "squared correlation", correlation*correlation/(1+noise), 1-rest/variances[0], 0.1)

	one, err := m.Sample(rand.New(rand.NewPCG(1, 1)), q)
	must(t, err)
	for i, v := range one {
		near(t, "the first draw", v, rows[0][i], 0)
	}
}

func TestSampleAtObservedPoints(t *testing.T) {
	x, y := sample(13, 12, 2)
	k := newARD(2, true, false)
	m, _ := mustFit(t, k, x, y, Options{Params: fixed(Params(k, y), 0.3, 0.7, 200, 0, 41)})
	s, err := m.Sample(rand.New(rand.NewPCG(1, 1)), points.Concat(x, x))
	must(t, err)
	for i, v := range s {
		near(t, "sample", v, y[i%12], 1e-3)
	}
}
