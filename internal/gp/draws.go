package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

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
	mean, c, scale := m.joint(q)
	k := q.Len()
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
	if t, ok := rooted(c, 0, scale); ok {
		return drawn(func(z []float64) { blas64.Trmv(blas.NoTrans, t, vector(z)) }), nil
	}
	return nil, fmt.Errorf("gp: the posterior covariance of %d points is not positive definite (%g)", k, math.Sqrt(scale))
}

// rooted factorises c, with noise on its diagonal and as much jitter, relative to scale, as it
// takes. It is false where no jitter of the ladder does.
func rooted(c blas64.Symmetric, noise, scale float64) (t blas64.Triangular, ok bool) {
	exact := slices.Clone(c.Data)
	for _, jitter := range append([]float64{0, 1e-14, 1e-12}, jitterLadder[1:]...) {
		copy(c.Data, exact)
		for i := range c.N {
			c.Data[i*c.Stride+i] += noise + jitter*scale
		}
		if t, ok = lapack64.Potrf(c); ok {
			return t, true
		}
	}
	return t, false
}

// joint is the posterior of the latent function at the points of q, in standardised
// units: its means, the lower triangle of its covariance, and the largest variance
// before any observation.
func (m *Model) joint(q *points.Set) (mean []float64, c blas64.Symmetric, scale float64) {
	p, k := m.latent(q), q.Len()
	c = blas64.Symmetric{Uplo: blas.Lower, N: k, Stride: max(k, 1), Data: make([]float64, k*k)}
	for i := range k {
		row := c.Data[i*k : i*k+i+1]
		p.prior(row, i, 0)
		scale = max(scale, row[i])
	}
	if p.rows.Cols > 0 && k > 0 {
		blas64.Syrk(blas.NoTrans, -m.b, p.rows, 1, c)
	}
	if p.unsure.Cols > 0 {
		blas64.Syrk(blas.NoTrans, 1, p.unsure, 1, c)
	}
	return p.mean, c, scale
}

// A latent is what the joint distribution of the latent function at points is made of. The
// covariance of points i and j is that of the prior, m.c·k(i, j), less what the observations
// tell, m.b times the product of rows i and j, and plus the product of theirs in unsure where
// the mean is estimated.
type latent struct {
	m            *Model
	q            *points.Set
	self         kernels.Cov
	mean         []float64
	rows, unsure blas64.General
}

func (m *Model) latent(q *points.Set) *latent {
	k, n := q.Len(), m.x.Len()
	e := newExact(m, nil)
	p := &latent{m: m, q: q, self: e.cov.With(q), mean: make([]float64, k)}
	cross := make([]float64, k*n)
	e.rows(p.self, cross, [][]float64{p.mean}, make([]float64, k), q)
	var unsure []float64
	for i := range k {
		if m.basis != nil {
			unsure = append(unsure, m.basis.defect(q, i, m.a, e.turned(cross[i*n:(i+1)*n]))...)
		}
	}
	b := len(unsure) / max(k, 1)
	p.unsure = blas64.General{Rows: k, Cols: b, Stride: max(b, 1), Data: unsure}
	p.rows = blas64.General{Rows: k, Cols: n, Stride: max(n, 1), Data: cross}
	if n > 0 {
		e.solveBlock(p.rows)
	}
	return p
}

// prior sets dst to the prior covariances of point i with point lo and those after.
func (p *latent) prior(dst []float64, i, lo int) {
	p.self.Row(dst, p.q, i, lo)
	for j := range dst {
		dst[j] *= p.m.c
	}
}

// row sets dst to the posterior covariances of point i with point lo and those after.
func (p *latent) row(dst []float64, i, lo int) {
	p.prior(dst, i, lo)
	addProducts(dst, -p.m.b, p.rows, i, lo)
	addProducts(dst, 1, p.unsure, i, lo)
}

// addProducts adds to dst the scaled products of row i of g with row lo and those after.
func addProducts(dst []float64, scale float64, g blas64.General, i, lo int) {
	if g.Cols > 0 {
		part := blas64.General{Rows: len(dst), Cols: g.Cols, Stride: g.Stride, Data: g.Data[lo*g.Stride:]}
		blas64.Gemv(blas.NoTrans, scale, part, vector(g.Data[i*g.Stride:i*g.Stride+g.Cols]), 1, vector(dst))
	}
}

// Leading chooses n points of q one after the other: that with the highest score given
// those before, each of which is believed to come out as predicted. The score is of a
// standardised mean and a latent variance, and grows with the variance. Of a model in
// parts all points are chosen.
func (m *Model) Leading(q *points.Set, n int, score func(mean, variance float64) float64) []int {
	q = m.lift(q)
	k := q.Len()
	if n >= k || m.parts != nil {
		all := make([]int, k)
		for i := range all {
			all[i] = i
		}
		return all
	}
	p := m.latent(q)
	mean := p.mean
	noise := max(m.StandardNoise(), jitterLadder[1])
	variance, bound := make([]float64, k), make([]float64, k)
	for i := range bound {
		p.row(variance[i:i+1], i, i)
		variance[i] = max(0, variance[i])
		bound[i] = score(mean[i], variance[i]) // no choice raises it
	}
	var out []int
	chosen := make([]bool, k)
	var factor [][]float64 // rows of the transposed Cholesky factor, one for each choice
	for len(out) < n {
		best, fresh := -1, -1
		for best < 0 || best != fresh {
			if fresh = best; best >= 0 {
				bound[best] = score(mean[best], variance[best])
			}
			best = -1
			for i, b := range bound {
				if !chosen[i] && (best < 0 || b > bound[best]) {
					best = i
				}
			}
		}
		row, root := make([]float64, k), math.Sqrt(variance[best]+noise)
		p.row(row, best, 0)
		for _, f := range factor {
			blas64.Axpy(-f[best], vector(f), vector(row))
		}
		for i := range row {
			row[i] /= root
			variance[i] = max(0, variance[i]-row[i]*row[i])
		}
		chosen[best], out, factor = true, append(out, best), append(factor, row)
	}
	return out
}
