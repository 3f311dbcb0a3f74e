package kernels

import "math"

// The loops along rows that take the time. Four numbers at a time go
// through vectors where the processor has them (simd_amd64.s); the remainder, and other processors, through the Go code
// here. Both give the same bits: the vectors multiply and add in the order written here and fuse nothing, and sums are
// kept in four lanes, number t in lane t mod 4.

// A square is w(x − f_t)² along a row.
type square struct {
	f    []float64
	x, w float64
}

// addSquares adds four squares, from f_lo on, to dst[t].
func addSquares(dst []float64, s *[4]square, lo int) {
	hi := lo + len(dst)
	a, b, c, d := s[0].f[lo:hi], s[1].f[lo:hi], s[2].f[lo:hi], s[3].f[lo:hi]
	for t := addSquaresAVX2(dst, s, lo); t < len(dst); t++ {
		da, db, dc, dd := s[0].x-a[t], s[1].x-b[t], s[2].x-c[t], s[3].x-d[t]
		dst[t] += (s[0].w*da*da + s[1].w*db*db) + (s[2].w*dc*dc + s[3].w*dd*dd)
	}
}

// addChoices adds to dst[t] nothing where code_t is p, atQ where it is q and rest elsewhere; p ≠ q.
func addChoices(dst, code []float64, p, q, atQ, rest float64) {
	code = code[:len(dst)]
	for t := addChoicesAVX2(dst, code, p, q, atQ, rest); t < len(dst); t++ {
		switch code[t] {
		case p:
		case q:
			dst[t] += atQ
		default:
			dst[t] += rest
		}
	}
}

// divide divides num[t] by den[t].
func divide(num, den []float64) {
	den = den[:len(num)]
	for t := divideAVX2(num, den); t < len(num); t++ {
		num[t] /= den[t]
	}
}

// times multiplies dst[t] by k[t].
func times(dst, k []float64) {
	k = k[:len(dst)]
	for t := timesAVX2(dst, k); t < len(dst); t++ {
		dst[t] *= k[t]
	}
}

// addSum adds g[t] to dst[t] and returns Σ g_t.
func addSum(dst, g []float64) float64 {
	g = g[:len(dst)]
	var sum lanes
	for t := addSumAVX2(dst, g, &sum); t < len(g); t++ {
		dst[t] += g[t]
		sum[t&3] += g[t]
	}
	return sum.total()
}

// lanes holds a sum while it is made.
type lanes [4]float64

func (l *lanes) total() float64 { return (l[0] + l[1]) + (l[2] + l[3]) }

// sumDifferences returns Σ g_t(x − f_t).
func sumDifferences(g, f []float64, x float64) float64 {
	f = f[:len(g)]
	var sum lanes
	for t := sumDifferencesAVX2(g, f, x, &sum); t < len(g); t++ {
		sum[t&3] += g[t] * (x - f[t])
	}
	return sum.total()
}

// sumChoices returns Σ g_t over code_t = q and over code_t other than p and q; p ≠ q.
func sumChoices(g, code []float64, p, q float64) (atQ, rest float64) {
	code = code[:len(g)]
	var sum [2]lanes
	for t := sumChoicesAVX2(g, code, p, q, &sum); t < len(g); t++ {
		switch code[t] {
		case p:
		case q:
			sum[0][t&3] += g[t]
		default:
			sum[1][t&3] += g[t]
		}
	}
	return sum[0].total(), sum[1].total()
}

// A decaying is a function p(z)·exp(−z), p = c₀ + c₁z + c₂z².
type decaying [3]float64

// decay replaces q_t by value(z), where z is √(k·q_t) or, without root, k·q_t, and sets d_t to slope(z) unless d is
// nil. Rounding may leave q_t below 0: it counts as 0. Errors are below 2 units in the last place; from z = 708 on,
// where exp(−z) is no normal number, the results are 0.
func decay(q, d []float64, k float64, root bool, value, slope decaying) {
	if d != nil {
		d = d[:len(q)]
	}
	for t := decayAVX2(q, d, k, root, &value, &slope); t < len(q); t++ {
		z := max(k*q[t], 0)
		if root {
			z = math.Sqrt(z)
		}
		v, s := 0.0, 0.0
		if !(z > farthest) {
			e := expNegative(z)
			v = (value[0] + z*(value[1]+z*value[2])) * e
			s = (slope[0] + z*(slope[1]+z*slope[2])) * e
		}
		q[t] = v
		if d != nil {
			d[t] = s
		}
	}
}

// Constants of expNegative. ln 2 is split so that k·ln2High is exact; adding
// toInteger leaves the nearest integer in the last bits.
const (
	farthest  = 708
	log2E     = 1.44269504088896338700e+00
	ln2High   = 6.93147180369123816490e-01
	ln2Low    = 1.90821492927058770002e-10
	toInteger = 3 << 51
)

// expNegative is exp(−z) for 0 ≤ z ≤ farthest: 2^k·exp(r) with |r| ≤ ½ ln 2, by the Taylor series, whose even and odd
// terms are summed side by side and in pairs, so that few steps wait for others.
func expNegative(z float64) float64 {
	k := z*-log2E + toInteger
	power := math.Float64frombits((math.Float64bits(k) + 1023) << 52)
	k -= toInteger
	r := k*-ln2High - z - k*ln2Low
	s := r * r
	s2 := s * s
	even := s * ((s*(1.0/24) + 1.0/2) + s2*((s*(1.0/40320)+1.0/720)+s2*(s*(1.0/479001600)+1.0/3628800)))
	odd := r * ((s*(1.0/6) + 1) + s2*((s*(1.0/5040)+1.0/120)+s2*((s*(1.0/39916800)+1.0/362880)+s2*(1.0/6227020800))))
	return (1 + (odd + even)) * power
}
