package space

import "testing"

// Every place next to an end has a value that is suggested as it is.
func TestGridEnds(t *testing.T) {
	for _, p := range []Parameter{
		{Low: 1e-274, High: 1.0000000000000011e-274},
		{Low: 1.0 / 3, High: 2.0 / 3},
		{Low: 1e-12, High: 1e-8, Scale: Log},
		{Low: -1e8, High: 1e8 / 3},
	} {
		p.Name, p.Kind = "x", Float
		s, err := New([]Parameter{p}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		g := s.newGrid(0)
		for _, place := range []int64{g.lo, g.hi} {
			if v := g.value(place); s.Round(0, v) != v {
				t.Errorf("%v to %v: place %d is %v, which is suggested as %v", p.Low, p.High, place, v, s.Round(0, v))
			}
		}
	}
}
