package polytope

import (
	"math"
	"slices"

	"bohier/internal/boxopt"
)

// A minimizer is one descent.
type minimizer struct {
	x     []float64 // the best point so far, in the set
	value float64   // of f there

	o       boxopt.Options
	f       boxopt.Function
	set     *Set
	g       []float64
	inverse []float64 // of the Hessian's estimate, by rows; nil: no curvature is known
	xt, gt  []float64 // the point on trial
}

// Minimize descends f on a set from start, a point of it, by at most so many line searches, and returns the best
// point. The search converges when a step is at most Move long
// or gains at most the share Gain of the value; it does not read the other options of convergence.
func Minimize(f boxopt.Function, set *Set, start []float64, steps int, o boxopt.Options) []float64 {
	d := len(start)
	m := &minimizer{o: o, f: f, set: set, x: slices.Clone(start), g: make([]float64, d), xt: make([]float64, d),
		gt: make([]float64, d)}
	var gradient func([]float64)
	if m.value, gradient = f(m.x); m.value < math.Inf(1) {
		gradient(m.g)
	}
	for ; m.value < math.Inf(1) && steps > 0; steps-- {
		dir, ok := m.direction()
		slope := boxopt.Dot(dir, m.g)
		if (!ok || slope >= 0) && m.inverse != nil {
			m.inverse = nil
			dir, ok = m.direction()
			slope = boxopt.Dot(dir, m.g)
		}
		if !ok || !(slope < 0) || !m.search(dir, slope) {
			break
		}
	}
	return m.x
}

// direction is the way to the minimum, over the part of the set in reach, of the
// quadratic that the estimate of the Hessian describes.
func (m *minimizer) direction() (dir []float64, ok bool) {
	n := len(m.x)
	root := make([]float64, n*n)
	if m.inverse == nil || !cholesky(root, m.inverse, n) {
		steepest := 0.0
		for _, g := range m.g {
			steepest = max(steepest, math.Abs(g))
		}
		clear(root)
		for i := range n {
			root[i*n+i] = math.Sqrt(m.o.First / max(steepest, math.SmallestNonzeroFloat64))
		}
		m.inverse = nil
	}
	part := Set{Lo: make([]float64, n), Hi: make([]float64, n), Rows: make([]Row, len(m.set.Rows))}
	for i, x := range m.x {
		part.Lo[i] = min(max(m.set.Lo[i]-x, -m.o.Longest), 0)
		part.Hi[i] = max(min(m.set.Hi[i]-x, m.o.Longest), 0)
	}
	for k, r := range m.set.Rows {
		part.Rows[k] = Row{Coef: r.Coef, Equal: r.Equal}
		if !r.Equal {
			part.Rows[k].Bound = max(r.Bound-boxopt.Dot(r.Coef, m.x), 0)
		}
	}
	dir, ok = part.quadratic(root, m.g)
	if !ok {
		return make([]float64, n), false
	}
	return dir, true
}

// search moves along dir as far as Armijo's condition allows; false means convergence.
func (m *minimizer) search(dir []float64, slope float64) bool {
	t := 1.0
	for range m.o.Trials {
		for i, x := range m.x {
			m.xt[i] = min(max(x+t*dir[i], m.set.Lo[i]), m.set.Hi[i])
		}
		ft, gradient := m.f(m.xt)
		if ft <= m.value+1e-4*t*slope {
			gradient(m.gt)
			return m.accept(ft)
		}
		t *= boxopt.Shrink(t*slope, ft-m.value)
	}
	known := m.inverse != nil
	m.inverse = nil
	return known // not even the steepest descent gains anything
}

// accept moves to the point on trial, where f is ft, and learns the curvature on the
// way there; false means convergence.
func (m *minimizer) accept(ft float64) bool {
	n := len(m.x)
	s, y := make([]float64, n), make([]float64, n)
	moved := 0.0
	for i := range n {
		s[i], y[i] = m.xt[i]-m.x[i], m.gt[i]-m.g[i]
		moved = max(moved, math.Abs(s[i]))
	}
	gain := m.value - ft
	m.x, m.xt, m.g, m.gt, m.value = m.xt, m.x, m.gt, m.g, ft
	if sy := boxopt.Dot(s, y); sy > 1e-10*math.Sqrt(boxopt.Dot(s, s)*boxopt.Dot(y, y)) {
		m.learn(s, y, sy)
	}
	return moved > m.o.Move && gain > m.o.Gain*math.Abs(ft)
}

// learn updates the inverse of the Hessian's estimate.
func (m *minimizer) learn(s, y []float64, sy float64) {
	n := len(s)
	if m.inverse == nil {
		m.inverse = make([]float64, n*n)
		for i := range n {
			m.inverse[i*n+i] = sy / boxopt.Dot(y, y)
		}
	}
	hy := make([]float64, n)
	for i := range n {
		hy[i] = boxopt.Dot(m.inverse[i*n:(i+1)*n], y)
	}
	both := (1 + boxopt.Dot(y, hy)/sy) / sy
	for i := range n {
		for j := range n {
			m.inverse[i*n+j] += both*s[i]*s[j] - (s[i]*hy[j]+hy[i]*s[j])/sy
		}
	}
}

// cholesky sets l to the lower triangle with l·l' = a; false where a is not positive definite.
func cholesky(l, a []float64, n int) bool {
	for i := range n {
		for j := range i + 1 {
			v := a[i*n+j] - boxopt.Dot(l[i*n:i*n+j], l[j*n:j*n+j])
			switch {
			case i > j:
				l[i*n+j] = v / l[j*n+j]
			case !(v > 1e-14*a[i*n+i]):
				return false
			default:
				l[i*n+i] = math.Sqrt(v)
			}
		}
	}
	return true
}
