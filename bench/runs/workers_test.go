package runs

import (
	"slices"
	"testing"

	"bohier/bench/problems"
)

// Trials end in the order of their own times, which are half a minute to one and a half.
func TestQueue(t *testing.T) {
	var q queue
	for k := 1; k <= 50; k++ {
		q.add(ending{number: k}, 3)
	}
	now, order := 0.0, []int{}
	for len(q) > 0 {
		e := q.next()
		if now += e.left; now < 30 || now > 90 || e.left < 0 {
			t.Fatalf("trial %d ends at %g s, %g s after the one before", e.number, now, e.left)
		}
		order = append(order, e.number)
	}
	if len(order) != 50 || slices.IsSorted(order) {
		t.Errorf("the order of the ends: %v", order)
	}
}

// Several at once are told as many results as one at a time, in another order.
func TestSeveralAtOnce(t *testing.T) {
	p, err := problems.Get("bowl")
	if err != nil {
		t.Fatal(err)
	}
	var traces [][]float64
	for _, o := range []Options{{Workers: 1}, {Workers: 5}} {
		o.Seed, o.Evaluations = 2, 12
		r, err := Optimize(t.Context(), p, o)
		if err != nil || len(r.Best) != o.Evaluations {
			t.Fatalf("%+v: %+v, %v", o, r, err)
		}
		traces = append(traces, r.Best)
	}
	if slices.Equal(traces[0], traces[1]) {
		t.Errorf("one at a time, five at once: %v", traces)
	}
}
