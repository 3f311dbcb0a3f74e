package points

import "slices"

// Set is n encoded points of d coordinates, coordinate-major.
type Set struct {
	n      int
	cols   [][]float64
	active [][]bool
}

// New returns n points of d coordinates, all zero and active.
func New(n, d int) *Set {
	s := &Set{n: n, cols: make([][]float64, d), active: make([][]bool, d)}
	flat := make([]float64, n*d)
	for c := range s.cols {
		s.cols[c] = flat[c*n : (c+1)*n : (c+1)*n]
	}
	return s
}

// Len is the number of points.
func (s *Set) Len() int { return s.n }

// Dim is the number of coordinates.
func (s *Set) Dim() int { return len(s.cols) }

// Col is coordinate c of every point; writing to it changes the set.
func (s *Set) Col(c int) []float64 { return s.cols[c] }

// Activity tells for every point whether coordinate c is active; nil means
// always. Writing to it changes the set.
func (s *Set) Activity(c int) []bool { return s.active[c] }

// MakeActivity gives coordinate c a mask of its own, all true, unless it has
// one, and returns it.
func (s *Set) MakeActivity(c int) []bool {
	if s.active[c] == nil {
		s.active[c] = make([]bool, s.n)
		for i := range s.active[c] {
			s.active[c][i] = true
		}
	}
	return s.active[c]
}

// At is coordinate c of point i.
func (s *Set) At(c, i int) float64 { return s.cols[c][i] }

// Active reports whether coordinate c of point i is active.
func (s *Set) Active(c, i int) bool { return s.active[c] == nil || s.active[c][i] }

// Set writes coordinate c of point i. Marking a coordinate inactive creates its
// mask where there is none.
func (s *Set) Set(c, i int, v float64, active bool) {
	s.cols[c][i] = v
	if s.active[c] == nil {
		if active {
			return
		}
		s.MakeActivity(c)
	}
	s.active[c][i] = active
}

// Copy overwrites point i with point j of src, activity included.
func (s *Set) Copy(i int, src *Set, j int) {
	s.mustMatch(src)
	for c := range s.cols {
		s.Set(c, i, src.cols[c][j], src.Active(c, j))
	}
}

// Select returns the points with the given indices, in that order, as a new set.
func (s *Set) Select(idx []int) *Set {
	out := New(len(idx), len(s.cols))
	for k, i := range idx {
		out.Copy(k, s, i)
	}
	return out
}

// Clone is an independent copy.
func (s *Set) Clone() *Set { return s.Slice(0, s.n) }

// Slice copies points lo ≤ i < hi into a new set.
func (s *Set) Slice(lo, hi int) *Set {
	out := New(hi-lo, len(s.cols))
	for c := range s.cols {
		copy(out.cols[c], s.cols[c][lo:hi])
		if s.active[c] != nil {
			out.active[c] = append([]bool(nil), s.active[c][lo:hi]...)
		}
	}
	return out
}

// Concat joins sets of the same dimension into a new one. At least one set is
// needed.
func Concat(sets ...*Set) *Set {
	n := 0
	for _, s := range sets {
		sets[0].mustMatch(s)
		n += s.n
	}
	out := New(n, len(sets[0].cols))
	for c := range out.cols {
		at := 0
		for _, s := range sets {
			copy(out.cols[c][at:], s.cols[c])
			if s.active[c] != nil {
				copy(out.MakeActivity(c)[at:], s.active[c])
			}
			at += s.n
		}
	}
	return out
}

// Extend returns the points with one more coordinate, v and active in all of
// them. The other coordinates are shared with s.
func (s *Set) Extend(v float64) *Set {
	out := &Set{n: s.n, cols: slices.Clone(s.cols), active: slices.Clone(s.active)}
	col := make([]float64, s.n)
	for i := range col {
		col[i] = v
	}
	out.cols, out.active = append(out.cols, col), append(out.active, nil)
	return out
}

// Equal reports whether point i of s and point j of t are the same configuration:
// the same activity and the same values wherever both are active.
func (s *Set) Equal(i int, t *Set, j int) bool {
	s.mustMatch(t)
	for c := range s.cols {
		a, b := s.Active(c, i), t.Active(c, j)
		if a != b || a && s.cols[c][i] != t.cols[c][j] {
			return false
		}
	}
	return true
}

func (s *Set) mustMatch(t *Set) {
	if len(s.cols) != len(t.cols) {
		panic("points: sets of different dimension")
	}
}
