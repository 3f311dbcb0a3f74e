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

// An archive keeps the best distinct points seen: points to suggest, best first, then
// points to avoid, which count only while there are no others.
type archive struct {
	entries []Candidate
	size    int
	layout  *layout
}

func (s *search) newArchive() *archive { return &archive{size: s.o.Keep + 4, layout: s.layout} }

// before reports whether a candidate comes before another one in an archive.
func (e Candidate) before(o Candidate) bool {
	return o.Tried && !e.Tried || e.Tried == o.Tried && better(e.Score, o.Score)
}

// wants reports whether a candidate would enter.
func (a *archive) wants(e Candidate) bool {
	return len(a.entries) < a.size || e.before(a.entries[len(a.entries)-1])
}

// fresh reports whether there is a candidate that may be suggested.
func (a *archive) fresh() bool { return len(a.entries) > 0 && !a.entries[0].Tried }

// add keeps e if it is good enough; of points that are not separate it keeps the better one, or the earlier of equals.
func (a *archive) add(e Candidate) {
	if !a.wants(e) {
		return
	}
	for _, old := range a.entries {
		if !e.before(old) && a.near(e.Point, old.Point) {
			return
		}
	}
	a.entries = slices.DeleteFunc(a.entries, func(old Candidate) bool { return a.near(e.Point, old.Point) })
	at := slices.IndexFunc(a.entries, e.before)
	if at < 0 {
		at = len(a.entries)
	}
	a.entries = slices.Insert(a.entries, at, e)
	a.entries = a.entries[:min(len(a.entries), a.size)]
}

func (a *archive) near(x, y *points.Set) bool { return a.layout.within(Separation, x, 0, y, 0) }

// record offers point i of q to an archive: the search's own, or that of a climb that will be merged into it.
func (s *search) record(in *archive, q *points.Set, i int, score float64, source string) {
	if s.wanted(in, score) {
		in.add(Candidate{q.Slice(i, i+1), score, s.o.Avoid != nil && s.o.Avoid(q, i), source})
	}
}

// wanted reports whether a point of that score, unless it is to be avoided, would enter an archive.
func (s *search) wanted(in *archive, score float64) bool {
	e := Candidate{Score: score}
	return in.wants(e) && s.best.wants(e)
}

// distinct drops repeated points of q, keeping the first of each.
func distinct(q *points.Set) *points.Set {
	return q.Select(lists.Distinct(lists.Every(q.Len()), func(i int) string { return string(q.AppendKey(nil, i)) }))
}

// A layout describes the coordinates as a search learnt them from sampled points.
type layout struct {
	numeric []bool // listed by Smooth: a unit coordinate; otherwise a value index
	levels  []int  // value indices seen: 0…levels−1; 0 for a numeric coordinate
}

// learn returns the layout of the points of d. A choice never seen active has one level.
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
