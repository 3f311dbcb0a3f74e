package gp

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/kernels"
	"bohier/internal/points"
	"bohier/internal/tile"
)

// Predictions a search needs beside PredictBatch: variances that tighten from a
// bound, and gradients at several points at once. In both, what comes out for a
// point does not depend on the points it shares a batch with, to the last bit.

// A batch is points with their solved systems, from LoadBatch to PullBatch.
type batch struct {
	q        *points.Set // as given, or completed for a section
	narrow   bool        // was completed
	k, v, u  []float64   // by rows: correlations, F⁻¹k, (FF')⁻¹k where it is known
	known    []bool      // u is
	g        []float64   // scratch
	means    [][]float64 // of p and its kin, and
	variance []float64   // of all, as predicted
	constant []bool      // it is floored at 0
	self     kernels.Cov // of the points with themselves
	loads    int         // how often it was filled
}

// Open starts predicting the points of q: it fills mean[i] and, in bound[i], the
// variance without observations, and returns a function that tightens it. That
// sets bound[k], for point at[k], to the variance given the first share (0…1) of
// the observations, an upper bound that falls to the variance at 1; for a point,
// shares must not fall. It keeps what it has computed, so that a share takes the
// square of it of a triangular solve, all told (leading columns of the factor),
// and may be called by one goroutine at a time while p serves another. Models for
// which a part is no bound are predicted in full at once.
func (p *Predictor) Open(mean, bound []float64, q *points.Set) (tighten func(bound []float64, at []int, share float64)) {
	if p.parts != nil || p.m.turn != nil {
		p.PredictBatch(mean, bound, q)
		known := slices.Clone(bound[:q.Len()])
		return func(bound []float64, at []int, _ float64) {
			for k, i := range at {
				bound[k] = known[i]
			}
		}
	}
	q = p.m.lift(q)
	o := p.elder().open
	if p.first == nil || o == nil || !same(o.q, q) {
		o = &opened{Predictor: Predictor{m: p.m, std: p.std}, means: p.newMeans(q.Len()), rows: make([]float64, q.Len()*p.m.x.Len()), prior: make([]float64, q.Len()), solved: make([]int, q.Len())}
		p.rows(p.cov.With(q), o.rows, o.means, o.prior, q)
		if p.kin != nil {
			o.q, p.open = q.Clone(), o
		}
	}
	for i, v := range o.prior {
		mean[i], bound[i] = p.output(p.mine(o.means)[i], v)
	}
	return o.tighten
}

// opened are points on the way to their variances.
type opened struct {
	Predictor             // for its units alone
	q         *points.Set // the points, where there are kin
	means     [][]float64 // of the predictor and its kin, standardised
	rows      []float64   // the first solved numbers of F⁻¹k, then of k
	prior     []float64   // standardised variances without observations
	solved    []int
	work      []float64
}

func (o *opened) tighten(bound []float64, at []int, share float64) {
	n := o.m.x.Len()
	to := n
	if m := int(share*float64(n)) / tile.Cols * tile.Cols; n >= 24 && share < 1 {
		to = m
	}
	o.work = resized(o.work, max(len(at), tile.Rows)*n)
	for from := range o.groups(at, to) {
		var rows []int
		for _, i := range at {
			if o.solved[i] == from {
				copy(o.work[len(rows)*n:(len(rows)+1)*n], o.rows[i*n:(i+1)*n])
				rows = append(rows, i)
			}
		}
		o.m.f.solvePart(o.work, len(rows), n, from, to)
		for k, i := range rows {
			copy(o.rows[i*n+from:i*n+to], o.work[k*n+from:k*n+to])
		}
	}
	for k, i := range at {
		o.solved[i] = max(o.solved[i], to)
		row := vector(o.rows[i*n : i*n+o.solved[i]])
		v := o.prior[i]
		if o.solved[i] < n {
			v *= 1 + 1e-12 // the sums of part and whole are rounded apart
		}
		_, bound[k] = o.output(0, v-o.m.b*blas64.Dot(row, row))
	}
}

