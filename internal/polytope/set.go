package polytope

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/boxopt"
)

// A Set is the points of a box that satisfy every row.
type Set struct {
	Lo, Hi []float64 // Lo ≤ x ≤ Hi; both of the same length n
	Rows   []Row
}

// A Row is the constraint Coef·x ≤ Bound, or Coef·x = Bound.
type Row struct {
	Coef  []float64 // n numbers
	Bound float64
	Equal bool
}

// Nearest returns the point of the set with the least Euclidean distance from x, which
// is not changed; ok is false where the set is empty.
func (s *Set) Nearest(x []float64) (y []float64, ok bool) {
	n := len(x)
	root, slope := make([]float64, n*n), make([]float64, n)
	for i := range x {
		root[i*n+i], slope[i] = 1, -x[i]
	}
	return s.quadratic(root, slope)
}

// count is the number of constraints: the rows, then two bounds of each coordinate.
func (s *Set) count() int { return len(s.Rows) + 2*len(s.Lo) }

// excess is how far x is beyond constraint k, in the units of its normal: above 0 it
// is violated. An equality is violated on either side.
func (s *Set) excess(k int, x []float64) float64 {
	if k < len(s.Rows) {
		r := &s.Rows[k]
		return boxopt.Dot(r.Coef, x) - r.Bound
	}
	i := (k - len(s.Rows)) / 2
	if (k-len(s.Rows))%2 == 0 {
		return s.Lo[i] - x[i]
	}
	return x[i] - s.Hi[i]
}

// equal reports whether constraint k is an equality.
func (s *Set) equal(k int) bool { return k < len(s.Rows) && s.Rows[k].Equal }

// length is the Euclidean norm of the normal of constraint k.
func (s *Set) length(k int) float64 {
	if k < len(s.Rows) {
		return math.Sqrt(boxopt.Dot(s.Rows[k].Coef, s.Rows[k].Coef))
	}
	return 1
}

// toward sets d to sign·rootᵀ·normal of constraint k.
func (s *Set) toward(d []float64, k int, sign float64, root []float64) {
	n := len(d)
	if k < len(s.Rows) {
		clear(d)
		for i, a := range s.Rows[k].Coef {
			if a != 0 {
				floats.AddScaled(d, sign*a, root[i*n:(i+1)*n])
			}
		}
		return
	}
	i := (k - len(s.Rows)) / 2
	if (k-len(s.Rows))%2 == 0 {
		sign = -sign
	}
	for j := range d {
		d[j] = sign * root[i*n+j]
	}
}
