package acq

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/points"
)

// certain knows the value at every point: the point's first coordinate.
type certain struct{ Surrogate }

func (certain) PredictBatch(mean, variance []float64, q *points.Set) {
	copy(mean, q.Col(0))
	clear(variance)
}

// Of more points than are drawn jointly half stay at random; of the rest, those with the
// smallest draws.
func TestPlausible(t *testing.T) {
	const n = 3 * thompsonJoint
	r := rand.New(rand.NewPCG(1, 2))
	q := points.New(n, 1)
	for i, v := range r.Perm(n) {
		q.Set(0, i, float64(v)/n, true)
	}
	s := newSearch(t.Context(), nil, nil, Options{Workers: 1})
	got := s.plausible(q, func() Surrogate { return certain{} }, r)
	if got.Len() != thompsonJoint {
		t.Fatalf("%d points", got.Len())
	}
	v := slices.Clone(got.Col(0))
	random, chosen := v[:thompsonJoint/2], v[thompsonJoint/2:]
	for i, u := range q.Col(0) {
		if !slices.Contains(v, u) && u < slices.Max(chosen) {
			t.Fatalf("point %d with %g is left out, one with %g is not", i, u, slices.Max(chosen))
		}
	}
	if slices.IsSorted(random) || slices.Max(random) < 0.9 {
		t.Errorf("the first half is chosen, not random")
	}
}
