package gp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Predictor computes posterior means and latent variances of one Model. It
// owns scratch memory: one per goroutine. It implements acq.Surrogate.
type Predictor struct {
	m     *Model
	cov   kernels.Cov
	scale float64 // of a mean
	std   bool
	k     []float64 // correlations with the training points (flip: turned)
	v     []float64 // F⁻¹k
	w     []float64
	one   *points.Set // the point k and v belong to
	self  float64     // k(one, one)
	valid bool
	block []float64
	own   *batch // the last points it loaded itself
	held  *batch // the last LoadBatch: its own, or that of first
	loads int    // of held, at that time
	open  *opened
	seen  *seen
	first *Predictor            // the predictor p shares with; nil: none (kin.go)
	nth   int                   // p's place among the kin of first, from 1
	kin   []*Model              // the models that share with p
	parts map[string]*Predictor // by activity pattern, where the model is separate
	whole *points.Set           // a completed point, of a section
	slope []float64             // its gradient
}

// Predictor returns a predictor in the units of y.
func (m *Model) Predictor() *Predictor {
	if m.parts != nil {
		return &Predictor{m: m, parts: map[string]*Predictor{}, scale: m.units.scale()}
	}
	n := m.x.Len()
	return &Predictor{m: m, cov: m.kernel.Bind(m.theta[:m.own], m.x), one: points.New(1, m.x.Dim()),
		k: make([]float64, n), v: make([]float64, n), w: make([]float64, n), scale: m.units.scale()}
}

// Standard returns a predictor in standardised units (see Units), whose values
// no scaling of the objective by a power of two changes.
func (m *Model) Standard() *Predictor {
	p := m.Predictor()
	p.std, p.scale = true, 1
	return p
}

// load computes k and v for point i of q unless they are there.
func (p *Predictor) load(q *points.Set, i int) {
	if p.valid && p.one.Equal(0, q, i) {
		return
	}
	p.one.Copy(0, q, i)
	p.valid = true
	p.cov.Row(p.k, p.one, 0, 0)
	copy(p.v, p.k)
	if t := p.m.turn; t != nil {
		blas64.Gemv(blas.NoTrans, 1, *t, vector(p.k), 0, vector(p.v))
	}
	p.m.f.solve(p.v)
	var self [1]float64
	p.cov.With(p.one).Row(self[:], p.one, 0, 0)
	p.self = self[0]
}

// Predict returns the posterior mean and latent variance at point i of q.
func (p *Predictor) Predict(q *points.Set, i int) (mean, variance float64) {
	q, i = p.lift(q, i)
	if p.parts != nil {
		return p.predictPart(q, i)
	}
	p.load(q, i)
	mean = p.m.mean(p.k)
	return p.output(mean, p.variance())
}

// variance is the standardised variance at the loaded point, not floored.
func (p *Predictor) variance() float64 {
	v := p.m.c*p.self - p.m.b*blas64.Dot(vector(p.v), vector(p.v))
	if p.m.trend > 0 {
		h := p.trendDefect(p.k)
		v += p.m.trend * h * h / p.m.onesT
	}
	return v
}

func (p *Predictor) output(mean, variance float64) (float64, float64) {
	variance = max(variance, 0) // rounding, or a spectrum flip
	if p.std {
		return mean, variance
	}
	return p.m.units.Value(mean), p.m.units.Variance(variance)
}

// trendDefect is 1 − 1'T⁻¹(a·k).
func (p *Predictor) trendDefect(k []float64) float64 {
	t := k
	if p.m.turn != nil {
		t = p.w
		blas64.Gemv(blas.NoTrans, 1, *p.m.turn, vector(k), 0, vector(t))
	}
	return 1 - p.m.a*blas64.Dot(vector(t), vector(p.m.ones))
}

// batchBlock is the number of candidates per triangular solve.
const batchBlock = 64

