package space

import (
	"math/rand/v2"
	"slices"

	"bohier/internal/points"
	"bohier/internal/polytope"
)

// Middle is the configuration with the choices of c, and the numbers that conditions mention, whose other numbers are
// nearest to the middle of their ranges: the middle is projected on the constraints that are linear there, and its
// numbers are taken one by one as far as all constraints allow. It is c where they allow none.
func (s *Space) Middle(c Configuration) Configuration {
	n := len(s.coords)
	near, q := slices.Repeat([]float64{0.5}, n), points.New(1, n)
	s.Encode(q, 0, c)
	mentioned := slices.Concat(s.depend.Parents...)
	var numbers []int // coordinates
	for co, p := range s.coords {
		if c.Active[p] && s.params[p].IsNumber() && !slices.Contains(mentioned, p) {
			numbers = append(numbers, co)
			q.Set(co, 0, s.encode(p, s.NumberAt(p, 0.5)), true)
		}
	}
	if rows := NewDomain(s, nil).Rows(q, 0); len(rows) > 0 {
		set := &polytope.Set{Lo: make([]float64, n), Hi: slices.Repeat([]float64{1}, n), Rows: rows}
		if x, ok := set.Nearest(near); ok {
			near = x
		}
	}
	choices, wished := c.Assignment(), Assignment{}
	for _, co := range numbers {
		p := s.coords[co]
		delete(choices, p)
		wished[p] = s.NumberAt(p, near[co])
	}
	if m, err := s.Complete(s.Fill(choices, wished), rand.New(rand.NewPCG(0, 0))); err == nil {
		return m
	}
	return c
}