// groups are the numbers of columns solved so far, below to.
func (o *opened) groups(at []int, to int) map[int]bool {
	out := map[int]bool{}
	for _, i := range at {
		if o.solved[i] < to {
			out[o.solved[i]] = true
		}
	}
	return out
}

// rows fills k with the correlations of the points of q and sets the standardised
// means, of p and its kin, and variances before observations. self is the
// covariance with q.
func (p *Predictor) rows(self kernels.Cov, k []float64, means [][]float64, variance []float64, q *points.Set) {
	n := p.m.x.Len()
	var diag [1]float64
	for r := range variance {
		row := k[r*n : (r+1)*n]
		p.cov.Row(row, q, r, 0)
		self.Row(diag[:], q, r, r)
		p.meansAt(means, r, row)
		variance[r] = p.m.c * diag[0]
		if p.m.trend > 0 {
			h := p.trendDefect(row)
			variance[r] += p.m.trend * h * h / p.m.onesT
		}
	}
}

// LoadBatch is PredictBatch that keeps what PullBatch needs: a few dozen points at
// most.
func (p *Predictor) LoadBatch(mean, variance []float64, q *points.Set) {
	whole := p.m.lift(q)
	if p.parts != nil {
		p.held = &batch{q: whole, narrow: whole != q}
		p.batchParts(mean, variance, whole)
		return
	}
	b := p.elder().own
	if p.first == nil || b == nil || !same(b.q, whole) {
		if p.own == nil {
			p.own = &batch{}
		}
		b = p.own
		p.fill(b, whole)
		b.narrow = whole != q
	}
	p.held, p.loads = b, b.loads
	copy(mean, p.mine(b.means))
	copy(variance, b.variance)
}

// fill loads the points of q.
func (p *Predictor) fill(b *batch, q *points.Set) {
	n, size := p.m.x.Len(), q.Len()
	b.loads++
	b.q, b.means = q.Clone(), p.newMeans(size)
	b.k, b.v, b.u = resized(b.k, size*n), resized(b.v, size*n), resized(b.u, size*n)
	b.g, b.variance = resized(b.g, n), resized(b.variance, size)
	b.known, b.constant = make([]bool, size), make([]bool, size)
	b.self = p.cov.With(b.q)
	p.rows(b.self, b.k, b.means, b.variance, b.q)
	copy(b.v, b.k)
	if n > 0 {
		p.solveBlock(blas64.General{Rows: size, Cols: n, Stride: n, Data: b.v})
	}
	for r := range size {
		row := vector(b.v[r*n : (r+1)*n])
		v := b.variance[r] - p.m.b*blas64.Dot(row, row)
		b.constant[r] = v <= 0
		for _, mean := range b.means {
			mean[r], b.variance[r] = p.output(mean[r], v)
		}
	}
}

// PullBatch adds dmean[i]·∂mean/∂x + dvar[i]·∂variance/∂x at point i of the last
// LoadBatch to dx[i], unless that is nil.
func (p *Predictor) PullBatch(dx [][]float64, dmean, dvar []float64) {
	b := p.held
	if p.parts == nil {
		if p.loads != b.loads {
			panic("gp: PullBatch after kin loaded other points")
		}
		p.solveLoaded(b, dx)
	}
	for i, d := range dx {
		if d == nil {
			continue
		}
		to := d
		if b.narrow {
			p.slope = resized(p.slope, b.q.Dim())
			clear(p.slope)
			to = p.slope
		}
		if p.parts != nil {
			p.pullPart(to, dmean[i], dvar[i], b.q, i)
		} else {
			p.pullHeld(to, dmean[i], dvar[i], i)
		}
		if b.narrow {
			for c := range d {
				d[c] += to[c]
			}
		}
	}
}

