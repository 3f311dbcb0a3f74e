package gp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A latent holds the parts of the joint distribution of the latent function at points. The
// covariance of points i and j is that of the prior, m.c·k(i, j), less the part that the observations explain, m.b
// times the product of rows i and j.
type latent struct {
	m    *Model
	q    *points.Set
	self kernels.Cov
	mean []float64
	rows blas64.General
}

// latent computes the latent values at q that known lacks; known, which may be nil, is of the same model.
func (m *Model) latent(q *points.Set, known *latent) *latent {
	k, n := q.Len(), m.x.Len()
	first := known.shared(q)
	e := m.Standard()
	p := &latent{m: m, q: q, self: e.cov.With(q), mean: make([]float64, k)}
	cross := make([]float64, k*n)
	if first > 0 {
		copy(p.mean, known.mean[:first])
		copy(cross, known.rows.Data[:first*n])
	}
	rest, more := q.Slice(first, k), cross[first*n:]
	e.rows(e.within(rest), more, [][]float64{p.mean[first:]}, make([]float64, k-first), rest)
	p.rows = byRows(n, cross)
	if n > 0 {
		e.solveBlock(byRows(n, more))
	}
	return p
}

// shared is how many points p begins with that q begins with, too.
func (p *latent) shared(q *points.Set) int {
	i := 0
	for p != nil && i < min(p.q.Len(), q.Len()) && p.q.Equal(i, q, i) {
		i++
	}
	return i
}

// cachedLatent is latent, starting from the last request: that often begins with the same points.
func (m *Model) cachedLatent(q *points.Set) *latent {
	if m.latest == nil || m.flip != nil { // a flip's sums depend on how many points are solved at once
		return m.latent(q, nil)
	}
	p := m.latent(q, m.latest.Load())
	m.latest.Store(p)
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
	if n := p.rows.Cols; n > 0 {
		rest := byRows(n, p.rows.Data[lo*n:(lo+len(dst))*n])
		blas64.Gemv(blas.NoTrans, -p.m.b, rest, vector(p.rows.Data[i*n:(i+1)*n]), 1, vector(dst))
	}
}
