package kernels

import "math"

// arc is w·|e − e′|² with e = (sin πρu, cos πρu) where active and 0 elsewhere:
// w if one point is active, 4w sin²(πρ(u − u′)/2) if both are (Hutter & Osborne
// 2013, Eq. 6; Swersky et al. 2014, arXiv:1409.4011, §3). The difference of the embedded points
// loses no digits when they nearly coincide.
type arc struct {
	weight weight
	rho    int
}

type boundArc struct {
	*arc
	col        *boundAxis
	theta      []float64
	w, angle   float64   // weight, πρ
	s, c       []float64 // sines and cosines, 0 where inactive
	xs, xc, xu float64
	at         int // feature
}

func (a *arc) over(col *boundAxis) boundTerm {
	return &boundArc{arc: a, col: col, s: make([]float64, len(col.u)), c: make([]float64, len(col.u))}
}

func (b *boundArc) set(theta []float64) {
	b.theta, b.w, b.angle = theta, b.weight.value(theta), math.Pi*theta[b.rho]
	for t, u := range b.col.u {
		if b.col.on == nil || b.col.on[t] == 1 {
			b.s[t], b.c[t] = math.Sincos(b.angle * u)
		}
	}
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

func (b *boundArc) squares(list []square) []square {
	return append(list, square{b.s, b.xs, b.w}, square{b.c, b.xc, b.w})
}

func (b *boundArc) add([]float64, int) {}

func (b *boundArc) pull(dtheta, g []float64, lo int) {
	// ∂d²/∂ρ = 2wπ(u − u′) sin πρ(u − u′), which vanishes with either point.
	squares, turns := sumChords(g, b.col.u[lo:], b.s[lo:], b.c[lo:], b.xu, b.xs, b.xc)
	b.weight.chain(dtheta, b.theta, squares)
	dtheta[b.rho] += 2 * math.Pi * b.w * turns
}

func (b *boundArc) rise(g []float64, lo int) float64 {
	s, c, sum := b.s[lo:][:len(g)], b.c[lo:][:len(g)], 0.0
	for t, v := range g {
		sum += v * (b.xs*c[t] - b.xc*s[t])
	}
	return 2 * b.w * b.angle * sum
}

func (b *boundArc) features(x *pairSums) {
	b.at = x.add(b.s)
	x.add(b.c)
	for _, f := range [][]float64{b.s, b.c} {
		uf, _ := x.next()
		for t, u := range b.col.u {
			uf[t] = u * f[t]
		}
	}
}

func (b *boundArc) pullPairSums(dtheta []float64, x *pairSums) {
	s, c, us, uc := b.at, b.at+1, b.at+2, b.at+3
	b.weight.chain(dtheta, b.theta, x.sum(s, s)+x.sum(c, c))
	// Σ g(u − u′)(s·c′ − c·s′), as in pull
	dtheta[b.rho] += 2 * math.Pi * b.w * (x.sum(uc, s) - x.sum(us, c))
}
