package gp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A basis is the functions of a linear mean.
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
}

// flatPrecision is the prior precision of a slope where hyperparameters have no priors: it
// only keeps a slope at 0 that the observations say nothing about. Otherwise the prior of
// a slope is Normal(0, 1): from end to end of the coordinate's range the mean moves by
// about one standard deviation of the values.
const flatPrecision = 1e-6

// addMean puts into p what Options.Mean says. The slopes of a linear mean that have priors are
// integrated out: the covariance function has theirs besides (plane). Others are estimated, with
// the constant (weighed).
func (p *problem) addMean(o Options) {
	mean := &p.params[p.meanAt()]
	if o.Mean == "zero" {
		*mean, p.profile = kernels.Param{Name: mean.Name}, false
	}
	if o.Mean != "linear" {
		return
	}
	b := &basis{constant: p.profile, mode: p.meanMode, constantPrecision: p.meanPrec, precision: flatPrecision}
	for c, width := range o.Linear {
		if width > 0 {
			b.coords, b.width = append(b.coords, c), append(b.width, width)
		}
	}
	switch {
	case !p.priors || p.kriging:
		p.basis = b
	case len(b.coords) > 0:
		b.constant, b.precision = false, 1
		p.plane = b
	}
	if b.len() == 0 {
		p.basis = nil
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

// columns are the values of every function at the points of x, one function after the other.
func (b *basis) columns(x *points.Set) []float64 {
	n := x.Len()
	out := make([]float64, b.len()*n)
	for j := range b.len() {
		for i := range n {
			out[j*n+i] = b.value(j, x, i)
		}
	}
	return out
}

// A plane is a kernel's covariance function with that of a linear mean besides, whose slopes
// are independent and normal: H·B·H' with B their prior variances (Rasmussen & Williams 2006,
// eq. 2.40).
type plane struct {
	kernels.Cov
	*basis
	scale float64   // of what is added, in units of the signal
	h     []float64 // columns of the reference points
	n     int
}

// with adds b, nil for none, to the covariance function of a kernel bound to y.
func (b *basis) with(cov kernels.Cov, y *points.Set, signal float64) kernels.Cov {
	if b == nil {
		return cov
	}
	return &plane{cov, b, 1 / signal, b.columns(y), y.Len()}
}

func (c *plane) With(y *points.Set) kernels.Cov { return c.basis.with(c.Cov.With(y), y, 1/c.scale) }

func (c *plane) Row(dst []float64, x *points.Set, i, lo int) {
	c.Cov.Row(dst, x, i, lo)
	for j := range c.basis.len() {
		if v := c.value(j, x, i); v != 0 {
			blas64.Axpy(c.scale*v/c.precision, vector(c.column(j, lo, len(dst))), vector(dst))
		}
	}
}

func (c *plane) Pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	c.Cov.Pull(dtheta, dx, w, x, i, lo)
	if dx == nil {
		return
	}
	for j, at := range c.coords {
		if x.Active(at, i) {
			dx[at] += c.scale / (c.precision * c.width[j]) * floats.Dot(w, c.column(j, lo, len(w)))
		}
	}
}

// column is function j at n reference points from lo on.
func (c *plane) column(j, lo, n int) []float64 { return c.h[j*c.n+lo:][:n] }

// gram sets dst to the lower triangle of what the basis adds to the covariance of x.
func (b *basis) gram(dst matrix, x *points.Set) {
	h, n := b.columns(x), x.Len()
	for j := range b.len() {
		column := h[j*n : (j+1)*n]
		for i, v := range column {
			if v != 0 {
				blas64.Axpy(v/b.precision, vector(column[:i+1]), vector(dst.row(i)[:i+1]))
			}
		}
	}
}

// weighed is a basis whose weights are estimated by generalised least squares (Rasmussen &
// Williams 2006, §2.7).
type weighed struct {
	*basis
	solved  []float64         // L⁻¹h of every function, by rows
	root    blas64.Triangular // of A = H'T⁻¹H + the prior precisions
	weights []float64
}

// weigh solves for the basis on points x with the factor l. It reports false where
// the observations leave the weights undetermined.
func (b *basis) weigh(l matrix, x *points.Set) (*weighed, bool) {
	k, n := b.len(), x.Len()
	w := &weighed{basis: b, solved: b.columns(x), weights: make([]float64, k)}
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

// estimate sets the weights to their optimum for values whose L⁻¹y is z, and takes the
// weighted sum from z.
func (w *weighed) estimate(z []float64) {
	k, at := w.len(), w.rows(len(z))
	blas64.Gemv(blas.NoTrans, 1, at, vector(z), 0, vector(w.weights))
	if w.constant {
		w.weights[k-1] += w.constantPrecision * w.mode
	}
	blas64.Trsv(blas.NoTrans, w.root, vector(w.weights))
	blas64.Trsv(blas.Trans, w.root, vector(w.weights))
	blas64.Gemv(blas.Trans, -1, at, vector(w.weights), 1, vector(z))
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

// expected are the slopes of the plane given the observations, standardised.
func (m *Model) expected() []float64 {
	n := m.x.Len()
	c := m.plane.with(nil, m.x, m.a).(*plane)
	out := make([]float64, c.len())
	for j := range out {
		out[j] = c.scale / c.precision * floats.Dot(m.beta, c.column(j, 0, n))
	}
	return out
}

// Slopes are those of a linear mean, by coordinate: by how much the mean of y rises from
// the lower to the upper end of the coordinate's range, averaged over hyperparameter
// samples. They are nil where the mean is not linear.
func (m *Model) Slopes() map[int]float64 {
	b := m.linear
	if m.plane != nil {
		b = m.plane
	}
	if b == nil {
		return nil
	}
	out := map[int]float64{}
	samples := m.Samples()
	for _, s := range samples {
		slopes := s.slopes
		if s.plane != nil {
			slopes = s.expected()
		}
		for j, c := range b.coords {
			out[c] += s.units.Deviation(slopes[j]) / float64(len(samples))
		}
	}
	return out
}
