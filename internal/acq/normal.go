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
