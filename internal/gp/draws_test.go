package gp

import (
	"slices"
	"testing"
)

// The leading points are those that a model chooses which is conditioned on its own
// prediction after every choice.
func TestLeading(t *testing.T) {
	x, y := sample(21, 12, 3)
	q, _ := sample(22, 15, 3)
	m, _ := mustFit(t, newARD(3, true, false), x, y, Options{Seed: 1})
	score := func(mean, variance float64) float64 { return variance - 0.1*mean }
	var want []int
	for c := m; len(want) < 6; {
		mean, variance := make([]float64, q.Len()), make([]float64, q.Len())
		c.Standard().PredictBatch(mean, variance, q)
		best := -1
		for i := range mean {
			if !slices.Contains(want, i) && (best < 0 || score(mean[i], variance[i]) > score(mean[best], variance[best])) {
				best = i
			}
		}
		want = append(want, best)
		at, value := q.Select([]int{best}), make([]float64, 1)
		c.Predictor().Means(value, at)
		var err error
		if c, err = c.Condition(at, value); err != nil {
			t.Fatal(err)
		}
	}
	if got := m.Leading(q, 6, score); !slices.Equal(got, want) {
		t.Errorf("leading: %v, one after the other: %v", got, want)
	}
	if got := m.Leading(q, 15, score); len(got) != 15 {
		t.Errorf("%d of 15 points lead", len(got))
	}
}
