package gp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A basis is functions whose weighted sum is estimated by generalised least squares
// (Rasmussen & Williams 2006, §2.7): those of the linear mean.
//
// A slope's function is the distance of its coordinate from the middle of the range,
// −½ … ½. An inactive coordinate is in the middle: it contributes nothing.
type basis struct {
	coords   []int     // that have slopes
	width    []float64 // of their ranges
	constant bool      // 1 is one of the functions, the last
	mode     float64   // of the constant's prior
	// The weights' prior precisions: they are normal, slopes around 0.
	precision, constantPrecision float64
	// The weights are integrated out under that prior; otherwise set to their optimum.
	marginal bool
}

// flatPrecision is the prior precision of a slope where hyperparameters have no priors: it
// only keeps a slope at 0 that the observations say nothing about. Otherwise the prior of
// a slope is Normal(0, 1): from end to end of the coordinate's range the mean moves by
// about one standard deviation of the values.
const flatPrecision = 1e-6

// addMean puts into p what Options.Mean says.
func (p *problem) addMean(o Options) {
	mean := &p.params[p.meanAt()]
	if o.Mean == "zero" {
		*mean, p.profile = kernels.Param{Name: mean.Name}, false
	}
	if o.Mean != "linear" {
		return
	}
	b := &basis{constant: p.profile, mode: p.meanMode, constantPrecision: p.meanPrec, precision: flatPrecision}
	if b.marginal = p.priors && !p.kriging; b.marginal {
		b.precision = 1
	}
	for c, width := range o.Linear {
		if width > 0 {
			b.coords, b.width = append(b.coords, c), append(b.width, width)
		}
	}
	if b.len() > 0 {
		p.basis = b
	}
}

func (b *basis) len() int {
	if b.constant {
		return len(b.coords) + 1
	}
	return len(b.coords)
}

// prior is the precision of weight j.
func (b *basis) prior(j int) float64 {
	if j == len(b.coords) {
		return b.constantPrecision
	}
	return b.precision
}

// value is function j at point i.
func (b *basis) value(j int, x *points.Set, i int) float64 {
	if j == len(b.coords) {
		return 1
	}
	if c := b.coords[j]; x.Active(c, i) {
		return x.At(c, i)/b.width[j] - 0.5
	}
	return 0
}

// weighed is a basis on the points of a model: what its uncertainty takes.
type weighed struct {
	*basis
	solved  []float64         // L⁻¹h of every function, by rows; then T⁻¹h
	root    blas64.Triangular // of A = H'T⁻¹H + the prior precisions
	weights []float64         // their optimum, where they were estimated
}

// weigh solves for the basis on points x with the factor l. It reports false where
// the observations leave the weights undetermined.
func (b *basis) weigh(l matrix, x *points.Set) (*weighed, bool) {
	k, n := b.len(), x.Len()
	w := &weighed{basis: b, solved: make([]float64, k*n), weights: make([]float64, k)}
	for j := range k {
		for i := range n {
			w.solved[j*n+i] = b.value(j, x, i)
		}
	}
	l.solveRows(w.solved, k, n)
	a := newMatrix(k).symmetric()
	blas64.Syrk(blas.NoTrans, 1, w.rows(n), 0, a)
	for j := range k {
		a.Data[j*k+j] += b.prior(j)
	}
	var ok bool
	w.root, ok = lapack64.Potrf(a)
	return w, ok
}

func (w *weighed) rows(n int) blas64.General { return byRows(n, w.solved) }

// estimate sets the weights to their optimum for values whose L⁻¹y is z, takes the
// weighted sum from z, and returns the logarithm of what the weights contribute to
// the posterior, without the constant's prior.
func (w *weighed) estimate(z []float64) (logp float64) {
	k, at := w.len(), w.rows(len(z))
	blas64.Gemv(blas.NoTrans, 1, at, vector(z), 0, vector(w.weights))
	if w.constant {
		w.weights[k-1] += w.constantPrecision * w.mode
	}
	blas64.Trsv(blas.NoTrans, w.root, vector(w.weights))
	blas64.Trsv(blas.Trans, w.root, vector(w.weights))
	blas64.Gemv(blas.Trans, -1, at, vector(w.weights), 1, vector(z))
	if !w.marginal {
		return 0
	}
	for j, v := range w.weights {
		logp += halfLog2Pi - math.Log(w.root.Data[j*k+j]) // ∫ of the Gaussian around the optimum
		if j < len(w.coords) {
			logp += math.Log(w.precision)/2 - halfLog2Pi - w.precision*v*v/2
		}
	}
	return logp
}

