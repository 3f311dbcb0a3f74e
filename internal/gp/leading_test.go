package gp

import (
	"slices"
	"testing"

	"bohier/internal/points"
)

// The leading points are those that a model chooses which is conditioned on its own prediction after every choice.
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
		c.Predict(value, make([]float64, len(value)), at)
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

// What a model keeps of the points it was asked for last changes no bit of what it says of
// others, and spares the work for those that both begin with.
func TestLeadingAgain(t *testing.T) {
	x, y := sample(21, 30, 3)
	q, _ := sample(22, 24, 3)
	other, _ := sample(23, 24, 3)
	score := func(mean, variance float64) float64 { return variance - 0.1*mean }
	for _, mean := range []string{"constant", "linear"} {
		m, _ := mustFit(t, newARD(3, true, false), x, y, Options{Seed: 1, Mean: mean, Linear: []float64{1, 1, 1}})
		for _, asked := range []*points.Set{q.Slice(0, 20), q, q.Slice(0, 7),
			points.Concat(q.Slice(0, 5), other.Slice(5, 24)), other, q} {
			m.Leading(asked, 4, score)
			got, want := m.latest.Load(), m.latent(asked, nil)
			if !slices.Equal(got.mean, want.mean) || !slices.Equal(got.rows.Data, want.rows.Data) {
				t.Errorf("%s: other predictions of %d points than without what was kept", mean, asked.Len())
			}
		}
		m.latest.Load().mean[0] = 1e9
		m.Leading(q, 4, score)
		if m.latest.Load().mean[0] != 1e9 {
			t.Errorf("%s: what was known was worked out again", mean)
		}
	}
}

// A spectrum flip takes sums in an order that depends on how many points are solved at once: nothing is kept of it.
func TestLeadingFlipped(t *testing.T) {
	k, x, y, values := indefiniteIco(t, 21, 180)
	_, q, _, _ := indefiniteIco(t, 22, 200)
	m, _ := mustFit(t, k, x, y, Options{Params: fixed(Params(k, y), values...)})
	if m.flip == nil {
		t.Fatal("no flip")
	}
	for _, asked := range []*points.Set{q.Slice(0, 190), q} {
		got, want := m.cachedLatent(asked), m.latent(asked, nil)
		if !slices.Equal(got.rows.Data, want.rows.Data) {
			t.Errorf("other predictions of %d points than without what was kept", asked.Len())
		}
	}
}
