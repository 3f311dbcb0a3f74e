package gp

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// Condition returns the model with the same hyperparameters (mean included) and
// further observations y (in the units of y) at x: fantasies, pending trials.
// The factor L of K grows by a rank-k extension: the new rows are K₂₁L⁻ᵀ, and their corner is the factor of K₂₂ less
// the square of these rows (Rasmussen & Williams 2006, §A.3), k·n² operations in place of n³. A spectrum flip,
// which every further
// point changes as a whole, is made anew.
func (m *Model) Condition(x *points.Set, y []float64) (*Model, error) {
	out, err := m.ConditionEach(x, [][]float64{y})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// ConditionEach is Condition on each of several alternatives ys to the values at
// x. The models share one factor, as one model with several means would.
func (m *Model) ConditionEach(x *points.Set, ys [][]float64) ([]*Model, error) {
	more := *m
	more.latest = nil
	if k := x.Len(); k > 0 {
		more.x = points.Concat(m.x, m.completed(x))
		if !m.grow(&more, m.theta[m.kernelParams+1]) {
			return nil, fmt.Errorf("gp: the matrix extended by %d points is not positive definite", k)
		}
	}
	out := make([]*Model, len(ys))
	for k, y := range ys {
		if x.Len() != len(y) {
			panic("gp: observations of different length")
		}
		c := more
		if out[k] = &c; len(y) == 0 {
			continue
		}
		c.y = slices.Concat(m.y, lists.Of(y, m.units.Standard))
		c.setAlpha()
	}
	return out, nil
}

// setAlpha derives alpha and beta from the factor and the observations.
func (m *Model) setAlpha() {
	m.alpha = make([]float64, len(m.y))
	for i, v := range m.y {
		m.alpha[i] = v - m.meanAt(m.x, i)
	}
	m.l.solve(m.alpha)
	m.l.solveTransposed(m.alpha, 0)
	m.setBeta(len(m.y))
}

// grow sets the factors of out, which has m's points and further ones.
func (m *Model) grow(out *Model, noise float64) (ok bool) {
	if m.flip != nil {
		return out.flipAnew(noise)
	}
	if out.l, ok = m.extend(m.l, out, m.a, noise); !ok {
		return false
	}
	if out.f = out.l; m.reinterp {
		out.f, ok = m.extend(m.f, out, 1, 0)
	}
	return ok
}

// extend grows the factor of a·k + noise over m's points to those of out, with
// as much jitter on the new points as it takes.
func (m *Model) extend(f matrix, out *Model, a, noise float64) (matrix, bool) {
	n, total := m.x.Len(), out.x.Len()
	k := total - n
	g := newMatrix(total)
	for i := range n {
		copy(g.row(i)[:i+1], f.row(i)[:i+1])
	}
	cov := m.bind(out.x)
	for i := n; i < total; i++ {
		row := g.data[i*total : i*total+i+1]
		cov.Row(row, out.x, i, 0)
		for j := range row {
			row[j] *= a
		}
	}
	if n > 0 {
		f.solveRows(g.data[n*total:], k, total)
	}
	below := blas64.General{Rows: k, Cols: n, Stride: total, Data: g.data[n*total:]}
	corner := blas64.Symmetric{Uplo: blas.Lower, N: k, Stride: total, Data: g.data[n*total+n:]}
	scale := 0.0
	for i := range k {
		scale = max(scale, corner.Data[i*total+i])
	}
	if n > 0 {
		blas64.Syrk(blas.NoTrans, -1, below, 1, corner)
	}
	_, ok := rooted(corner, noise, scale)
	for i := range total {
		g.inverse[i] = 1 / g.data[i*total+i]
	}
	return g, ok
}
