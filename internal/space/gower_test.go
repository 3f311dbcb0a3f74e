package space

import (
	"math"
	"testing"
)

// TestGower compares distances with those by hand: a difference of unit coordinates, of
// places in an order, 1 for another category and 1 for a parameter that one of two has.
func TestGower(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "x", High: 4},
		{Name: "k", Kind: Categorical, Values: []string{"a", "b", "c"}},
		{Name: "o", Kind: Ordinal, Values: []string{"s", "m", "l"}, Positions: []float64{0, 1, 4}},
		{Name: "y", High: 1, Condition: Compare{Eq, Ref{1}, Const(0)}},
	}, nil, nil)
	must(t, err)
	at := func(v ...float64) Configuration {
		c := NewConfiguration(4)
		copy(c.Value, v)
		s.Activate(&c)
		return c
	}
	g := NewGower(s)
	for _, c := range []struct {
		a, b    Configuration
		squared float64
	}{
		{at(1, 0, 0, 0.5), at(1, 0, 0, 0.5), 0},
		{at(1, 1, 0), at(3, 1, 0), 0.25},
		{at(1, 2, 0), at(1, 2, 0), 0},
		{at(1, 1, 0), at(1, 2, 0), 1},
		{at(1, 1, 0), at(1, 1, 1), 1.0 / 16},
		{at(1, 0, 0, 0.5), at(1, 0, 0, 0.75), 1.0 / 16},
		{at(1, 0, 0, 0.75), at(1, 2, 0), 2}, // whatever y is
	} {
		q := s.EncodeAll([]Configuration{c.a, c.b})
		want := math.Sqrt(c.squared)
		for i := range 2 {
			if d := g.Distance(q, i, q, 1-i); !(math.Abs(d-want) < 1e-12) {
				t.Errorf("%v to %v: %v, not %v", c.a, c.b, d, want)
			}
			if g.Within(q, i, q, 1-i, want-0.01) || !g.Within(q, i, q, 1-i, want+0.01) {
				t.Errorf("%v to %v: not at %v", c.a, c.b, want)
			}
		}
	}
}