// PredictBatch fills mean[i] and variance[i] for every point of q.
func (p *Predictor) PredictBatch(mean, variance []float64, q *points.Set) {
	q = p.m.lift(q)
	if p.parts != nil {
		p.batchParts(mean, variance, q)
		return
	}
	n, total := p.m.x.Len(), q.Len()
	if n > 0 && p.block == nil {
		p.block = make([]float64, batchBlock*n)
	}
	self := p.cov.With(q)
	var diag [1]float64
	for lo := 0; lo < total; lo += batchBlock {
		size := min(batchBlock, total-lo)
		b := blas64.General{Rows: size, Cols: n, Stride: max(n, 1), Data: p.block}
		for r := range size {
			row := p.block[r*n : (r+1)*n]
			p.cov.Row(row, q, lo+r, 0)
			self.Row(diag[:], q, lo+r, lo+r)
			mean[lo+r] = p.m.mean(row)
			variance[lo+r] = p.m.c * diag[0]
			if p.m.trend > 0 {
				h := p.trendDefect(row)
				variance[lo+r] += p.m.trend * h * h / p.m.onesT
			}
		}
		if n > 0 {
			p.solveBlock(b)
		}
		for r := range size {
			row := vector(p.block[r*n : (r+1)*n])
			variance[lo+r] -= p.m.b * blas64.Dot(row, row)
			mean[lo+r], variance[lo+r] = p.output(mean[lo+r], variance[lo+r])
		}
	}
}

// Means fills mean[i] for every point of q, at a small part of the cost of
// PredictBatch, whose means these are.
func (p *Predictor) Means(mean []float64, q *points.Set) {
	q = p.m.lift(q)
	if p.parts != nil {
		p.batchParts(mean, make([]float64, q.Len()), q)
		return
	}
	s := p.elder().seen
	if p.first == nil || s == nil || !same(s.q, q) {
		s = &seen{means: p.newMeans(q.Len())}
		for i := range q.Len() {
			p.cov.Row(p.w, q, i, 0)
			p.meansAt(s.means, i, p.w)
		}
		if p.kin != nil {
			s.q, p.seen = q.Clone(), s
		}
	}
	for i, v := range p.mine(s.means) {
		mean[i], _ = p.output(v, 0)
	}
}

// solveBlock replaces every row k of b by F⁻¹k.
func (p *Predictor) solveBlock(b blas64.General) {
	if t := p.m.turn; t != nil {
		c := blas64.General{Rows: b.Rows, Cols: b.Cols, Stride: b.Stride, Data: append([]float64(nil), b.Data...)}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, c, *t, 0, b)
	}
	p.m.f.solveRows(b.Data, b.Rows, b.Stride)
}

// Pull adds dmean·∂mean/∂x + dvar·∂variance/∂x at point i of q to dx. A variance
// floored at 0 is constant.
func (p *Predictor) Pull(dx []float64, dmean, dvar float64, q *points.Set, i int) {
	if whole, at := p.lift(q, i); whole != q {
		if p.slope == nil {
			p.slope = make([]float64, whole.Dim())
		}
		clear(p.slope)
		p.pull(p.slope, dmean, dvar, whole, at)
		for c := range dx {
			dx[c] += p.slope[c]
		}
		return
	}
	p.pull(dx, dmean, dvar, q, i)
}

func (p *Predictor) pull(dx []float64, dmean, dvar float64, q *points.Set, i int) {
	if p.parts != nil {
		p.pullPart(dx, dmean, dvar, q, i)
		return
	}
	p.load(q, i)
	m, n := p.m, p.m.x.Len()
	dmean, dvar = dmean*p.scale, dvar*p.scale*p.scale
	if p.variance() <= 0 {
		dvar = 0
	}
	if n > 0 {
		g := make([]float64, n)
		copy(g, p.v)
		m.f.solveTransposed(g) // (FF')⁻¹k
		blas64.Scal(-2*dvar*m.b, vector(g))
		if m.trend > 0 {
			h := p.trendDefect(p.k)
			blas64.Axpy(-2*dvar*m.trend*h/m.onesT*m.a, vector(m.ones), vector(g))
		}
		w := p.w
		if m.turn != nil {
			blas64.Gemv(blas.Trans, 1, *m.turn, vector(g), 0, vector(w))
		} else {
			copy(w, g)
		}
		blas64.Axpy(dmean, vector(m.beta), vector(w))
		p.cov.Pull(nil, dx, w, p.one, 0, 0)
	}
	p.cov.With(p.one).Pull(nil, dx, []float64{2 * dvar * m.c}, p.one, 0, 0)
}
