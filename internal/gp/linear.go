package gp

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/points"
)

// A basis is the functions of a linear mean, one for each coordinate with a slope: the distance from the middle of its
// range, −½ … ½. An inactive coordinate is in the middle: it contributes nothing. The last function may be 1.
type basis struct {
	coords   []int
	width    []float64     // of their ranges
	variance float64       // of a slope's prior, a normal one around 0
	constant float64       // variance of the prior of the constant around its mode; 0: it is estimated
	declared kernels.Param // of the constant
}

// wideVariance is the prior variance of a slope where hyperparameters have no priors: it leaves the
// slope to the observations. Otherwise it is 1: from end to end of the coordinate's range the mean
// moves by about one standard deviation of the values.
const wideVariance = 100

// addMean puts the mean of Options.Mean into p. The slopes of a linear mean are integrated out, and so is a constant
// with a prior: the covariance function has theirs besides (plane).
func (p *problem) addMean(o Options) {
	mean := &p.params[p.meanAt()]
	if o.Mean == "zero" {
		*mean, p.profile = kernels.Param{Name: mean.Name}, false
	}
	if o.Mean != "linear" {
		return
	}
	b := &basis{variance: 1}
	if !p.priors || p.kriging {
		b.variance = wideVariance
	}
	for c, width := range o.Linear {
		if width > 0 {
			b.coords, b.width = append(b.coords, c), append(b.width, width)
		}
	}
	if len(b.coords) == 0 {
		return
	}
	if p.plane = b; p.profile && p.meanPrec > 0 {
		b.constant, b.declared, p.profile = 1/p.meanPrec, *mean, false
		*mean = kernels.Param{Name: mean.Name, Init: p.meanMode, Lo: p.meanMode, Hi: p.meanMode}
	}
}

func (b *basis) len() int {
	if b.constant > 0 {
		return len(b.coords) + 1
	}
	return len(b.coords)
}

// prior is the variance of weight j.
func (b *basis) prior(j int) float64 {
	if j == len(b.coords) {
		return b.constant
	}
	return b.variance
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

// A plane is a kernel's covariance function with that of a linear mean besides, whose slopes are independent and
// normal: H·B·H' with B their prior variances (Rasmussen & Williams 2006, eq. 2.40).
type plane struct {
	kernels.Cov
	*basis
	scale float64   // of the addition, in units of the signal
	h     []float64 // columns of the reference points
	n     int
	at    []float64 // scratch: the functions at a point, times their prior variances
}

// with adds b, nil for none, to the covariance function of a kernel bound to y.
func (b *basis) with(cov kernels.Cov, y *points.Set, signal float64) kernels.Cov {
	if b == nil {
		return cov
	}
	return &plane{cov, b, 1 / signal, b.columns(y), y.Len(), make([]float64, b.len())}
}

func (c *plane) With(y *points.Set) kernels.Cov { return c.with(c.Cov.With(y), y, 1/c.scale) }

func (c *plane) Row(dst []float64, x *points.Set, i, lo int) {
	c.Cov.Row(dst, x, i, lo)
	for j := range c.at {
		c.at[j] = c.value(j, x, i) * c.prior(j)
	}
	h := blas64.General{Rows: len(c.at), Cols: len(dst), Stride: max(c.n, 1), Data: c.h[lo:]}
	blas64.Gemv(blas.Trans, c.scale, h, vector(c.at), 1, vector(dst))
}

func (c *plane) Pull(dx, w []float64, x *points.Set, i, lo int) {
	c.Cov.Pull(dx, w, x, i, lo)
	for j, at := range c.coords {
		if x.Active(at, i) {
			dx[at] += c.scale * c.variance / c.width[j] * floats.Dot(w, c.column(j, lo, len(w)))
		}
	}
}

// own is the plane's contribution to k(x, x) at point i of x.
func (c *plane) own(x *points.Set, i int) (sum float64) {
	for j := range c.len() {
		v := c.value(j, x, i)
		sum += c.prior(j) * v * v
	}
	return c.scale * sum
}

// pullOwn is Pull for that, with one of the two points held.
func (c *plane) pullOwn(dx []float64, w float64, x *points.Set, i int) {
	for j, at := range c.coords { // value is 0 where inactive
		dx[at] += w * c.scale * c.variance / c.width[j] * c.value(j, x, i)
	}
}

// column is function j at n reference points from lo on.
func (c *plane) column(j, lo, n int) []float64 { return c.h[j*c.n+lo:][:n] }

// gram sets dst to the lower triangle of the basis's part in the covariance of x.
func (b *basis) gram(dst matrix, x *points.Set) {
	h, n := b.columns(x), x.Len()
	for j := range b.len() {
		column := h[j*n : (j+1)*n]
		for i, v := range column {
			if v != 0 {
				blas64.Axpy(v*b.prior(j), vector(column[:i+1]), vector(dst.row(i)[:i+1]))
			}
		}
	}
}

// meanAt is the mean before observations at point i of q.
func (m *Model) meanAt(q *points.Set, i int) float64 {
	mean := m.theta[m.kernelParams+2]
	if t := m.kernel.Trend(); t != nil {
		mean += t.At(m.theta, q, i)
	}
	return mean
}

// weights are those of the plane that the observations let expect, the constant's beside its mode.
func (m *Model) weights() []float64 {
	h := m.plane.with(nil, m.x, m.a).(*plane)
	return lists.Make(h.len(), func(j int) float64 {
		return h.scale * h.prior(j) * floats.Dot(m.beta, h.column(j, 0, h.n))
	})
}

// Slopes are those of a linear mean, by coordinate: by how much the mean of y rises from
// the lower to the upper end of the coordinate's range.
// They are nil where the mean is not linear.
func (m *Model) Slopes() map[int]float64 {
	if m.plane == nil {
		return nil
	}
	out := map[int]float64{}
	weights := m.weights()
	for j, c := range m.plane.coords {
		out[c] = m.units.Deviation(weights[j])
	}
	return out
}
