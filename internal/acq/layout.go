package acq

import (
	"math"

	"bohier/internal/points"
)

// A layout is what a search learns about the coordinates from sampled points.
type layout struct {
	numeric []bool // listed by Smooth: a unit coordinate; otherwise a value index
	levels  []int  // value indices seen: 0…levels−1; 0 for a numeric coordinate
}

// learn returns the layout of the points of d. A choice never seen active has one
// level.
func learn(d Domain, q *points.Set) *layout {
	s := &layout{make([]bool, q.Dim()), make([]int, q.Dim())}
	for i := range q.Len() {
		for _, c := range d.Smooth(q, i) {
			s.numeric[c] = true
		}
	}
	for c := range s.levels {
		if s.numeric[c] {
			continue
		}
		s.levels[c] = 1
		for i, v := range q.Col(c) {
			if q.Active(c, i) {
				s.levels[c] = max(s.levels[c], int(v)+1)
			}
		}
	}
	return s
}

// within reports whether point i of x and point j of y have the same choices and activity, and
// no unit coordinates that differ by more than gap.
func (s *layout) within(gap float64, x *points.Set, i int, y *points.Set, j int) bool {
	for c, numeric := range s.numeric {
		u, v := x.At(c, i), y.At(c, j)
		on := x.Active(c, i)
		if on != y.Active(c, j) || on && u != v && !(numeric && math.Abs(u-v) <= gap) {
			return false
		}
	}
	return true
}
