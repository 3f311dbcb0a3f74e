package acq_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/acq"
)

// A product of averages is the average over all combinations of samples, with its gradient.
func TestProduct(t *testing.T) {
	d := toys["conditional"]
	r := rand.New(rand.NewPCG(4, 3))
	var objective, constraint, all []acq.Member
	m, n := newQuadric(d, r), newQuadric(d, r)
	m.step, n.step = 0, 0 // beliefs count otherwise in the product than in direct
	for range 3 {
		objective = append(objective, acq.Member{{Head: head(t, "logei", r.Float64()),
			Surrogate: func() acq.Surrogate { return m }}})
	}
	for range 4 {
		constraint = append(constraint,
			acq.Member{{Head: acq.Feasibility(r.Float64(), 0, 1), Surrogate: func() acq.Surrogate { return n }}})
	}
	for _, a := range objective {
		for _, b := range constraint {
			all = append(all, acq.Member{a[0], b[0]})
		}
	}
	product := acq.Product(acq.Members(objective...), acq.Members(constraint...))()
	direct := acq.Members(all...)()
	q := d.Sample(r, 40)
	batch := acq.Scores(product, q)
	for i := range q.Len() {
		want := make([]float64, q.Dim())
		got := []float64{7, 7, 7, 7, 7, 7, 7, 7}[:q.Dim()] // overwritten
		w, g := score(direct, want, q, i), score(product, got, q, i)
		if math.Abs(g-w) > 1e-12*math.Max(1, math.Abs(w)) || math.Abs(batch[i]-g) > 1e-12*math.Max(1, math.Abs(w)) {
			t.Errorf("point %d: %v, in a batch %v, want %v", i, g, batch[i], w)
		}
		for c := range want {
			if !(math.Abs(got[c]-want[c]) <= 1e-10*math.Max(1, math.Abs(want[c]))) {
				t.Errorf("point %d: gradient %v, want %v", i, got, want)
			}
		}
	}
}