// spread replaces every L⁻¹h by the rows of A^(−½)·H'T⁻¹, whose outer products are
// what the determinant of A adds to the weights of the gradient (differentiate), and
// returns tr(A⁻¹H'T⁻¹H).
func (w *weighed) spread(l matrix) (trace float64) {
	n := l.n
	at := w.rows(n)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, w.root, at)
	for _, v := range w.solved {
		trace += v * v
	}
	l.solveTransposedRows(w.solved, w.len(), n)
	return trace
}

// defect is h(q) − H'T⁻¹(a·k) at point i of q with (turned) correlations k, times A^(−½).
func (w *weighed) defect(q *points.Set, i int, a float64, k []float64) []float64 {
	h := make([]float64, w.len())
	for j := range h {
		h[j] = w.value(j, q, i)
	}
	blas64.Gemv(blas.NoTrans, -a, w.rows(len(k)), vector(k), 1, vector(h))
	blas64.Trsv(blas.NoTrans, w.root, vector(h))
	return h
}

// setBasis keeps the basis b on the model's points.
func (m *Model) setBasis(b *basis) bool {
	w, ok := b.weigh(m.l, m.x)
	if !ok {
		return false
	}
	m.l.solveTransposedRows(w.solved, w.len(), m.x.Len())
	m.basis = w
	return true
}

// turned returns T·k, in scratch memory, where the model has a spectrum flip T, and k
// otherwise.
func (p *exact) turned(k []float64) []float64 {
	flip := p.models[0].flip
	if flip == nil {
		return k
	}
	blas64.Gemv(blas.NoTrans, 1, flip.t, vector(k), 0, vector(p.w))
	return p.w
}

// pullMean adds to dx, and to the weights g of (turned) correlations k, what the
// mean and its uncertainty at point i of q contribute to the gradient.
func (m *Model) pullMean(dx, g []float64, dmean, dvar float64, q *points.Set, i int, k []float64) {
	slope := func(b *basis, j int, v float64) {
		if c := b.coords[j]; q.Active(c, i) {
			dx[c] += v / b.width[j]
		}
	}
	for j, v := range m.slopes {
		slope(m.linear, j, dmean*v)
	}
	if m.basis == nil {
		return
	}
	u := m.basis.defect(q, i, m.a, k)
	blas64.Trsv(blas.Trans, m.basis.root, vector(u))
	blas64.Gemv(blas.Trans, -2*dvar*m.a, m.basis.rows(len(k)), vector(u), 1, vector(g))
	for j := range m.basis.coords {
		slope(m.basis.basis, j, 2*dvar*u[j])
	}
}

// meanAt is the mean before observations at point i of q.
func (m *Model) meanAt(q *points.Set, i int) float64 {
	mean := m.theta[m.kernelParams+2]
	for j, v := range m.slopes {
		mean += v * m.linear.value(j, q, i)
	}
	if t := kernels.TrendOf(m.kernel); t != nil {
		mean += t.At(m.theta, q, i)
	}
	return mean
}

// Slopes are those of a linear mean, by coordinate: by how much the mean of y rises from
// the lower to the upper end of the coordinate's range, averaged over hyperparameter
// samples. They are nil where the mean is not linear.
func (m *Model) Slopes() map[int]float64 {
	if m.linear == nil {
		return nil
	}
	out := map[int]float64{}
	samples := m.Samples()
	for _, s := range samples {
		for j, c := range s.linear.coords {
			out[c] += s.units.Deviation(s.slopes[j]) / float64(len(samples))
		}
	}
	return out
}
