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
	narrow   bool      // the points lacked the fixed coordinates of a section
	v, u     []float64 // by rows: F⁻¹k, (FF')⁻¹k where it is known
	known    []bool    // by point: u is computed
	g        []float64 // scratch
	constant []bool    // by point: the variance is floored at 0, so that its gradient is 0
	own      prior     // of the points, as within has it
}

// Open starts predicting the points of q: it fills means[k][i] and, in bound[i], the variance without observations, and
// returns a function that tightens it: that sets bound[k] to the variance of point at[k] given only the first ⌊share·n⌋
// of the n observations, an upper bound of the posterior variance, exact at share 1. For a point, shares must not fall.
// Reaching a share costs, all told, its square of a triangular solve. The function may run while the predictor serves
// other calls, but not beside itself. Models for which a part of the observations gives no bound are predicted in full
// at once.
func (p *Predictor) Open(means [][]float64, bound []float64, q *points.Set) (tighten func(bound []float64, at []int,
	share float64)) {
	m, n := p.models[0], q.Len()
	if m.flip != nil {
		p.predict(means, bound, q)
		known := slices.Clone(bound[:n])
		return func(bound []float64, at []int, _ float64) {
			for k, i := range at {
				bound[k] = known[i]
			}
		}
	}
	q = m.completed(q)
	o := &lazyBatch{m: m, rows: make([]float64, n*m.x.Len()), prior: make([]float64, n), solved: make([]int, n)}
	p.rows(p.within(q), o.rows, means, o.prior, q)
	for i, v := range o.prior {
		bound[i] = max(v, 0)
	}
	return o.tighten
}

// A lazyBatch is points on the way to their variances.
type lazyBatch struct {
	m      *Model
	rows   []float64 // the first solved numbers of F⁻¹k, then of k
	prior  []float64 // variances without observations
	solved []int
	work   []float64
}

func (o *lazyBatch) tighten(bound []float64, at []int, share float64) {
	n := o.m.x.Len()
	to := n
	if m := int(share*float64(n)) / tile.Cols * tile.Cols; n >= 24 && share < 1 {
		to = m
	}
	groups := map[int][]int{} // of points, by the columns solved so far
	for _, i := range at {
		if from := o.solved[i]; from < to {
			groups[from] = append(groups[from], i)
		}
	}
	o.work = slices.Grow(o.work[:0], len(at)*n)[:len(at)*n]
	for from, rows := range groups {
		for k, i := range rows {
			copy(o.work[k*n:k*n+to], o.rows[i*n:i*n+to])
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

// LoadBatch is PredictBatch, for a few dozen points and with the means of every model, that keeps the inputs of
// PullBatch.
func (p *Predictor) LoadBatch(means [][]float64, variance []float64, q *points.Set) {
	p.load(&p.loaded, means, variance, q)
}

func (p *Predictor) load(b *batch, means [][]float64, variance []float64, q *points.Set) {
	n, size := p.models[0].x.Len(), q.Len()
	b.q = p.models[0].completed(q)
	b.narrow = b.q != q
	b.v, b.u = slices.Grow(b.v[:0], size*n)[:size*n], slices.Grow(b.u[:0], size*n)[:size*n]
	b.g = slices.Grow(b.g[:0], n)[:n]
	b.known, b.constant = make([]bool, size), make([]bool, size)
	b.own = p.within(b.q)
	p.rows(b.own, b.v, means, variance, b.q)
	p.solve(b.v, variance)
	for r, v := range variance {
		b.constant[r] = v <= 0
		variance[r] = max(v, 0)
	}
}

// PullBatch adds dmean[i]·∂mean/∂x + dvar[i]·∂variance/∂x, of model nth, at point i of the last
// LoadBatch, whose points are still there, to dx[i], unless that is nil. A variance floored at 0 is constant.
func (p *Predictor) PullBatch(nth int, dx [][]float64, dmean, dvar []float64) {
	p.solveLoaded(dx)
	for i, d := range dx {
		switch {
		case d == nil:
		case p.loaded.narrow:
			wide := make([]float64, p.loaded.q.Dim())
			p.pull(nth, wide, dmean[i], dvar[i], i)
			floats.Add(d, wide[:len(d)])
		default:
			p.pull(nth, d, dmean[i], dvar[i], i)
		}
	}
}

// solveLoaded makes (FF')⁻¹k known for the points that want a gradient.
func (p *Predictor) solveLoaded(dx [][]float64) {
	b, m := &p.loaded, p.models[0]
	n := m.x.Len()
	var rows [][]float64
	for i, d := range dx {
		if d != nil && !b.known[i] {
			rows, b.known[i] = append(rows, b.u[i*n:(i+1)*n]), true
			copy(rows[len(rows)-1], b.v[i*n:])
		}
	}
	m.f.solveTransposedRows(rows)
}

// pull is PullBatch for point i.
func (p *Predictor) pull(nth int, dx []float64, dmean, dvar float64, i int) {
	b, m := &p.loaded, p.models[nth]
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
		p.cov.Pull(dx, g, b.q, i, 0)
	}
	b.own.pull(dx, 2*dvar*m.c, b.q, i)
}

// panel is how many rows of the factor a transposed solve takes at once.
const panel = 32

// solveTransposedRows replaces each row by L⁻ᵀrow.
func (s matrix) solveTransposedRows(rows [][]float64) {
	for hi := s.n; hi > 0; hi -= panel {
		lo := max(0, hi-panel)
		for _, v := range rows {
			for i := hi - 1; i >= lo; i-- {
				v[i] /= s.data[i*s.n+i]
				x := v[i]
				for t, l := range s.data[i*s.n+lo : i*s.n+i] {
					v[lo+t] -= x * l
				}
			}
			tile.Subtract(v[:lo], v[lo:hi], s.data[lo*s.n:], s.n)
		}
	}
}
