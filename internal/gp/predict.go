package gp

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Predictor computes posterior means and latent variances of one Model. It owns
// scratch memory: one per goroutine. It is an acq.Surrogate.
//
// Its result for a point does not depend, in any bit, on the points beside it.
type Predictor interface {
	// PredictBatch fills mean[i] and variance[i] for every point of q.
	PredictBatch(mean, variance []float64, q *points.Set)
	// Means fills mean[i] for every point of q, at a small part of the cost of
	// PredictBatch, whose means these are.
	Means(mean []float64, q *points.Set)
	// Open starts predicting the points of q: it fills mean[i] and, in bound[i], the
	// variance without observations, and returns a function that tightens it: that
	// sets bound[k] to the variance of point at[k] given only the first ⌊share·n⌋ of
	// the n observations, an upper bound of the posterior variance, exact at share 1.
	// For a point, shares must not fall. Reaching a share costs, all told, its square
	// of a triangular solve. The function may run while the predictor serves other
	// calls, but not beside itself. Models for which a part of the observations gives
	// no bound are predicted in full at once.
	Open(mean, bound []float64, q *points.Set) (tighten func(bound []float64, at []int, share float64))
	// LoadBatch is PredictBatch, for a few dozen points, that keeps what PullBatch
	// needs.
	LoadBatch(mean, variance []float64, q *points.Set)
	// PullBatch adds dmean[i]·∂mean/∂x + dvar[i]·∂variance/∂x at point i of the last
	// LoadBatch to dx[i], unless that is nil. A variance floored at 0 is constant.
	PullBatch(dx [][]float64, dmean, dvar []float64)
}

// Predictor returns a predictor in the units of y.
func (m *Model) Predictor() Predictor { return m.predictor(false) }

// Standard returns a predictor in standardised units (see Units), whose values
// no scaling of the objective by a power of two changes.
func (m *Model) Standard() Predictor { return m.predictor(true) }

func (m *Model) predictor(standard bool) (p Predictor) {
	if p = newExact(m, nil); !standard {
		p = &unitPredictor{newExact(m, nil), m.units}
	}
	return m.ofSection(p)
}

// An exact predictor predicts, in standardised units, by the formulas of Model.
type exact struct {
	models []*Model // the model, and others with the same factor whose means it computes too
	cov    kernels.Cov
	prior  prior      // of a point, without reference to others
	w      []float64  // scratch, one number per training point
	block  []float64  // scratch of PredictBatch
	loaded batch      // the last points that it loaded itself
	held   *batch     // the last LoadBatch: own, or that of another predictor
	loads  int        // of held, at that time
	open   *lazyBatch // the last points opened and
	cached *meanCache // asked for means, where several models share them
}

// newExact makes a predictor of m; cov, the kernel bound to its points, is made
// where it is nil.
func newExact(m *Model, cov kernels.Cov) *exact {
	if cov == nil {
		cov = m.bind(m.x)
	}
	p := &exact{models: []*Model{m}, cov: cov, w: make([]float64, m.x.Len())}
	if kernels.UniformVariance(m.kernel) && m.x.Len() > 0 {
		kernel, one := cov, make([]float64, 1)
		if c, ok := cov.(*plane); ok {
			kernel, p.prior.plane = c.Cov, c
		}
		kernel.Row(one, m.x, 0, 0)
		p.prior.level, p.prior.uniform = one[0], true
	}
	return p
}

// A prior is k(x, x). Where the kernel's is the same at all points, no kernel is bound to them.
type prior struct {
	cov     kernels.Cov // bound to the points, the plane's; nil where uniform
	uniform bool
	level   float64 // uniform: of the kernel
	plane   *plane  // uniform: nil for none
}

// within is the prior of the points of q.
func (p *exact) within(q *points.Set) prior {
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
		r.cov.Pull(nil, dx, []float64{w}, q, i, i)
	case r.plane != nil:
		r.plane.pullOwn(dx, w, q, i)
	}
}

// newMeans has room for the means of every model.
func (p *exact) newMeans(n int) [][]float64 {
	out := make([][]float64, len(p.models))
	for k := range out {
		out[k] = make([]float64, n)
	}
	return out
}

// mean is the standardised mean at point i of q, whose correlations are k.
func (m *Model) mean(k []float64, q *points.Set, i int) float64 {
	return m.meanAt(q, i) + floats.Dot(k, m.beta)
}

// rows fills k with the correlations of the points of q and sets the means, of as
// many models as there are slices, and the variances before observations. own is
// that of within.
func (p *exact) rows(own prior, k []float64, means [][]float64, variance []float64, q *points.Set) {
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

// solve replaces the correlations in every row of b by F⁻¹k and subtracts what the
// observations take from the variances, which may fall below 0 by rounding or a
// spectrum flip.
func (p *exact) solve(b []float64, variance []float64) {
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
func (p *exact) solveBlock(b blas64.General) {
	m := p.models[0]
	if m.flip != nil {
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, byRows(b.Cols, slices.Clone(b.Data)), m.flip.t, 0, b)
	}
	m.f.solveRows(b.Data, b.Rows, b.Stride)
}

// batchBlock is the number of candidates per triangular solve.
const batchBlock = 64

func (p *exact) PredictBatch(mean, variance []float64, q *points.Set) {
	n := p.models[0].x.Len()
	p.block = resized(p.block, batchBlock*n)
	for lo := 0; lo < q.Len(); lo += batchBlock {
		part := q.Slice(lo, min(lo+batchBlock, q.Len()))
		b, v := p.block[:part.Len()*n], variance[lo:lo+part.Len()]
		p.rows(p.within(part), b, [][]float64{mean[lo : lo+part.Len()]}, v, part)
		p.solve(b, v)
		for r := range v {
			v[r] = max(v[r], 0)
		}
	}
}

func (p *exact) Means(mean []float64, q *points.Set) { copy(mean, p.means(q).of[0]) }

// means computes the means of every model at the points of q, and keeps them for
// other predictors to look up.
func (p *exact) means(q *points.Set) *meanCache {
	s := &meanCache{of: p.newMeans(q.Len())}
	for i := range q.Len() {
		p.cov.Row(p.w, q, i, 0)
		for j, m := range p.models {
			s.of[j][i] = m.mean(p.w, q, i)
		}
	}
	if len(p.models) > 1 {
		s.q, p.cached = q.Clone(), s
	}
	return s
}
