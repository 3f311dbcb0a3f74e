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

// distance returns the number of choices in which two points differ, counting
// only parameters active in both, and 1 more if their activity differs; and the
// largest difference of a unit coordinate active in both.
func (s *layout) distance(x *points.Set, i int, y *points.Set, j int) (apart int, gap float64) {
	pattern := false
	for c := range s.numeric {
		a, b := x.Active(c, i), y.Active(c, j)
		switch {
		case a != b:
			pattern = true
		case !a:
		case s.numeric[c]:
			gap = math.Max(gap, math.Abs(x.At(c, i)-y.At(c, j)))
		case x.At(c, i) != y.At(c, j):
			apart++
		}
	}
	if pattern && apart == 0 {
		apart = 1 // activity decided by a number
	}
	return apart, gap
}

// within reports whether two points have the same choices and activity, and no unit
// coordinates that differ by more than gap.
func (s *layout) within(gap float64, x, y *points.Set) bool {
	for c, numeric := range s.numeric {
		a, b := x.Active(c, 0), y.Active(c, 0)
		if a != b || a && (x.At(c, 0) != y.At(c, 0) && !(numeric && math.Abs(x.At(c, 0)-y.At(c, 0)) <= gap)) {
			return false
		}
	}
	return true
}
