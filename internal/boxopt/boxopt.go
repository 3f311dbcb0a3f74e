// Package boxopt minimises smooth functions on boxes. The fit of hyperparameters and
// the refinement of candidates both use it.
//
// Start from New and Minimizer.Run.
//
// Method. Projected steps of a limited-memory quasi-Newton method: the two-loop recursion of Nocedal & Wright 2006,
// Numerical Optimization, §7.2, on the coordinates that no bound holds (Bertsekas 1982, SIAM J. Control Optim. 20),
// with a backtracking line search on the projected path.
//
// Errors. There are none: a function that is +Inf or NaN somewhere rejects the step.
package boxopt

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Options depend on a function's scale and cost. Steps are measured by the largest move of a coordinate.
type Options struct {
	// First is the length of a step taken without knowledge of the curvature; where
	// Short is set, such a step is no longer than the gradient either.
	First float64
	Short bool
	// Longest bounds every step.
	Longest float64
	// Trials is the number of points that a line search may try.
	Trials int
	// The search converges when the gradient on the coordinates that may move is at most Gradient, when a step is at most
	// Move long, or when Patience steps on end gain at most the share Gain of the value.
	Gradient, Move, Gain float64
	Patience             int
}

// A Function is a smooth function: its value at x, +Inf or NaN to reject the point, and a function that fills grad with
// the gradient there. That is called once at most, before the function is called again.
type Function func(x []float64) (value float64, gradient func(grad []float64))

// memory is the number of steps whose curvature is remembered.
const memory = 10

// A Minimizer is one descent. It can be stopped and resumed.
type Minimizer struct {
	// X is the best point so far, inside the box, and F the value there: +Inf before the first evaluation.
	X []float64
	F float64
	// Steps counts line searches, Evaluations calls of the function.
	Steps, Evaluations int

	o      Options
	f      Function
	lo, hi []float64
	g      []float64
	pairs  []pair // oldest first
	idle   int    // successive steps without gain
	done   bool
	dir    []float64
	xt, gt []float64 // the point on trial
	alpha  [memory]float64
}

// A pair is a step with the change of the gradient along it.
type pair struct {
	s, y []float64
	rho  float64 // 1/s'y
}

// New prepares a descent of f from start on the box from lo to hi. Gradients are asked for at the start and
// where steps end, not at points on trial.
func New(f Function, lo, hi, start []float64, o Options) *Minimizer {
	d := len(start)
	v := make([]float64, 5*d)
	m := &Minimizer{o: o, f: f, lo: lo, hi: hi, F: math.Inf(1),
		X: v[:d:d], g: v[d : 2*d : 2*d], dir: v[2*d : 3*d : 3*d], xt: v[3*d : 4*d : 4*d], gt: v[4*d:]}
	for i, x := range start {
		m.X[i] = min(max(x, lo[i]), hi[i])
	}
	return m
}

// Run descends until convergence or until more, which is asked before every evaluation but the first, says no.
func (m *Minimizer) Run(more func() bool) {
	if m.Evaluations == 0 {
		var gradient func([]float64)
		m.F, gradient = m.f(m.X)
		m.Evaluations++
		if m.done = !(m.F < math.Inf(1)) || len(m.X) == 0; !m.done {
			gradient(m.g)
		}
	}
	for !m.done && more() {
		m.step(more)
	}
}

// held reports whether coordinate i rests on a bound that descent would cross.
func (m *Minimizer) held(i int) bool {
	return m.X[i] <= m.lo[i] && m.g[i] > 0 || m.X[i] >= m.hi[i] && m.g[i] < 0
}

