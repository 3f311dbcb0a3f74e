package regression

import (
	"gonum.org/v1/gonum/mat"

	"bohier/internal/points"
)

// linear predicts the points of q by least squares with an intercept, of least norm where the columns are dependent.
// Pooled, inactive coordinates are −1; separate, every activity pattern has its own weights on its active coordinates.
func linear(dst []float64, x *points.Set, y []float64, q *points.Set, separate bool) {
	groups := map[string][2][]int{}
	assign := func(s *points.Set, side int) {
		for i := range s.Len() {
			key := ""
			if separate {
				key = activity(s, i)
			}
			g := groups[key]
			g[side] = append(g[side], i)
			groups[key] = g
		}
	}
	assign(x, 0)
	assign(q, 1)
	for _, g := range groups {
		if len(g[0]) == 0 || len(g[1]) == 0 {
			continue // without training points the prediction stays the mean, 0
		}
		a, test := design(x, g[0], separate), design(q, g[1], separate)
		var svd mat.SVD
		var w, out mat.Dense
		svd.Factorize(a, mat.SVDThin)
		svd.SolveTo(&w, mat.NewDense(len(g[0]), 1, pick(y, g[0])), svd.Rank(1e-10))
		out.Mul(test, &w)
		for k, i := range g[1] {
			dst[i] = out.At(k, 0)
		}
	}
}

// design is the matrix of an intercept and the coordinates of the given points.
func design(s *points.Set, idx []int, separate bool) *mat.Dense {
	m := mat.NewDense(len(idx), s.Dim()+1, nil)
	for k, i := range idx {
		m.Set(k, 0, 1)
		for c := range s.Dim() {
			switch {
			case s.Active(c, i):
				m.Set(k, c+1, s.At(c, i))
			case !separate:
				m.Set(k, c+1, -1)
			}
		}
	}
	return m
}

// activity names the active coordinates of point i.
func activity(s *points.Set, i int) string {
	b := make([]byte, s.Dim())
	for c := range b {
		if s.Active(c, i) {
			b[c] = 1
		}
	}
	return string(b)
}
