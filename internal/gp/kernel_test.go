package gp

import (
	"fmt"
	"math"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// ard is a small test kernel on numeric coordinates: squared exponential or
// Matérn-5/2 with a lengthscale each; where weighted, times a component weight.
type ard struct {
	ordinary
	params   []kernels.Param
	d        int
	matern   bool
	weighted bool
}

// ordinary is a kernel in all but its hyperparameters and values.
type ordinary struct{}

func (ordinary) NeedsFlip() bool                { return false }
func (ordinary) MeanVariance() kernels.Variance { return nil }
func (ordinary) UniformVariance() bool          { return false }
func (ordinary) Trend() *kernels.Trend          { return nil }

func newARD(d int, matern, weighted bool) *ard {
	k := &ard{d: d, matern: matern, weighted: weighted}
	for j := range d {
		k.params = append(k.params, kernels.Param{Name: fmt.Sprintf("lengthscale[x%d]", j), Init: 0.5,
			Lo: 0.01, Hi: 100, Scale: kernels.Log,
			Prior: kernels.LogNormal{Mu: math.Sqrt2 + math.Log(float64(d))/2, Sigma: math.Sqrt(3)}})
	}
	if weighted {
		k.params = append(k.params, kernels.Param{Name: "weight", Init: 1, Lo: 1e-3, Hi: 1e4, Scale: kernels.Log,
			Variance: true})
	}
	return k
}

func (k *ard) Params() []kernels.Param { return k.params }

func (k *ard) Bind(theta []float64, y *points.Set) kernels.Cov {
	return newRowCov(theta, y, func(theta []float64, y *points.Set) rowwise {
		c := &ardCov{k: k, y: y, w: 1, theta: append([]float64(nil), theta...), inv: make([]float64, k.d)}
		for j := range k.d {
			c.inv[j] = 1 / (theta[j] * theta[j])
		}
		if k.weighted {
			c.w = theta[k.d]
		}
		return c
	})
}

// rowwise is a covariance function with the gradients by rows.
type rowwise interface {
	Row(dst []float64, x *points.Set, i, lo int)
	// pull adds the gradients by hyperparameters and by coordinates, unless they are nil.
	pull(dtheta, dx, w []float64, x *points.Set, i, lo int)
}

// A rowCov makes triangles row by row.
type rowCov struct {
	rowwise
	theta []float64
	y     *points.Set
	bind  func(theta []float64, y *points.Set) rowwise
}

func newRowCov(theta []float64, y *points.Set, bind func([]float64, *points.Set) rowwise) kernels.Cov {
	return &rowCov{bind(theta, y), append([]float64(nil), theta...), y, bind}
}

func (c *rowCov) With(y *points.Set) kernels.Cov { return newRowCov(c.theta, y, c.bind) }
func (c *rowCov) Rebind(theta []float64)         { *c = *newRowCov(theta, c.y, c.bind).(*rowCov) }

func (c *rowCov) Pull(dx, w []float64, x *points.Set, i, lo int) { c.pull(nil, dx, w, x, i, lo) }

func (c *rowCov) Gram(dst []float64, stride int, _ *kernels.Tape) {
	for i := range c.y.Len() {
		c.Row(dst[i*stride:][:i+1], c.y, i, 0)
	}
}

func (c *rowCov) PullGram(dtheta, w []float64, stride int, _ *kernels.Tape) {
	for i := range c.y.Len() {
		c.pull(dtheta, nil, w[i*stride:][:i+1], c.y, i, 0)
	}
}

type ardCov struct {
	k     *ard
	y     *points.Set
	w     float64
	theta []float64
	inv   []float64
	r2    []float64
	g     []float64
}

func (c *ardCov) distances(m int, x *points.Set, i, lo int) []float64 {
	if cap(c.r2) < m {
		c.r2, c.g = make([]float64, m), make([]float64, m)
	}
	r2 := c.r2[:m]
	clear(r2)
	for j := range c.k.d {
		xi, col, inv := x.At(j, i), c.y.Col(j)[lo:lo+m], c.inv[j]
		for t, v := range col {
			d := xi - v
			r2[t] += d * d * inv
		}
	}
	return r2
}

func (c *ardCov) Row(dst []float64, x *points.Set, i, lo int) {
	for t, r2 := range c.distances(len(dst), x, i, lo) {
		if c.k.matern {
			r := math.Sqrt(5 * r2)
			dst[t] = c.w * (1 + r + r*r/3) * math.Exp(-r)
		} else {
			dst[t] = c.w * math.Exp(-r2/2)
		}
	}
}

func (c *ardCov) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	m := len(w)
	r2 := c.distances(m, x, i, lo)
	g := c.g[:m] // dk/d(r²), weighted
	for t, v := range r2 {
		if c.k.matern {
			r := math.Sqrt(5 * v)
			e := math.Exp(-r)
			g[t] = -w[t] * c.w * 5. / 6 * (1 + r) * e
			if dtheta != nil && c.k.weighted {
				dtheta[c.k.d] += w[t] * (1 + r + r*r/3) * e
			}
		} else {
			e := math.Exp(-v / 2)
			g[t] = -w[t] * c.w * e / 2
			if dtheta != nil && c.k.weighted {
				dtheta[c.k.d] += w[t] * e
			}
		}
	}
	for j := range c.k.d {
		xi, col, inv := x.At(j, i), c.y.Col(j)[lo:lo+m], c.inv[j]
		s, s2 := 0.0, 0.0
		for t, v := range col {
			d := xi - v
			s += g[t] * d
			s2 += g[t] * d * d
		}
		if dx != nil {
			dx[j] += 2 * s * inv
		}
		if dtheta != nil {
			dtheta[j] -= 2 * s2 * inv / c.theta[j]
		}
	}
}
