package gp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
)

// Moments are mean and standard deviation of the objective, in its own units, where
// its transform is normal with mean m and standard deviation sd: in closed form for
// none, log, copula and halfrank, by Gauss–Hermite quadrature for power. They are finite.
func Moments(t Transform, m, sd float64) (mean, std float64) {
	switch t := t.(type) {
	case Untransformed:
		return m, sd
	case logarithm: // log-normal
		mean = Clamped(t.sign * math.Exp(t.sign*m+sd*sd/2))
		return mean, Clamped(math.Abs(mean) * math.Sqrt(math.Expm1(sd*sd)))
	case interface {
		moments(m, sd float64) (float64, float64)
	}:
		return t.moments(m, sd)
	}
	if !(sd > 0) {
		return Clamped(t.Inverse(m)), 0
	}
	var at [len(hermite.x)]float64
	for k, z := range hermite.x {
		at[k] = Clamped(t.Inverse(m + sd*z))
	}
	return weighted(at[:], hermite.w[:])
}

// hermite are nodes and weights of the expectation under the standard normal.
var hermite = func() (h struct{ x, w [64]float64 }) {
	quad.Hermite{}.FixedLocations(h.x[:], h.w[:], math.Inf(-1), math.Inf(1))
	for k := range h.x {
		h.w[k] /= math.Sqrt(math.Pi)
		h.x[k] *= math.Sqrt2
	}
	return h
}()

// weighted are mean and standard deviation of values with weights that sum to 1. No square overflows.
func weighted(v, w []float64) (mean, std float64) {
	for k := range v {
		mean += w[k] * v[k]
	}
	largest := 0.0
	for k := range v {
		if w[k] > 0 {
			largest = max(largest, math.Abs(Clamped(v[k]-mean)))
		}
	}
	if largest == 0 {
		return Clamped(mean), 0
	}
	sum := 0.0
	for k := range v {
		d := Clamped(v[k]-mean) / largest
		sum += w[k] * d * d
	}
	return Clamped(mean), Clamped(largest * math.Sqrt(sum))
}

// moments of the piecewise linear inverse: sums of those of truncated normals, one for
// each stretch between values, beyond them as far as reach goes, and constant there.
func (t copula) moments(m, sd float64) (mean, std float64) {
	n := len(t.y)
	switch {
	case n == 0:
		return m, sd
	case !(sd > 0):
		return Clamped(t.Inverse(m)), 0
	}
	lo, hi := reach(t.y[0], t.y[n-1])
	lo, hi = Clamped(lo), Clamped(hi)
	// Knots in modelled and objective units, the ends of the reach included.
	z := slices.Concat([]float64{t.Forward(lo)}, t.z, []float64{t.Forward(hi)})
	y := slices.Concat([]float64{lo}, t.y, []float64{hi})
	unit := max(math.Abs(lo), math.Abs(hi))
	if unit == 0 {
		return 0, 0
	}
	at := t.Inverse(m) / unit // moments about a point nearby keep their digits
	sum, square := 0.0, 0.0
	add := func(a, b, ya, yb float64) { // ya + (yb − ya)·(z − a)/(b − a) between a and b
		p, first, second := truncated(a, b)
		if p == 0 {
			return
		}
		c, slope := ya, 0.0
		if !math.IsInf(a, 0) && !math.IsInf(b, 0) && b > a {
			slope = (yb - ya) / (b - a)
			c = ya - slope*a
		}
		sum += c*p + slope*first
		square += c*c*p + 2*c*slope*first + slope*slope*second
	}
	k := len(z) - 1
	add(math.Inf(-1), (z[0]-m)/sd, lo/unit-at, lo/unit-at)
	for i := range k {
		add((z[i]-m)/sd, (z[i+1]-m)/sd, y[i]/unit-at, y[i+1]/unit-at)
	}
	add((z[k]-m)/sd, math.Inf(1), hi/unit-at, hi/unit-at)
	return Clamped((at + sum) * unit), Clamped(math.Sqrt(max(0, square-sum*sum)) * unit)
}

// truncated are the integrals of φ, z·φ and z²·φ between a and b.
func truncated(a, b float64) (p, first, second float64) {
	if !(b > a) {
		return 0, 0, 0
	}
	const root = 1 / math.Sqrt2
	if a > 0 { // differences of small tails keep their digits
		p = (math.Erfc(a*root) - math.Erfc(b*root)) / 2
	} else {
		p = (math.Erfc(-b*root) - math.Erfc(-a*root)) / 2
	}
	density := func(z float64) (d, zd float64) {
		if math.IsInf(z, 0) {
			return 0, 0
		}
		d = math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		return d, z * d
	}
	da, za := density(a)
	db, zb := density(b)
	return p, da - db, p + za - zb
}
