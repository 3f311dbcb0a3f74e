package acq

import (
	"math"
	"testing"

	"bohier/internal/points"
)

// TestDistinct: points that differ in inactive values only are one, and those that differ in
// an active value or in what is active are not.
func TestDistinct(t *testing.T) {
	q := points.New(5, 2)
	for i, p := range []struct {
		x, y   float64
		active bool
	}{{0.1, 0.5, true}, {0.1, 0.7, false}, {0.1, 0.9, false}, {0.2, 0.5, true}, {0.1, 0.5, true}} {
		q.Set(0, i, p.x, true)
		q.Set(1, i, p.y, p.active)
	}
	d := distinct(q)
	if d.Len() != 3 || d.At(0, 0) != 0.1 || d.Active(1, 1) || d.At(0, 2) != 0.2 {
		t.Errorf("%d points", d.Len())
	}
	for _, c := range []struct {
		i, j int
		same bool
	}{{0, 1, false}, {1, 2, true}, {0, 3, true}} {
		if samePattern(q, c.i, c.j) != c.same {
			t.Errorf("points %d and %d: %v", c.i, c.j, !c.same)
		}
	}
}

// TestNoScalarisation: what NewChebyshev says that it refuses.
func TestNoScalarisation(t *testing.T) {
	one := []float64{1, 1}
	for _, c := range [][4][]float64{
		{{math.NaN(), 1}, one, one, {0}}, {{math.Inf(1), 1}, one, one, {0}}, {{-1, 1}, one, one, {0}},
		{{0, 0}, one, one, {0}},
		{one, {math.NaN(), 0}, one, {0}}, {one, one, {0, 1}, {0}}, {one, one, {math.Inf(1), 1}, {0}},
		{one, one, one, {math.Inf(-1)}},
	} {
		if _, err := NewChebyshev(c[0], c[1], c[2], c[3][0]); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
	if _, err := NewChebyshev(one, one, one, 0); err != nil {
		t.Error(err)
	}
}
