package acq

import "math"

// ascent is a projected quasi-Newton maximizer on a box (Bertsekas 1982; BFGS
// update of the inverse Hessian, which is dense: boxes here have tens of
// coordinates, and a gradient costs a prediction). It owns scratch memory.
type ascent struct {
	n                int
	inv              []float64 // n×n inverse of the negated Hessian
	dir, next, gnext []float64
	s, y, hy         []float64
	free             []bool
}

const (
	maxStep  = 0.25 // largest move of a coordinate in one step
	stepTol  = 1e-6 // stop when no coordinate moves more than this
	gainTol  = 1e-6 // stop when the relative gain of a step is below this
	armijo   = 1e-4 // sufficient increase
	backoffs = 6    // line search trials
)

// run maximizes f from x, whose value and gradient are fx and g (both
// overwritten, as is x), in at most iters steps, and returns the value reached,
// never below fx. f fills the gradient.
func (a *ascent) run(f func(x, g []float64) float64, x []float64, fx float64, g, lo, hi []float64, iters int) float64 {
	a.resize(len(x))
	scaled := false
	a.identity()
	for range iters {
		slope := a.direction(x, g, lo, hi)
		if !(slope > 0) { // at a bound, a stationary point, or a bad curvature
			a.identity()
			scaled = false
			if slope = a.direction(x, g, lo, hi); !(slope > 0) {
				break
			}
		}
		t := 1.0
		if largest := maxAbs(a.dir); !scaled {
			t = 0.1 / largest
		} else if largest > maxStep {
			t = maxStep / largest
		}
		fnext, ok := 0.0, false
		for range backoffs {
			rise := 0.0
			for c := range x {
				a.next[c] = math.Min(hi[c], math.Max(lo[c], x[c]+t*a.dir[c]))
				rise += g[c] * (a.next[c] - x[c])
			}
			fnext = f(a.next, a.gnext)
			if fnext >= fx+armijo*rise {
				ok = true
				break
			}
			t *= shrink(fx, fnext, rise)
		}
		if !ok {
			if !scaled {
				break
			}
			a.identity()
			scaled = false
			continue
		}
		moved := 0.0
		for c := range x {
			a.s[c] = a.next[c] - x[c]
			a.y[c] = g[c] - a.gnext[c]
			moved = math.Max(moved, math.Abs(a.s[c]))
		}
		scaled = a.update(scaled)
		gain := fnext - fx
		copy(x, a.next)
		copy(g, a.gnext)
		fx = fnext
		if moved <= stepTol || gain <= gainTol*math.Abs(fx) {
			break
		}
	}
	return fx
}

// shrink is the factor of the next trial step: the top of the parabola through
// the value and slope at the start and the value at the trial, safeguarded.
func shrink(fx, ftrial, rise float64) float64 {
	top := rise / (2 * (rise - (ftrial - fx)))
	if !(top >= 0.1) {
		return 0.1
	}
	return math.Min(top, 0.5)
}

// direction sets a.dir to the quasi-Newton direction on the free coordinates
// and returns the slope along it.
func (a *ascent) direction(x, g, lo, hi []float64) float64 {
	for c := range x {
		a.free[c] = (x[c] > lo[c] || g[c] > 0) && (x[c] < hi[c] || g[c] < 0)
	}
	slope := 0.0
	for c := range x {
		a.dir[c] = 0
		if !a.free[c] {
			continue
		}
		for b, free := range a.free {
			if free {
				a.dir[c] += a.inv[c*a.n+b] * g[b]
			}
		}
		slope += a.dir[c] * g[c]
	}
	return slope
}

// update is the BFGS update from the step a.s and the drop of the gradient a.y;
// it reports whether the inverse Hessian now has the scale of f.
func (a *ascent) update(scaled bool) bool {
	n := a.n
	sy, yy, ss := dot(a.s, a.y), dot(a.y, a.y), dot(a.s, a.s)
	if !(sy > 1e-10*math.Sqrt(yy*ss)) {
		return scaled
	}
	if !scaled {
		clear(a.inv)
		for c := range n {
			a.inv[c*n+c] = sy / yy
		}
	}
	for c := range n {
		a.hy[c] = dot(a.inv[c*n:(c+1)*n], a.y)
	}
	k := (1 + dot(a.y, a.hy)/sy) / sy
	for c := range n {
		for b := range n {
			a.inv[c*n+b] += k*a.s[c]*a.s[b] - (a.hy[c]*a.s[b]+a.s[c]*a.hy[b])/sy
		}
	}
	return true
}

func (a *ascent) resize(n int) {
	a.n = n
	if cap(a.dir) >= n {
		a.inv, a.free = a.inv[:n*n], a.free[:n]
		for _, v := range []*[]float64{&a.dir, &a.next, &a.gnext, &a.s, &a.y, &a.hy} {
			*v = (*v)[:n]
		}
		return
	}
	a.inv, a.free = make([]float64, n*n), make([]bool, n)
	for _, v := range []*[]float64{&a.dir, &a.next, &a.gnext, &a.s, &a.y, &a.hy} {
		*v = make([]float64, n)
	}
}

func (a *ascent) identity() {
	clear(a.inv)
	for c := range a.n {
		a.inv[c*a.n+c] = 1
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func maxAbs(v []float64) float64 {
	top := 0.0
	for _, x := range v {
		top = math.Max(top, math.Abs(x))
	}
	return top
}
