package space

import (
	"math/big"
	"testing"
)

// Every place has the value nearest to its decimal number, and that value is suggested as it is, next to an end and in
// the middle.
func TestGridPlaces(t *testing.T) {
	for _, p := range []Parameter{
		{Low: 1e-274, High: 1.0000000000000011e-274},
		{Low: 1.0 / 3, High: 2.0 / 3},
		{Low: 1e-12, High: 1e-8, Scale: Log},
		{Low: -1e8, High: 1e8 / 3},
		{Low: 1e-9, High: 0.999999, Scale: Logit},
		{Low: 1e-9, High: 0.999999, Scale: Logit, Precision: 12},
		{Low: 1e-9, High: 1, Scale: ReverseLog},
		{Low: 0.1, High: 0.9, Step: 0.1},
	} {
		p.Name, p.Kind = "x", Float
		s, err := New([]Parameter{p}, nil, nil)
		must(t, err)
		g := s.newGrid(0)
		base, quantum := g.exact()
		for k := range int64(1001) {
			place := min(g.lo+((g.hi-g.lo)/1000|1)*k, g.hi) // an odd stride: all last digits
			if k == 1000 {
				place = g.hi
			}
			exact := new(big.Rat).Add(base, new(big.Rat).Mul(quantum, big.NewRat(place, 1)))
			want, _ := exact.Float64()
			if v := g.value(place); v != want {
				t.Errorf("%v to %v: place %d is %v, want %v", p.Low, p.High, place, v, want)
				break
			} else if s.Round(0, v) != v || s.decode(0, s.encode(0, v)) != v {
				t.Errorf("%v to %v: place %d is %v, which is suggested as %v", p.Low, p.High, place, v, s.Round(0, v))
				break
			}
		}
	}
}
