package kernels_test

import (
	"math"
	"math/rand/v2"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// gradients compares Pull with central differences of Σ_t w_t k(x_i, y_t).
func (c *Counts) gradients(t Failer, r *rand.Rand, k kernels.Kernel, theta []float64, s Space, o Options) {
	t.Helper()
	y := s.Points(r, 7)
	x := s.Points(r, 3)
	if !o.Kinks {
		x.Copy(2, y, 3) // a coinciding pair
	}
	lo, n := 1, 6
	w := make([]float64, n)
	for i := range w {
		w[i] = r.NormFloat64()
	}
	row := make([]float64, n)
	value := func(theta []float64, x *points.Set, i int) float64 {
		k.Bind(theta, y).Row(row, x, i, lo)
		sum := 0.0
		for t, v := range row {
			sum += w[t] * v
		}
		return sum
	}
	params := k.Params()
	for i := range x.Len() {
		size := 0.0
		k.Bind(theta, y).Row(row, x, i, lo)
		for t, v := range row {
			size += math.Abs(w[t] * v)
		}
		g := gradient(k, len(theta), x.Dim())
		k.Bind(theta, y).Pull(g.theta, g.x, w, x, i, lo)
		separate := gradient(k, len(theta), x.Dim())
		cov := k.Bind(theta, y)
		cov.Pull(separate.theta, nil, w, x, i, lo)
		cov.Pull(nil, separate.x, w, x, i, lo)
		for j, p := range params {
			if p.Choices > 0 {
				continue
			}
			got := difference(theta[j], p.Lo > 0 || p.Scale == kernels.Log, func(v float64) float64 {
				moved := append([]float64(nil), theta...)
				moved[j] = v
				return value(moved, x, i)
			})
			c.Theta++
			if !near(g.theta[j], got, size/math.Abs(theta[j])) || g.theta[j] != separate.theta[j] {
				t.Errorf("∂/∂%s = %g (alone %g), differences give %g", p.Name, g.theta[j], separate.theta[j], got)
			}
		}
		for d, co := range s.Coords {
			if co.Levels > 0 || !x.Active(d, i) || o.Kinks && crowded(x, i, y, d) {
				continue
			}
			got := difference(x.At(d, i), false, func(v float64) float64 {
				moved := x.Clone()
				moved.Col(d)[i] = v
				return value(theta, moved, i)
			})
			c.Points++
			if !near(g.x[d], got, size) || g.x[d] != separate.x[d] {
				t.Errorf("∂/∂x[%s] = %g (alone %g), differences give %g", co.Name, g.x[d], separate.x[d], got)
			}
		}
	}
}

// crowded reports whether a reference point lies within 0.03 of x_i along d,
// where a kink spoils differences.
func crowded(x *points.Set, i int, y *points.Set, d int) bool {
	for t := range y.Len() {
		if math.Abs(x.At(d, i)-y.At(d, t)) < 0.03 {
			return true
		}
	}
	return false
}

// near allows a relative error of 1e-6, and as much of the natural size of the
// derivative, since differences lose digits where terms cancel.
func near(a, b, size float64) bool {
	return math.Abs(a-b) <= 1e-6*(math.Abs(b)+0.1*size)+1e-12
}

// difference is the fourth-order central difference of f at v.
func difference(v float64, relative bool, f func(float64) float64) float64 {
	h := 1e-4
	if relative {
		h *= math.Abs(v)
	}
	d1 := (f(v+h) - f(v-h)) / (2 * h)
	d2 := (f(v+2*h) - f(v-2*h)) / (4 * h)
	return (4*d1 - d2) / 3
}
