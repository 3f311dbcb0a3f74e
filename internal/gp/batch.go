package gp

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"bohier/internal/points"
	"bohier/internal/tile"
)

// A batch is points with their solved systems, from LoadBatch to PullBatch.
type batch struct {
	q        *points.Set
	k, v, u  []float64   // by rows: correlations, F⁻¹k, (FF')⁻¹k where it is known
	known    []bool      // by point: u is computed
	g        []float64   // scratch
	means    [][]float64 // by model, then by point
	variance []float64   // by point, the same for all models
	constant []bool      // by point: the variance is floored at 0, so that its gradient is 0
	own      prior       // of the points, as within has it
	loads    int         // how often it was filled
}

func (p *exact) Open(mean, bound []float64, q *points.Set) (tighten func(bound []float64, at []int, share float64)) {
	m := p.models[0]
	if m.flip != nil {
		return openInFull(p, mean, bound, q)
	}
	o := &lazyBatch{m: m, means: p.newMeans(q.Len()), rows: make([]float64, q.Len()*m.x.Len()),
		prior: make([]float64, q.Len()), solved: make([]int, q.Len())}
	p.rows(p.within(q), o.rows, o.means, o.prior, q)
	if len(p.models) > 1 {
		o.q, p.open = q.Clone(), o
	}
	return o.start(mean, bound, 0)
}

// openInFull is Open for a predictor that knows no bound.
func openInFull(p Predictor, mean, bound []float64,
	q *points.Set) (tighten func(bound []float64, at []int, share float64)) {
	p.PredictBatch(mean, bound, q)
	known := slices.Clone(bound[:q.Len()])
	return func(bound []float64, at []int, _ float64) {
		for k, i := range at {
			bound[k] = known[i]
		}
	}
}

// A lazyBatch is points on the way to their variances.
type lazyBatch struct {
	m      *Model
	q      *points.Set // the points, where several models share them
	means  [][]float64 // of every model
	rows   []float64   // the first solved numbers of F⁻¹k, then of k
	prior  []float64   // variances without observations
	solved []int
	work   []float64
}

// start fills in what is known at once: the means of model nth, and loose bounds.
func (o *lazyBatch) start(mean, bound []float64, nth int) (tighten func(bound []float64, at []int, share float64)) {
	copy(mean, o.means[nth])
	for i, v := range o.prior {
		bound[i] = max(v, 0)
	}
	return o.tighten
}

func (o *lazyBatch) tighten(bound []float64, at []int, share float64) {
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
		row := o.rows[i*n : i*n+o.solved[i]]
		v := o.prior[i]
		if o.solved[i] < n {
			v *= 1 + 1e-12 // the sums of part and whole are rounded apart
		}
		bound[k] = max(v-o.m.b*floats.Dot(row, row), 0)
	}
}

// groups are the numbers of columns solved so far, below to.
func (o *lazyBatch) groups(at []int, to int) map[int]bool {
	out := map[int]bool{}
	for _, i := range at {
		if o.solved[i] < to {
			out[o.solved[i]] = true
		}
	}
	return out
}

func (p *exact) LoadBatch(mean, variance []float64, q *points.Set) {
	b, n, size := &p.loaded, p.models[0].x.Len(), q.Len()
	b.loads++
	b.q, b.means = q.Clone(), p.newMeans(size)
	b.k, b.v, b.u = resized(b.k, size*n), resized(b.v, size*n), resized(b.u, size*n)
	b.g, b.variance = resized(b.g, n), resized(b.variance, size)
	b.known, b.constant = make([]bool, size), make([]bool, size)
	b.own = p.within(b.q)
	p.rows(b.own, b.k, b.means, b.variance, b.q)
	copy(b.v, b.k)
	p.solve(b.v, b.variance)
	for r, v := range b.variance {
		b.constant[r] = v <= 0
		b.variance[r] = max(v, 0)
	}
	p.hold(mean, variance, b, 0)
}

// hold makes b the batch that p loaded last; nth is the place of p's model among those
// whose means b has.
func (p *exact) hold(mean, variance []float64, b *batch, nth int) {
	p.held, p.loads = b, b.loads
	copy(mean, b.means[nth])
	copy(variance, b.variance)
}

func (p *exact) PullBatch(dx [][]float64, dmean, dvar []float64) {
	b := p.held
	if p.loads != b.loads {
		panic("gp: PullBatch after the first of several predictors loaded other points")
	}
	p.solveLoaded(b, dx)
	for i, d := range dx {
		if d != nil {
			p.pull(d, dmean[i], dvar[i], i)
		}
	}
}

// solveLoaded makes (FF')⁻¹k known for the points that want a gradient.
func (p *exact) solveLoaded(b *batch, dx [][]float64) {
	m := p.models[0]
	n := m.x.Len()
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
	m.f.solveTransposedRows(packed, len(rows), n)
	for r, i := range rows {
		copy(b.u[i*n:(i+1)*n], packed[r*n:(r+1)*n])
		b.known[i] = true
	}
}

// pull is PullBatch for point i.
func (p *exact) pull(dx []float64, dmean, dvar float64, i int) {
	b, m := p.held, p.models[0]
	n := m.x.Len()
	if b.constant[i] {
		dvar = 0
	}
	if n > 0 {
		g := b.g
		copy(g, b.u[i*n:(i+1)*n])
		blas64.Scal(-2*dvar*m.b, vector(g))
		if m.flip != nil {
			blas64.Gemv(blas.Trans, 1, m.flip.t, vector(g), 0, vector(p.w))
			g = p.w
		}
		blas64.Axpy(dmean, vector(m.beta), vector(g))
		p.cov.Pull(nil, dx, g, b.q, i, 0)
	}
	b.own.pull(dx, 2*dvar*m.c, b.q, i)
}

func resized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// solvePart replaces numbers from…to−1 of each row of b (stride ldb), whose first
// are those of L⁻¹row, by theirs. from is 0 or a multiple of tile.Cols.
func (s matrix) solvePart(b []float64, rows, ldb, from, to int) {
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
func (s matrix) solveTransposedRows(b []float64, rows, ldb int) {
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
			blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, solved, left, 1,
				blas64.General{Rows: rows, Cols: lo, Stride: ldb, Data: b})
		}
	}
}
