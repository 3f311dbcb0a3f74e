package acq

import "math"

const (
	logSqrt2Pi = 0.918938533204672741780329736405617639861397473637783
	invSqrt2Pi = 0.398942280401432677939946059934381868475858631164935

	// minVariance is the smallest variance told apart from zero.
	minVariance = 1e-20
	// tailStart is where the direct formulas give way to the continued
	// fraction: below it φ + zΦ has lost a digit and a half to cancellation.
	tailStart = -4
)

func normalPDF(z float64) float64 { return invSqrt2Pi * math.Exp(-z*z/2) }
func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// tail returns c(t) = 1/(t + 2/(t + 3/(t + …))), t ≥ 4, so that the Mills ratio is Φ(−t)/φ(t) = 1/(t + c) (Laplace;
// Abramowitz & Stegun 26.2.14) and 1 − t·Φ(−t)/φ(t) = c/(t + c) without cancellation. The depths leave a relative error
// below 1e-15 from the left end of each range on; the last range is exact in double precision up to the largest number.
func tail(t float64) float64 {
	depth := 40.0 // 4 ≤ t < 10
	switch {
	case t >= 1e4:
		depth = 3
	case t >= 100:
		depth = 5
	case t >= 10:
		depth = 14
	}
	c := 0.0
	for k := depth; k >= 1; k-- {
		c = k / (t + c)
	}
	return c
}

// logImprovement returns log h(z) and φ(z)/h(z) of h(z) = φ(z) + z·Φ(z), the expected improvement of a unit-variance
// prediction (after Ament et al. 2023, arXiv:2310.20708, eq. 9, with a continued fraction where they use erfcx).
//
//	z > −4        log(φ + zΦ): the terms are positive, or cancel by < 20×
//	z ≤ −4        −z²/2 − log√2π + log(c/(t + c)), t = −z, see tail
//	z < −1e150    −z²/2 would overflow: z counts as −1e150
func logImprovement(z float64) (logh, ratio float64) {
	if z > tailStart {
		p := normalPDF(z)
		h := p + z*normalCDF(z)
		return math.Log(h), p / h
	}
	t := math.Min(-z, 1e150)
	c := tail(t)
	return -t*t/2 - logSqrt2Pi + math.Log(c) - math.Log(t+c), (t + c) / c
}

// logProbability returns log Φ(z) and φ(z)/Φ(z).
//
//	z > 0         log1p(−Φ(−z)): keeps the difference from 1
//	−4 < z ≤ 0    log Φ(z)
//	z ≤ −4        −z²/2 − log√2π − log(t + c), t = −z, see tail
//	z < −1e150    z counts as −1e150, as −z²/2 would overflow
func logProbability(z float64) (logp, ratio float64) {
	switch {
	case z > 0:
		upper := normalCDF(-z)
		return math.Log1p(-upper), normalPDF(z) / (1 - upper)
	case z > tailStart:
		p := normalCDF(z)
		return math.Log(p), normalPDF(z) / p
	}
	t := math.Min(-z, 1e150)
	c := tail(t)
	return -t*t/2 - logSqrt2Pi - math.Log(t+c), t + c
}

// Gauss–Legendre rules of 4 and 8 nodes on [0, 1]: the rules on [−1, 1] (Abramowitz & Stegun,
// table 25.4). The upper halves are given, and reflected.
var (
	legendre4 = reflected(
		[]float64{0.3399810435848563, 0.8611363115940526},
		[]float64{0.6521451548625461, 0.3478548451374538})
	legendre8 = reflected(
		[]float64{0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363},
		[]float64{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763})
)

// A node is an abscissa in [0, 1] and its weight; the weights of a rule add up to 1.
type node struct{ at, weight float64 }

func reflected(at, weight []float64) []node {
	var out []node
	for k, x := range at {
		out = append(out, node{(1 + x) / 2, weight[k] / 2}, node{(1 - x) / 2, weight[k] / 2})
	}
	return out
}

// An edge a of N(mean, sd²) has z = (a − mean)/sd and ψ(a) = sd·h(z), the expected distance
// below a (h as in logImprovement).
type edge struct {
	z          float64
	logh       float64 // log h(z)
	pdf, below float64 // φ(z)/h(z) and Φ(z)/h(z)

	mirrored              bool    // and then:
	over, beyond, density float64 // h(−z), Φ(−z) and φ(z)
}

func newEdge(z float64) edge {
	if z > tailStart { // the other form is 0/0 at z = 0
		p, c := normalPDF(z), normalCDF(z)
		h := p + z*c
		return edge{z: z, logh: math.Log(h), pdf: p / h, below: c / h}
	}
	e := edge{z: z}
	e.logh, e.pdf = logImprovement(z)
	e.below = (e.pdf - 1) / -max(z, -1e150)
	return e
}

// mirror computes the values at an edge for the slabs above the mean; several slabs share an edge.
func (e *edge) mirror() {
	if !e.mirrored {
		logh, _ := logImprovement(-e.z)
		e.mirrored, e.over, e.beyond, e.density = true, math.Exp(logh), normalCDF(-e.z), normalPDF(e.z)
	}
}

// slab is log[ψ(u) − ψ(l)], the logarithm of the expected length of the part of (l, u)
// above N(mean, sd²), and the derivatives by mean and variance. ψ of an l at −∞ is 0.
//
//	l = −∞           log ψ(u)
//	narrow           log of ∫Φ over (z_l, z_u) by Gauss–Legendre, in logarithms
//	z_l ≥ 0          log of u − l less what is above
//	else             log h(z_u) + log[1 − h(z_l)/h(z_u)]
type slab struct{ log, dmean, dvar float64 }

func newSlab(lower, upper *edge, length, sd, logsd float64) slab {
	if math.IsInf(lower.z, -1) {
		return slab{upper.logh + logsd, -upper.below / sd, upper.pdf / (2 * sd * sd)}
	}
	switch width := length / sd; {
	case width*max(1, math.Abs(lower.z), math.Abs(upper.z)) < 0.25:
		return narrow(lower.z, width, length, sd)
	case lower.z >= 0:
		lower.mirror()
		upper.mirror()
		f := length - sd*(lower.over-upper.over)
		return slab{
			math.Log(f),
			-(lower.beyond - upper.beyond) / f,
			(upper.density - lower.density) / (2 * sd * f),
		}
	}
	x := upper.logh - lower.logh // > 0
	// h(z_u) and h(z_l) as multiples of their difference
	up, low := 1/-math.Expm1(-x), 1/math.Expm1(x)
	return slab{
		upper.logh + math.Log(-math.Expm1(-x)) + logsd,
		-(upper.below*up - lower.below*low) / sd,
		(upper.pdf*up - lower.pdf*low) / (2 * sd * sd),
	}
}

// narrow integrates over an interval in which Φ is smooth; the same nodes give
// Φ(z_u) − Φ(z_l) = ∫φ and φ(z_u) − φ(z_l) = −∫zφ.
func narrow(z, width, length, sd float64) slab {
	var logs, ratios, at [4]float64
	top := math.Inf(-1)
	for k, n := range legendre4 {
		at[k] = z + n.at*width
		logs[k], ratios[k] = logProbability(at[k])
		top = max(top, logs[k])
	}
	sum, pdf, moment := 0.0, 0.0, 0.0
	for k, n := range legendre4 {
		w := n.weight * math.Exp(logs[k]-top)
		sum += w
		pdf += w * ratios[k]
		moment += w * ratios[k] * at[k]
	}
	return slab{math.Log(length) + top + math.Log(sum), -pdf / sum / sd, -moment / sum / (2 * sd * sd)}
}
