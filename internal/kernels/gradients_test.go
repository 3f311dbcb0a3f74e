package kernels_test

import (
	"math"
	"math/rand/v2"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// gradients compares Pull and PullGram with central differences.
func (c *Counts) gradients(t Failer, r *rand.Rand, k kernels.Kernel, theta []float64, s Space, o Options) {
	t.Helper()
	y := s.Points(r, 7)
	x := s.Points(r, 3)
	if !o.Kinks {
		x.Copy(2, y, 3) // a coinciding pair
		y.Copy(5, y, 1)
	}
	c.byTheta(t, r, k, theta, y)
	lo, n := 1, 6
	w := make([]float64, n)
	for i := range w {
		w[i] = r.NormFloat64()
	}
	row := make([]float64, n)
	value := func(x *points.Set, i int) float64 {
		k.Bind(theta, y).Row(row, x, i, lo)
		sum := 0.0
		for t, v := range row {
			sum += w[t] * v
		}
		return sum
	}
	for i := range x.Len() {
		size := 0.0
		k.Bind(theta, y).Row(row, x, i, lo)
		for t, v := range row {
			size += math.Abs(w[t] * v)
		}
		dx := make([]float64, x.Dim())
		k.Bind(theta, y).Pull(dx, w, x, i, lo)
		for d, co := range s.Coords {
			if co.Levels > 0 || !x.Active(d, i) || o.Kinks && crowded(x, i, y, d) {
				continue
			}
			got := difference(x.At(d, i), false, func(v float64) float64 {
				moved := x.Clone()
				moved.Col(d)[i] = v
				return value(moved, i)
			})
			c.Points++
			if !near(dx[d], got, size) {
				t.Errorf("∂/∂x[%s] = %g, differences give %g", co.Name, dx[d], got)
			}
		}
	}
}

// byTheta checks the gradient of Σ_{j≤i} w_ij·k(y_i, y_j) by the hyperparameters, for random weights and for ones of
// a row alone.
func (c *Counts) byTheta(t Failer, r *rand.Rand, k kernels.Kernel, theta []float64, y *points.Set) {
	t.Helper()
	n := y.Len()
	for only := -1; only < n; only += 3 {
		w := make([]float64, n*n)
		for i := range n {
			for j := range i + 1 {
				if v := r.NormFloat64(); only < 0 || i == only {
					w[i*n+j] = v
				}
			}
		}
		value := func(theta []float64) (sum, size float64) {
			for i, v := range Gram(k, theta, y) {
				sum, size = sum+w[i]*v, size+math.Abs(w[i]*v)
			}
			return sum, size
		}
		_, size := value(theta)
		grad := pullback(k, theta, y, w)
		for j, p := range k.Params() {
			if p.Choices > 0 {
				continue
			}
			got := difference(theta[j], p.Lo > 0 || p.Scale == kernels.Log, func(v float64) float64 {
				moved := append([]float64(nil), theta...)
				moved[j] = v
				sum, _ := value(moved)
				return sum
			})
			c.Theta++
			if !near(grad[j], got, size/math.Abs(theta[j])) {
				t.Errorf("∂/∂%s = %g, differences give %g", p.Name, grad[j], got)
			}
		}
	}
}

// crowded reports whether a reference point lies within 0.03 of x_i along d, where a kink spoils differences.
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
