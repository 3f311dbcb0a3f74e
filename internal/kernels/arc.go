package kernels

import "math"

// arc is w·|e − e′|² with e = (sin πρu, cos πρu) where active and 0 elsewhere:
// w if one point is active, 4w sin²(πρ(u − u′)/2) if both are (Hutter & Osborne
// 2013, Eq. 6; Swersky et al. 2014, §3). The difference of the embedded points
// loses no digits when they nearly coincide.
type arc struct {
	weight monomial
	rho    int
}

type boundArc struct {
	*arc
	col        *column
	theta      []float64
	w, angle   float64   // weight, πρ
	s, c       []float64 // sines and cosines, 0 where inactive
	xs, xc, xu float64
}

func (a *arc) bind(theta []float64, col *column) boundTerm {
	b := &boundArc{
		arc: a, col: col, theta: theta,
		w: a.weight.value(theta), angle: math.Pi * theta[a.rho],
		s: make([]float64, len(col.u)), c: make([]float64, len(col.u)),
	}
	for t, u := range col.u {
		if col.on == nil || col.on[t] == 1 {
			b.s[t], b.c[t] = math.Sincos(b.angle * u)
		}
	}
	return b
}

func (b *boundArc) load(i int) {
	b.xu = b.col.x
	switch {
	case i >= 0:
		b.xs, b.xc = b.s[i], b.c[i]
	case b.col.xOn == 1:
		b.xs, b.xc = math.Sincos(b.angle * b.xu)
	default:
		b.xs, b.xc = 0, 0
	}
}

func (b *boundArc) add(dst []float64, lo int) {
	s, c := b.s[lo:][:len(dst)], b.c[lo:][:len(dst)]
	xs, xc, w := b.xs, b.xc, b.w
	for t := range dst {
		ds, dc := xs-s[t], xc-c[t]
		dst[t] += w * (ds*ds + dc*dc)
	}
}

func (b *boundArc) pull(dtheta, g []float64, lo int) {
	n := len(g)
	s, c, u := b.s[lo:][:n], b.c[lo:][:n], b.col.u[lo:][:n]
	xs, xc, xu := b.xs, b.xc, b.xu
	dw, drho := 0.0, 0.0
	for t := range g {
		ds, dc := xs-s[t], xc-c[t]
		dw += g[t] * (ds*ds + dc*dc)
		// ∂d²/∂ρ = 2wπ(u − u′) sin πρ(u − u′), which vanishes with either point.
		drho += g[t] * (xu - u[t]) * (xs*c[t] - xc*s[t])
	}
	b.weight.chain(dtheta, b.theta, dw)
	dtheta[b.rho] += 2 * math.Pi * b.w * drho
}

func (b *boundArc) slope(dst []float64, lo int) {
	s, c := b.s[lo:][:len(dst)], b.c[lo:][:len(dst)]
	w := 2 * b.w * b.angle
	for t := range dst {
		dst[t] += w * (b.xs*c[t] - b.xc*s[t])
	}
}
