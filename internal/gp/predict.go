package gp

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Predictor computes posterior means and latent variances, in standardised units (see Units), of one
// model or of several that ConditionEach made: these have one variance, and means of their own. No scaling of the
// objective by a power of two changes a value. It owns scratch memory: one per goroutine. It is an acq.Surrogate.
//
// Its result for a point does not depend, in any bit, on the points beside it.
type Predictor struct {
	models []*Model // with one factor
	cov    kernels.Cov
	prior  prior     // of a point, without reference to others
	w      []float64 // scratch, one number per training point
	loaded batch     // the last points of LoadBatch
}

// Standard returns a predictor of the model.
func (m *Model) Standard() *Predictor { return Together([]*Model{m}) }

// Together returns a predictor of models that ConditionEach made, or of one.
func Together(models []*Model) *Predictor {
	m := models[0]
	p := &Predictor{models: models, cov: m.bind(m.x), w: make([]float64, m.x.Len())}
	if m.kernel.UniformVariance() && m.x.Len() > 0 {
		kernel, one := p.cov, make([]float64, 1)
		if c, ok := p.cov.(*plane); ok {
			kernel, p.prior.plane = c.Cov, c
		}
		kernel.Row(one, m.x, 0, 0)
		p.prior.level, p.prior.uniform = one[0], true
	}
	return p
}

// Predict fills mean[i] and variance[i], in the units of y, for every point of q.
func (m *Model) Predict(mean, variance []float64, q *points.Set) {
	m.Standard().PredictBatch(mean, variance, q)
	for i := range q.Len() {
		mean[i], variance[i] = m.units.Value(mean[i]), m.units.Variance(variance[i])
	}
}

// A prior is k(x, x). Where the kernel's is the same at all points, no kernel is bound to them.
type prior struct {
	cov     kernels.Cov // bound to the points, the plane's; nil where uniform
	uniform bool
	level   float64 // uniform: of the kernel
	plane   *plane  // uniform: nil for none
}

// within is the prior of the points of q.
func (p *Predictor) within(q *points.Set) prior {
	out := p.prior
	if !out.uniform {
		out.cov = p.cov.With(q)
	}
	return out
}

// at is k(x, x) at point i of q.
func (r prior) at(q *points.Set, i int) float64 {
	switch {
	case !r.uniform:
		var one [1]float64
		r.cov.Row(one[:], q, i, i)
		return one[0]
	case r.plane != nil:
		return r.level + r.plane.own(q, i)
	}
	return r.level
}

// pull adds w·∂k(x, y)/∂x at y = x, point i of q, to dx.
func (r prior) pull(dx []float64, w float64, q *points.Set, i int) {
	switch {
	case !r.uniform:
		r.cov.Pull(dx, []float64{w}, q, i, i)
	case r.plane != nil:
		r.plane.pullOwn(dx, w, q, i)
	}
}

// mean is the standardised mean at point i of q, whose correlations are k.
func (m *Model) mean(k []float64, q *points.Set, i int) float64 {
	return m.meanAt(q, i) + floats.Dot(k, m.beta)
}

// rows fills k with the correlations of the points of q and sets the means, of as many models as there are slices, and
// the variances before observations. own is that of within.
func (p *Predictor) rows(own prior, k []float64, means [][]float64, variance []float64, q *points.Set) {
	m := p.models[0]
	n := m.x.Len()
	for r := range variance {
		row := k[r*n : (r+1)*n]
		p.cov.Row(row, q, r, 0)
		for j, mean := range means {
			mean[r] = p.models[j].mean(row, q, r)
		}
		variance[r] = m.c * own.at(q, r)
	}
}

// solve replaces the correlations in every row of b by F⁻¹k and subtracts the explained part from the variances, which
// may fall below 0 by rounding or a spectrum flip.
func (p *Predictor) solve(b []float64, variance []float64) {
	m := p.models[0]
	n := m.x.Len()
	if n == 0 {
		return
	}
	p.solveBlock(byRows(n, b))
	for r := range variance {
		row := b[r*n : (r+1)*n]
		variance[r] -= m.b * floats.Dot(row, row)
	}
}

// solveBlock replaces every row k of b by F⁻¹k.
func (p *Predictor) solveBlock(b blas64.General) {
	m := p.models[0]
	if m.flip != nil {
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, byRows(b.Cols, slices.Clone(b.Data)), m.flip.t, 0, b)
	}
	m.f.solveRows(b.Data, b.Rows, b.Stride)
}

// batchBlock is the number of candidates per triangular solve.
const batchBlock = 64

// PredictBatch fills mean[i] and variance[i], of the first model, for every point of q.
func (p *Predictor) PredictBatch(mean, variance []float64, q *points.Set) {
	p.predict([][]float64{mean}, variance, q)
}

// predict is PredictBatch for as many models as there are means.
func (p *Predictor) predict(means [][]float64, variance []float64, q *points.Set) {
	var b batch
	part := make([][]float64, len(means))
	for lo := 0; lo < q.Len(); lo += batchBlock {
		hi := min(lo+batchBlock, q.Len())
		for k, mean := range means {
			part[k] = mean[lo:hi]
		}
		p.load(&b, part, variance[lo:hi], q.Slice(lo, hi))
	}
}

// Means fills means[k][i], of model k, for every point of q, at a small part of the cost of
// PredictBatch, whose means these are.
func (p *Predictor) Means(means [][]float64, q *points.Set) {
	q = p.models[0].completed(q)
	for i := range q.Len() {
		p.cov.Row(p.w, q, i, 0)
		for k, m := range p.models {
			means[k][i] = m.mean(p.w, q, i)
		}
	}
}
