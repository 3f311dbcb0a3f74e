package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/points"
)

// Draws adds to the posterior mean the Cholesky factor of the posterior covariance times standard normal numbers
// (Rasmussen & Williams 2006, §A.2). It draws the latent function jointly at the points of q count times, each draw a
// row, for little more than the cost of one.
func (m *Model) Draws(r *rand.Rand, q *points.Set, count int) ([][]float64, error) {
	q = m.completed(q)
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
	if m.flip != nil { // may be indefinite: floored at 0, as the variance is
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
		if t, ok = factorised(c); ok {
			return t, true
		}
	}
	return t, false
}

// joint is the posterior of the latent function at the points of q, in standardised units: its means, the lower
// triangle of its covariance, and the largest variance before any observation.
func (m *Model) joint(q *points.Set) (mean []float64, c blas64.Symmetric, scale float64) {
	p, k := m.latent(q, nil), q.Len()
	c = newMatrix(k).symmetric()
	for i := range k {
		row := c.Data[i*k : i*k+i+1]
		p.prior(row, i, 0)
		scale = max(scale, row[i])
	}
	if p.rows.Cols > 0 && k > 0 {
		blas64.Syrk(blas.NoTrans, -m.b, p.rows, 1, c)
	}
	return p.mean, c, scale
}
