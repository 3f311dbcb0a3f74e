package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"bohier/internal/points"
)

// Condition returns the model with the same hyperparameters (mean included) and
// further observations y (in the units of y) at x: fantasies, pending trials.
// The factor grows by a rank-k extension; a spectrum flip, which every further
// point changes as a whole, is made anew.
func (m *Model) Condition(x *points.Set, y []float64) (*Model, error) {
	if x.Len() != len(y) {
		panic("gp: observations of different length")
	}
	x = m.lift(x)
	if m.parts != nil {
		parts, err := m.parts.condition(x, y)
		return &Model{units: m.units, kernel: m.kernel, x: points.Concat(m.x, x), parts: parts, fixed: m.fixed}, err
	}
	k := len(y)
	out := *m
	out.samples = nil
	if m.samples != nil {
		out.samples = make([]*Model, len(m.samples))
		for i, s := range m.samples {
			c, err := s.Condition(x, y)
			if err != nil {
				return nil, err
			}
			out.samples[i] = c
		}
	}
	if k == 0 {
		return &out, nil
	}
	noise := m.theta[m.kernelParams+1]
	out.x = points.Concat(m.x, x)
	out.y = slices.Clone(m.y)
	for _, v := range y {
		out.y = append(out.y, m.units.Standard(v))
	}
	if !m.grow(&out, noise) {
		return nil, fmt.Errorf("gp: the matrix extended by %d points is not positive definite", k)
	}
	if m.basis != nil && !out.setBasis(m.basis.basis) {
		return nil, fmt.Errorf("gp: %d further points leave the mean undetermined", k)
	}
	out.setAlpha()
	return &out, nil
}

// setAlpha derives alpha and beta from the factor and the observations.
func (m *Model) setAlpha() {
	m.alpha = make([]float64, len(m.y))
	for i, v := range m.y {
		m.alpha[i] = v - m.meanAt(m.x, i)
	}
	m.l.solve(m.alpha)
	m.l.solveTransposed(m.alpha)
	m.setBeta(len(m.y))
}

// ConditionEach is Condition on each of several alternatives ys to the values at
// x. The models share one factor, as one model with several means would.
func (m *Model) ConditionEach(x *points.Set, ys [][]float64) ([]*Model, error) {
	out := make([]*Model, len(ys))
	for k, y := range ys {
		if k == 0 || m.parts != nil || m.samples != nil {
			c, err := m.Condition(x, y)
			if err != nil {
				return nil, err
			}
			out[k] = c
			continue
		}
		c := *out[0]
		c.y = slices.Clone(c.y[:len(m.y)])
		for _, v := range y {
			c.y = append(c.y, m.units.Standard(v))
		}
		c.setAlpha()
		out[k] = &c
	}
	return out, nil
}

// grow sets the factors of out, which has m's points and further ones.
func (m *Model) grow(out *Model, noise float64) (ok bool) {
	if m.flipT != nil {
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
	cov := m.kernel.Bind(m.theta[:m.kernelParams], out.x)
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
	diag := make([]float64, k)
	scale := 0.0
	for i := range k {
		diag[i] = corner.Data[i*total+i]
		scale = max(scale, diag[i])
	}
	if n > 0 {
		blas64.Syrk(blas.NoTrans, -1, below, 1, corner)
	}
	schur := blas64.General{Rows: k, Cols: k, Stride: k, Data: make([]float64, k*k)}
	for i := range k {
		copy(schur.Data[i*k:i*k+i+1], corner.Data[i*total:i*total+i+1])
	}
	for _, jitter := range append([]float64{0, 1e-14, 1e-12}, jitterLadder[1:]...) {
		for i := range k {
			copy(corner.Data[i*total:i*total+i+1], schur.Data[i*k:i*k+i+1])
			corner.Data[i*total+i] += noise + jitter*scale
		}
		if _, ok := lapack64.Potrf(corner); ok {
			return g, true
		}
	}
	return g, false
}

// Sample draws the latent function jointly at the points of q from the
// posterior, in the units of y.
func (m *Model) Sample(r *rand.Rand, q *points.Set) ([]float64, error) {
	draws, err := m.Draws(r, q, 1)
	if err != nil {
		return nil, err
	}
	return draws[0], nil
}

// Draws draws the latent function jointly at the points of q count times, each draw a
// row, for little more than the cost of one.
func (m *Model) Draws(r *rand.Rand, q *points.Set, count int) ([][]float64, error) {
	q = m.lift(q)
	if m.parts != nil {
		return m.drawSeparate(r, q, count)
	}
	k, n := q.Len(), m.x.Len()
	p := newExact(m, nil)
	self := p.cov.With(q)
	cross, mean, scale := make([]float64, k*n), make([]float64, k), 0.0
	p.rows(self, cross, [][]float64{mean}, make([]float64, k), q)
	unsure := make([]float64, 0)
	for i := range k {
		if m.basis != nil {
			unsure = append(unsure, m.basis.defect(q, i, m.a, p.turned(cross[i*n:(i+1)*n]))...)
		}
	}
	rows := blas64.General{Rows: k, Cols: n, Stride: max(n, 1), Data: cross}
	if n > 0 {
		p.solveBlock(rows)
	}
	c := blas64.Symmetric{Uplo: blas.Lower, N: k, Stride: max(k, 1), Data: make([]float64, k*k)}
	for i := range k {
		row := c.Data[i*k : i*k+i+1]
		self.Row(row, q, i, 0)
		for j := range row {
			row[j] *= m.c
		}
		scale = max(scale, row[i])
	}
	if n > 0 && k > 0 {
		blas64.Syrk(blas.NoTrans, -m.b, rows, 1, c)
	}
	if b := len(unsure) / max(k, 1); b > 0 {
		blas64.Syrk(blas.NoTrans, 1, blas64.General{Rows: k, Cols: b, Stride: b, Data: unsure}, 1, c)
	}
	out := make([][]float64, count) // standard normal, then the draws
	for d := range out {
		out[d] = make([]float64, k)
		for i := range k {
			out[d][i] = r.NormFloat64()
		}
	}
	drawn := func(root func(z []float64)) [][]float64 {
		for _, z := range out {
			root(z)
			for i := range z {
				z[i] = m.units.Value(mean[i] + z[i])
			}
		}
		return out
	}
	if m.flipT != nil { // may be indefinite: floored at 0, as the variance is
		flip := newSpectrumFlip(k)
		if !flip.decompose(c.Data) {
			return nil, fmt.Errorf("gp: the posterior covariance of %d points has no eigenvalues", k)
		}
		return drawn(flip.root), nil
	}
	exact := slices.Clone(c.Data)
	for _, jitter := range append([]float64{0, 1e-14, 1e-12}, jitterLadder[1:]...) {
		copy(c.Data, exact)
		for i := range k {
			c.Data[i*k+i] += jitter * scale
		}
		t, ok := lapack64.Potrf(c)
		if !ok {
			continue
		}
		return drawn(func(z []float64) { blas64.Trmv(blas.NoTrans, t, vector(z)) }), nil
	}
	return nil, fmt.Errorf("gp: the posterior covariance of %d points is not positive definite (%g)", k, math.Sqrt(scale))
}
