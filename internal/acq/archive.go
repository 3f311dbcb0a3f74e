package acq

import (
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// Separation is the distance (largest difference of a unit coordinate) up to which points
// with the same choices count as one; of such a group a search keeps the best.
const Separation = 1e-3

// An archive keeps the best distinct points seen, best first.
type archive struct {
	entries []Candidate
	size    int
	layout  *layout
}

// found are the archives of points that may be suggested, and of points to avoid.
type found struct{ best, tried *archive }

func (s *search) newFound() found {
	n := s.o.Keep + 4
	return found{&archive{size: n, layout: s.layout}, &archive{size: s.o.Keep, layout: s.layout}}
}

// wants reports whether a score would enter.
func (a *archive) wants(score float64) bool {
	return len(a.entries) < a.size || better(score, a.entries[len(a.entries)-1].Score)
}

// add keeps e if it is good enough; of points that are not separate it keeps the
// better one, or the earlier of equals.
func (a *archive) add(e Candidate) {
	if !a.wants(e.Score) {
		return
	}
	for _, old := range a.entries {
		if !better(e.Score, old.Score) && a.near(e.Point, old.Point) {
			return
		}
	}
	a.entries = slices.DeleteFunc(a.entries, func(old Candidate) bool { return a.near(e.Point, old.Point) })
	at, _ := slices.BinarySearchFunc(a.entries, e.Score, func(x Candidate, score float64) int {
		if better(score, x.Score) {
			return 1
		}
		return -1
	})
	a.entries = slices.Insert(a.entries, at, e)
	a.entries = a.entries[:min(len(a.entries), a.size)]
}

func (a *archive) near(x, y *points.Set) bool { return a.layout.within(Separation, x, 0, y, 0) }

// record offers point i of q to archives: the search's own, or those of a climb
// that will be merged into them. Points to avoid count only while there are no
// others.
func (s *search) record(in found, q *points.Set, i int, score float64, source string) {
	if !s.wanted(in, score) {
		return
	}
	to := in.best
	if s.o.Avoid != nil && s.o.Avoid(q, i) {
		to = in.tried
	}
	to.add(Candidate{Point: q.Slice(i, i+1), Score: score, Tried: to == in.tried, Source: source})
}

// wanted reports whether a point of that score would enter an archive.
func (s *search) wanted(in found, score float64) bool {
	fresh := in.best.wants(score) && s.best.wants(score)
	spent := len(s.best.entries) == 0 && in.tried.wants(score)
	return fresh || spent
}

// distinct drops repeated points of q, keeping the first of each.
func distinct(q *points.Set) *points.Set {
	seen, key := make(map[string]bool, q.Len()), []byte(nil)
	keep := lists.Where(q.Len(), func(i int) bool {
		key = q.AppendKey(key[:0], i)
		again := seen[string(key)]
		seen[string(key)] = true
		return !again
	})
	if len(keep) == q.Len() {
		return q
	}
	return q.Select(keep)
}

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
