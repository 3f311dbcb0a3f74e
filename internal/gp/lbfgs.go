package gp

import "math"

// An lbfgs minimises a smooth function on a box by projected limited-memory
// BFGS steps (Nocedal & Wright 2006, §7.2; Bertsekas 1982 for the active set).
// It stops and resumes: run may be called again with a larger budget.
type lbfgs struct {
	f      func(u, grad []float64) float64 // +Inf rejects a point
	stop   <-chan struct{}                 // nil: never
	lo, hi []float64

	x, g   []float64
	fx     float64
	s, y   [][]float64
	rho    []float64
	evals  int
	small  int // consecutive steps without progress
	done   bool
	tol    float64 // relative decrease that counts as progress
	gtol   float64 // projected gradient, largest component
	xt, gt []float64
	dir    []float64
	alpha  []float64
}

const lbfgsMemory = 10

func newLBFGS(f func(u, grad []float64) float64, lo, hi, start []float64, tol float64) *lbfgs {
	d := len(start)
	o := &lbfgs{f: f, lo: lo, hi: hi, tol: tol, gtol: 1e-5,
		x: make([]float64, d), g: make([]float64, d), xt: make([]float64, d), gt: make([]float64, d),
		dir: make([]float64, d), alpha: make([]float64, lbfgsMemory), fx: math.Inf(1)}
	copy(o.x, start)
	o.project(o.x)
	return o
}

func (o *lbfgs) project(x []float64) {
	for i := range x {
		x[i] = min(max(x[i], o.lo[i]), o.hi[i])
	}
}

// pinned tells whether coordinate i rests on a bound that descent would leave
// the box through.
func (o *lbfgs) pinned(i int) bool {
	return o.x[i] <= o.lo[i] && o.g[i] > 0 || o.x[i] >= o.hi[i] && o.g[i] < 0
}

// run iterates until converged, until the evaluations reach the budget or until stop
// is closed.
func (o *lbfgs) run(budget int) {
	if o.evals == 0 && budget > 0 {
		o.fx = o.f(o.x, o.g)
		o.evals = 1
		o.done = math.IsInf(o.fx, 1) || len(o.x) == 0
	}
	for !o.done && o.evals < budget {
		select {
		case <-o.stop:
			return
		default:
			o.step(budget)
		}
	}
}

func (o *lbfgs) step(budget int) {
	worst := 0.0
	for i, g := range o.g {
		if !o.pinned(i) {
			worst = max(worst, math.Abs(g))
		}
	}
	if worst <= o.gtol {
		o.done = true
		return
	}
	slope := o.direction()
	if !(slope < 0) {
		o.forget()
		slope = o.direction()
	}
	t := 1.0
	if len(o.s) == 0 {
		t = min(1, 1/norm(o.dir))
	}
	// Coordinates are logarithms: a step of 5 is already a factor of 148.
	if big := maxAbs(o.dir) * t; big > 5 {
		t *= 5 / big
	}
	for {
		for i := range o.xt {
			o.xt[i] = o.x[i] + t*o.dir[i]
		}
		o.project(o.xt)
		ft := o.f(o.xt, o.gt)
		o.evals++
		// Armijo on the projected step.
		descent := 0.0
		for i := range o.xt {
			descent += o.g[i] * (o.xt[i] - o.x[i])
		}
		if ft <= o.fx+1e-4*descent && descent < 0 {
			o.accept(ft)
			return
		}
		if o.evals >= budget {
			return
		}
		next := 0.1 * t
		if !math.IsInf(ft, 1) && !math.IsNaN(ft) && descent < 0 {
			// Minimiser of the parabola through f(0), f'(0), f(t).
			if q := -descent / (2 * (ft - o.fx - descent)); q > 0 {
				next = t * min(max(q, 0.1), 0.5)
			}
		}
		t = next
		if t*maxAbs(o.dir) < 1e-10*(1+maxAbs(o.x)) {
			if len(o.s) == 0 {
				o.done = true // steepest descent cannot improve either
			}
			o.forget()
			return
		}
	}
}

func (o *lbfgs) accept(ft float64) {
	gain := o.fx - ft
	d := len(o.x)
	var s, y []float64
	if len(o.s) == lbfgsMemory {
		s, y = o.s[0], o.y[0]
		o.s, o.y, o.rho = append(o.s[:0:0], o.s[1:]...), append(o.y[:0:0], o.y[1:]...), append(o.rho[:0:0], o.rho[1:]...)
	} else {
		s, y = make([]float64, d), make([]float64, d)
	}
	sy, yy := 0.0, 0.0
	for i := range d {
		s[i], y[i] = o.xt[i]-o.x[i], o.gt[i]-o.g[i]
		sy += s[i] * y[i]
		yy += y[i] * y[i]
	}
	if sy > 1e-10*yy {
		o.s, o.y, o.rho = append(o.s, s), append(o.y, y), append(o.rho, 1/sy)
	}
	o.x, o.xt = o.xt, o.x
	o.g, o.gt = o.gt, o.g
	o.fx = ft
	if gain <= o.tol*max(1, math.Abs(ft)) {
		o.small++
	} else {
		o.small = 0
	}
	if o.small >= 2 {
		o.done = true
	}
}

// direction fills dir with the quasi-Newton step on the coordinates that may
// move and returns its slope.
func (o *lbfgs) direction() float64 {
	for i, g := range o.g {
		o.dir[i] = -g
		if o.pinned(i) {
			o.dir[i] = 0
		}
	}
	for k := len(o.s) - 1; k >= 0; k-- {
		o.alpha[k] = o.rho[k] * dot(o.s[k], o.dir)
		axpy(o.dir, -o.alpha[k], o.y[k])
	}
	if m := len(o.s); m > 0 {
		scale := 1 / (o.rho[m-1] * dot(o.y[m-1], o.y[m-1]))
		for i := range o.dir {
			o.dir[i] *= scale
		}
	}
	for k := range o.s {
		axpy(o.dir, o.alpha[k]-o.rho[k]*dot(o.y[k], o.dir), o.s[k])
	}
	slope := 0.0
	for i, g := range o.g {
		if o.pinned(i) {
			o.dir[i] = 0
		}
		slope += g * o.dir[i]
	}
	return slope
}

func (o *lbfgs) forget() { o.s, o.y, o.rho = nil, nil, nil }

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func axpy(dst []float64, a float64, x []float64) {
	for i, v := range x {
		dst[i] += a * v
	}
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

func maxAbs(v []float64) float64 {
	m := 0.0
	for _, a := range v {
		m = max(m, math.Abs(a))
	}
	return m
}
