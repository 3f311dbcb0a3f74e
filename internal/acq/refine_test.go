package acq_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/acq"
	"bohier/internal/points"
)

// A climb treats an integer as continuous once, and again only after a move between choices:
// each time would end where the first did.
func TestRoundedOnce(t *testing.T) {
	d := &toy{params: []toyParam{choice(2, -1, 0), number(-1, 0), integer(4, -1, 0)}}
	// The second choice is worse at the start and gains as much for each unit of the number.
	for gain, want := range map[float64][3]bool{0: {true, false, false}, 0.1: {true, true, false}} {
		round, continuous := 0, [3]bool{}
		f := field{toy: d, value: func(q *points.Set, i int) float64 {
			if v := q.At(2, i) * 4; math.Abs(v-math.Round(v)) > 1e-3 {
				continuous[round] = true
			}
			x, n := q.At(1, i)-0.7, q.At(2, i)-0.6
			return -x*x - n*n - x*n + q.At(0, i)*(gain*q.At(1, i)-0.01)
		}}
		at, score := acq.Climb(f.fork, d, acq.Options{Rand: rand.New(rand.NewPCG(1, 2))}, points.New(1, 3), 3,
			func(k int) { round = k })
		if continuous != want {
			t.Errorf("gain %v: the integer was continuous in rounds %v, want %v", gain, continuous, want)
		}
		if x := 0.75 + gain/2; at.At(2, 0) != 0.5 || math.Abs(at.At(1, 0)-x) > 1e-3 {
			t.Errorf("gain %v: ended at %v, %v with %v", gain, at.At(1, 0), at.At(2, 0), score)
		}
	}
}

// Where rounding leads to something worse or to something invalid, the numbers that are not
// rounded are at their best for the integer that stays.
func TestNumbersBesideIntegers(t *testing.T) {
	steep := func(n float64) float64 { return (n - 1.55) * (n - 1.55) * (1 + 3*max(0, n-1.55)) } // 1 is best, 1.55 rounds to 2
	far := func(n float64) float64 { return (n - 2.6) * (n - 2.6) }
	for name, c := range map[string]struct {
		cost  func(n float64) float64
		valid func(q *points.Set, i int) bool
	}{
		"worse":   {steep, nil},
		"invalid": {far, func(q *points.Set, i int) bool { return q.At(1, i) < 0.3 }},
	} {
		d := &toy{params: []toyParam{number(-1, 0), integer(4, -1, 0)}, valid: c.valid}
		f := field{toy: d, value: func(q *points.Set, i int) float64 {
			x := q.At(0, i) - 0.7
			return -x*x - c.cost(q.At(1, i)*4)
		}}
		for x := 0.02; x < 1; x += 0.04 {
			from := points.New(1, 2)
			from.Set(0, 0, x, true)
			from.Set(1, 0, 0.25, true)
			at, _ := acq.Climb(f.fork, d, acq.Options{Rand: rand.New(rand.NewPCG(1, 2))}, from, 10, func(int) {})
			if math.Abs(at.At(0, 0)-0.7) > 1e-3 || at.At(1, 0) != 0.25 {
				t.Errorf("%s: from %.2f the climb ends at %.4f, %v, want 0.7, 0.25", name, x, at.At(0, 0), at.At(1, 0))
			}
		}
	}
}

// A climb that begins where the numbers are at their best already, and so gains nothing in the
// first round, still tries other choices in the second.
func TestSecondRoundTriesChoices(t *testing.T) {
	d := &toy{params: []toyParam{choice(2, -1, 0), number(-1, 0)}}
	f := field{toy: d, value: func(q *points.Set, i int) float64 {
		x := q.At(1, i) - 0.5
		return -1 + q.At(0, i)/2 - x*x
	}}
	from := points.New(1, 2)
	from.Set(0, 0, 0, true)
	from.Set(1, 0, 0.5, true)
	if at, score := acq.Halve(f.fork, d, acq.Options{Rand: rand.New(rand.NewPCG(1, 2))}, from); at.At(0, 0) != 1 ||
		score != -0.5 {
		t.Errorf("ended at choice %v with %v", at.At(0, 0), score)
	}
}
