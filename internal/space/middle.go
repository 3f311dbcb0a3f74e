package space

import (
	"math/rand/v2"
	"slices"
)

// Middle is the configuration with the choices of c, and the numbers that conditions mention, whose other numbers are
// in their middle: of the range, or, where constraints mention them, the mean of all that the constraints allow. They
// are taken one by one as far as constraints allow. It is c where these allow none.
func (s *Space) Middle(c Configuration) Configuration {
	choices, wished := c.Assignment(), Assignment{}
	mentioned := s.Mentioned()
	for i := range s.params {
		if c.Active[i] && s.params[i].IsNumber() && !mentioned[i] {
			delete(choices, i)
			wished[i] = s.NumberAt(i, s.centre()[i])
		}
	}
	if m, err := s.Complete(s.Fill(choices, wished), rand.New(rand.NewPCG(0, 0))); err == nil {
		return m
	}
	return c
}

// centreDraws are the configurations whose mean is the centre: they miss it by a thirtieth of a range.
const centreDraws = 64

// newCentre is the middle of every number in unit coordinates.
func (s *Space) newCentre() []float64 {
	sum, seen := make([]float64, len(s.params)), make([]float64, len(s.params))
	var drawn []Configuration
	if len(s.constraints) > 0 {
		drawn, _ = s.Sample(rand.New(rand.NewPCG(0, 0)), centreDraws)
	}
	for _, c := range drawn {
		for i := range s.params {
			if s.params[i].IsNumber() && s.needed[i] && c.Active[i] {
				sum[i] += s.codecs[i].unit(c.Value[i])
				seen[i]++
			}
		}
	}
	centre := slices.Repeat([]float64{0.5}, len(s.params))
	for i, n := range seen {
		if n > 0 {
			centre[i] = sum[i] / n
		}
	}
	return centre
}
