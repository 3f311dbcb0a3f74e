package points

import (
	"encoding/binary"
	"math"
	"slices"
)

// Set is n encoded points of d coordinates, coordinate-major. Three pieces of memory
// without pointers hold it, for there are many small sets of many coordinates.
type Set struct {
	n, d   int
	values []float64
	active []bool // like values; nil: no coordinate has a mask
	masked []bool // by coordinate, whether active counts; nil like active
}

// New returns n points of d coordinates, all zero and active.
func New(n, d int) *Set { return &Set{n: n, d: d, values: make([]float64, n*d)} }

// column is the part of coordinate c in a list of n values for each coordinate.
func column[V any](s *Set, list []V, c int) []V { return list[c*s.n : (c+1)*s.n : (c+1)*s.n] }

// Len is the number of points.
func (s *Set) Len() int { return s.n }

// Dim is the number of coordinates.
func (s *Set) Dim() int { return s.d }

// Col is coordinate c of every point; writing to it changes the set.
func (s *Set) Col(c int) []float64 { return column(s, s.values, c) }

// Activity marks the points in which coordinate c is active; nil means always. Writing to it changes the set.
func (s *Set) Activity(c int) []bool {
	if s.masked == nil || !s.masked[c] {
		return nil
	}
	return column(s, s.active, c)
}

// MakeActivity gives coordinate c a mask of its own, all true, unless it has one, and returns it.
func (s *Set) MakeActivity(c int) []bool {
	if s.masked == nil {
		s.masked, s.active = make([]bool, s.d), make([]bool, s.n*s.d)
	}
	mask := column(s, s.active, c)
	if !s.masked[c] {
		s.masked[c] = true
		for i := range mask {
			mask[i] = true
		}
	}
	return mask
}

// At is coordinate c of point i.
func (s *Set) At(c, i int) float64 { return s.values[c*s.n+i] }

// Active reports whether coordinate c of point i is active.
func (s *Set) Active(c, i int) bool { return s.masked == nil || !s.masked[c] || s.active[c*s.n+i] }

// Gather sets dst to some coordinates of point i, +∞ for an inactive one.
func (s *Set) Gather(dst []float64, coords []int, i int) {
	for k, c := range coords {
		if dst[k] = s.values[c*s.n+i]; !s.Active(c, i) {
			dst[k] = math.Inf(1)
		}
	}
}

// Set writes coordinate c of point i. Marking a coordinate inactive creates its mask where there is none.
func (s *Set) Set(c, i int, v float64, active bool) {
	s.values[c*s.n+i] = v
	if s.masked == nil || !s.masked[c] {
		if active {
			return
		}
		s.MakeActivity(c)
	}
	s.active[c*s.n+i] = active
}

// Copy overwrites point i with point j of src, activity included.
func (s *Set) Copy(i int, src *Set, j int) {
	s.mustMatch(src)
	for c := range s.d {
		s.Set(c, i, src.At(c, j), src.Active(c, j))
	}
}

// Select returns the points with the given indices, in that order, as a new set.
func (s *Set) Select(idx []int) *Set {
	out := New(len(idx), s.d)
	for k, i := range idx {
		out.Copy(k, s, i)
	}
	return out
}

// Clone is an independent copy.
func (s *Set) Clone() *Set { return s.Slice(0, s.n) }

// Slice copies points lo ≤ i < hi into a new set.
func (s *Set) Slice(lo, hi int) *Set {
	out := New(hi-lo, s.d)
	if s.masked != nil {
		out.masked, out.active = slices.Clone(s.masked), make([]bool, (hi-lo)*s.d)
	}
	for c := range s.d {
		copy(out.Col(c), s.Col(c)[lo:hi])
		if mask := s.Activity(c); mask != nil {
			copy(out.Activity(c), mask[lo:hi])
		}
	}
	return out
}

// Concat joins sets of the same dimension into a new one. At least one set is needed.
func Concat(sets ...*Set) *Set {
	n := 0
	for _, s := range sets {
		sets[0].mustMatch(s)
		n += s.n
	}
	out := New(n, sets[0].d)
	for c := range out.d {
		at := 0
		for _, s := range sets {
			copy(out.Col(c)[at:], s.Col(c))
			if mask := s.Activity(c); mask != nil {
				copy(out.MakeActivity(c)[at:], mask)
			}
			at += s.n
		}
	}
	return out
}

// Extend returns a copy of the points with one more coordinate, v and active in all of them.
func (s *Set) Extend(v float64) *Set {
	out := &Set{n: s.n, d: s.d + 1, values: slices.Concat(s.values, slices.Repeat([]float64{v}, s.n))}
	if s.masked != nil {
		out.masked, out.active = append(slices.Clone(s.masked), false), append(slices.Clone(s.active), make([]bool, s.n)...)
	}
	return out
}

// Equal reports whether point i of s and point j of t are the same configuration:
// the same activity and the same values wherever both are active.
func (s *Set) Equal(i int, t *Set, j int) bool {
	s.mustMatch(t)
	for c := range s.d {
		a, b := s.Active(c, i), t.Active(c, j)
		if a != b || a && s.At(c, i) != t.At(c, j) {
			return false
		}
	}
	return true
}

// AppendKey appends a text to b that points i of sets have in common just where they are Equal; none is NaN.
func (s *Set) AppendKey(b []byte, i int) []byte {
	for c := range s.d {
		if !s.Active(c, i) {
			b = append(b, 0)
			continue
		}
		b = binary.LittleEndian.AppendUint64(append(b, 1), math.Float64bits(s.At(c, i)+0)) // −0 + 0 = 0
	}
	return b
}

func (s *Set) mustMatch(t *Set) {
	if s.d != t.d {
		panic("points: sets of different dimension")
	}
}
