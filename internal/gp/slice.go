package gp

import "math"

// slice draws by univariate slice sampling with stepping out and shrinkage (Neal 2003,
// Ann. Statist. 31), one coordinate after the other.
type slice struct{ *chain }

func newSlice(c *chain) *slice {
	s := &slice{c}
	s.at = s.density()
	return s
}

// density is the log posterior at x.
func (c *chain) density() float64 {
	if !c.st.e.evaluate(c.st.at(c.x), false) {
		return math.Inf(-1)
	}
	return c.st.e.posterior
}

func (s *slice) sweep() {
	for j := range s.x {
		s.step(j)
	}
}

// step draws coordinate j.
func (s *slice) step(j int) {
	const width, stretches = 1.0, 8
	x0 := s.x[j]
	level := s.at - s.rng.ExpFloat64()
	value := func(v float64) float64 {
		if v < s.st.lo[j] || v > s.st.hi[j] {
			return math.Inf(-1)
		}
		s.x[j] = v
		return s.density()
	}
	lo := x0 - width*s.rng.Float64()
	hi := lo + width
	left := s.rng.IntN(stretches)
	for k := left; k > 0 && value(lo) > level; k-- {
		lo -= width
	}
	for k := stretches - 1 - left; k > 0 && value(hi) > level; k-- {
		hi += width
	}
	for range 100 {
		v := lo + (hi-lo)*s.rng.Float64()
		if f := value(v); f > level {
			s.at = f
			return
		}
		if v < x0 {
			lo = v
		} else {
			hi = v
		}
	}
	s.x[j] = x0
}