// step is one line search. It leaves the point where it is if more ends it.
func (m *Minimizer) step(more func() bool) {
	steepest := 0.0
	for i, g := range m.g {
		if !m.held(i) {
			steepest = max(steepest, math.Abs(g))
		}
	}
	if steepest <= m.o.Gradient {
		m.done = true
		return
	}
	if !(m.direction() < 0) {
		m.pairs = nil
		m.direction()
	}
	t, longest := 1.0, floats.Norm(m.dir, math.Inf(1))
	if len(m.pairs) == 0 {
		t = m.o.First / longest
		if m.o.Short {
			t = min(1, t)
		}
	}
	t = min(t, m.o.Longest/longest)
	for range m.o.Trials {
		slope := 0.0
		for i, x := range m.X {
			m.xt[i] = min(max(x+t*m.dir[i], m.lo[i]), m.hi[i])
			slope += m.g[i] * (m.xt[i] - x)
		}
		ft, gradient := m.f(m.xt)
		m.Evaluations++
		if slope < 0 && ft <= m.F+1e-4*slope { // Armijo's condition on the projected step
			m.accept(ft, gradient)
			m.Steps++
			return
		}
		t *= Shrink(slope, ft-m.F)
		if !more() {
			return
		}
	}
	m.Steps++
	m.done = len(m.pairs) == 0 // not even the steepest descent gains anything
	m.pairs = nil
}

// Shrink is the share of a step to try after one whose slope promised as much and gave gain:
// it minimises the parabola through both values and the slope, from 0.1 to 0.5.
func Shrink(slope, gain float64) float64 {
	shrink := slope / (2 * (slope - gain))
	if !(slope < 0 && shrink >= 0.1) { // NaN too
		return 0.1
	}
	return min(shrink, 0.5)
}

// accept moves to the point on trial, where f is ft. The gradient there is of no use to a search that has converged.
func (m *Minimizer) accept(ft float64, gradient func(grad []float64)) {
	d, moved, gain := len(m.X), 0.0, m.F-ft
	for i, x := range m.X {
		moved = max(moved, math.Abs(m.xt[i]-x))
	}
	if m.idle++; gain > m.o.Gain*math.Abs(ft) {
		m.idle = 0
	}
	if m.done = m.idle >= m.o.Patience || moved <= m.o.Move; m.done {
		m.X, m.xt, m.F = m.xt, m.X, ft
		return
	}
	gradient(m.gt)
	p := pair{}
	if len(m.pairs) == memory {
		p = m.pairs[0]
		m.pairs = m.pairs[:copy(m.pairs, m.pairs[1:])]
	} else {
		v := make([]float64, 2*d)
		p.s, p.y = v[:d], v[d:]
	}
	for i := range d {
		p.s[i], p.y[i] = m.xt[i]-m.X[i], m.gt[i]-m.g[i]
	}
	if sy := Dot(p.s, p.y); sy > 1e-10*math.Sqrt(Dot(p.s, p.s)*Dot(p.y, p.y)) {
		p.rho = 1 / sy
		m.pairs = append(m.pairs, p)
	}
	m.X, m.xt, m.g, m.gt, m.F = m.xt, m.X, m.gt, m.g, ft
}

// direction sets the quasi-Newton direction on the coordinates that may move and returns the slope along it.
func (m *Minimizer) direction() float64 {
	for i, g := range m.g {
		m.dir[i] = -g
		if m.held(i) {
			m.dir[i] = 0
		}
	}
	for k := len(m.pairs) - 1; k >= 0; k-- {
		p := m.pairs[k]
		m.alpha[k] = p.rho * Dot(p.s, m.dir)
		floats.AddScaled(m.dir, -m.alpha[k], p.y)
	}
	if n := len(m.pairs); n > 0 {
		last := m.pairs[n-1]
		scale := 1 / (last.rho * Dot(last.y, last.y))
		for i := range m.dir {
			m.dir[i] *= scale
		}
	}
	for k, p := range m.pairs {
		floats.AddScaled(m.dir, m.alpha[k]-p.rho*Dot(p.y, m.dir), p.s)
	}
	slope := 0.0
	for i, g := range m.g {
		if m.held(i) {
			m.dir[i] = 0
		}
		slope += g * m.dir[i]
	}
	return slope
}

// Dot is a·b.
func Dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