// solveLoaded makes (FF')⁻¹k known for the points that want a gradient.
func (p *Predictor) solveLoaded(b *batch, dx [][]float64) {
	n := p.m.x.Len()
	var rows []int
	for i, d := range dx {
		if d != nil && !b.known[i] {
			rows = append(rows, i)
		}
	}
	packed := make([]float64, len(rows)*n)
	for r, i := range rows {
		copy(packed[r*n:(r+1)*n], b.v[i*n:(i+1)*n])
	}
	p.m.f.solveTransposedRows(packed, len(rows), n)
	for r, i := range rows {
		copy(b.u[i*n:(i+1)*n], packed[r*n:(r+1)*n])
		b.known[i] = true
	}
}

// pullHeld is PullBatch for point i.
func (p *Predictor) pullHeld(dx []float64, dmean, dvar float64, i int) {
	b, m, n := p.held, p.m, p.m.x.Len()
	dmean, dvar = dmean*p.scale, dvar*p.scale*p.scale
	if b.constant[i] {
		dvar = 0
	}
	if n > 0 {
		g := b.g
		copy(g, b.u[i*n:(i+1)*n])
		blas64.Scal(-2*dvar*m.b, vector(g))
		if m.trend > 0 {
			h := p.trendDefect(b.k[i*n : (i+1)*n])
			blas64.Axpy(-2*dvar*m.trend*h/m.onesT*m.a, vector(m.ones), vector(g))
		}
		if m.turn != nil {
			blas64.Gemv(blas.Trans, 1, *m.turn, vector(g), 0, vector(p.w))
			g = p.w
		}
		blas64.Axpy(dmean, vector(m.beta), vector(g))
		p.cov.Pull(nil, dx, g, b.q, i, 0)
	}
	b.self.Pull(nil, dx, []float64{2 * dvar * m.c}, b.q, i, i)
}

func resized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// solvePart replaces numbers from…to−1 of each row of b (stride ldb), whose first
// are those of L⁻¹row, by theirs. from is 0 or a multiple of tile.Cols.
func (s square) solvePart(b []float64, rows, ldb, from, to int) {
	if s.n < tile.Rows {
		for r := range rows {
			s.solve(b[r*ldb : r*ldb+s.n])
		}
		return
	}
	if rows < tile.Rows { // a row's digits must not depend on its neighbours
		pad := make([]float64, tile.Rows*s.n)
		for r := range rows {
			copy(pad[r*s.n:], b[r*ldb:r*ldb+s.n])
		}
		s.solveColumns(pad, tile.Rows, s.n, from, to)
		for r := range rows {
			copy(b[r*ldb:r*ldb+s.n], pad[r*s.n:])
		}
		return
	}
	s.solveColumns(b, rows, ldb, from, to)
}

// panel is how many rows of the factor a transposed solve takes at once.
const panel = 32

// solveTransposedRows replaces each of the given number of rows of b (stride ldb)
// by L⁻ᵀrow.
func (s square) solveTransposedRows(b []float64, rows, ldb int) {
	for hi := s.n; hi > 0 && rows > 0; hi -= panel {
		lo := max(0, hi-panel)
		for r := range rows {
			v := b[r*ldb : r*ldb+s.n]
			for i := hi - 1; i >= lo; i-- {
				v[i] /= s.data[i*s.n+i]
				x := v[i]
				for t, l := range s.data[i*s.n+lo : i*s.n+i] {
					v[lo+t] -= x * l
				}
			}
		}
		if lo > 0 {
			solved := blas64.General{Rows: rows, Cols: hi - lo, Stride: ldb, Data: b[lo:]}
			left := blas64.General{Rows: hi - lo, Cols: lo, Stride: s.n, Data: s.data[lo*s.n:]}
			blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, solved, left, 1, blas64.General{Rows: rows, Cols: lo, Stride: ldb, Data: b})
		}
	}
}
