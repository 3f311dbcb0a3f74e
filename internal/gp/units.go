package gp

import (
	"math"
	"slices"

	"bohier/internal/lists"
)

// Units is the invertible map between objective values and the standardised values the model works in: median 0,
// population standard deviation 1. The power of two is split off and applied by Ldexp, so that multiplying every value
// by 2^k changes no standardised bit, and no square over- or underflows.
type Units struct {
	exp    int     // y = 2^exp·(median + sd·z)
	median float64 // of y·2^−exp
	sd     float64 // of y·2^−exp
}

// UnitsOf returns the units in which y, which must be finite, is standard, and
// whether y is constant: its spread is below 1e-12 of its magnitude.
func UnitsOf(y []float64) (u Units, flat bool) {
	big := 0.0
	for _, v := range y {
		big = max(big, math.Abs(v))
	}
	u.sd = 1
	if big == 0 {
		return u, true
	}
	_, u.exp = math.Frexp(big)
	z := lists.Of(y, func(v float64) float64 { return math.Ldexp(v, -u.exp) })
	slices.Sort(z)
	u.median = (z[(len(z)-1)/2] + z[len(z)/2]) / 2
	if z[len(z)-1]-z[0] <= 1e-12*math.Ldexp(big, -u.exp) {
		u.sd = math.Ldexp(big, -u.exp)
		return u, true
	}
	// The values are summed in sorted order: the units do not depend on the order of the observations.
	sum, squares := 0.0, 0.0
	for _, v := range z {
		sum += v - u.median
	}
	mean := sum / float64(len(z))
	for _, v := range z {
		d := v - u.median - mean
		squares += d * d
	}
	u.sd = math.Sqrt(squares / float64(len(z)))
	return u, false
}

// Standard is the standardised value of the objective value y.
func (u Units) Standard(y float64) float64 { return (math.Ldexp(y, -u.exp) - u.median) / u.sd }

// Value is the objective value of the standardised value z, or the largest number of its sign where that overflows.
func (u Units) Value(z float64) float64 { return Clamped(math.Ldexp(u.median+u.sd*z, u.exp)) }

// Deviation converts a standard deviation, where the square of one, as Variance gives it, could over- or underflow.
func (u Units) Deviation(sd float64) float64 { return Clamped(math.Ldexp(u.sd*sd, u.exp)) }

// StandardDeviation is the standardised value of a standard deviation of the objective; it may overflow or vanish.
func (u Units) StandardDeviation(sd float64) float64 { return math.Ldexp(sd, -u.exp) / u.sd }

// StandardVariance converts a variance in the objective's squared units.
func (u Units) StandardVariance(v float64) float64 { return math.Ldexp(v, -2*u.exp) / (u.sd * u.sd) }

// Variance converts a standardised variance to the objective's squared units;
// it may overflow or vanish when the objective itself is beyond 1e±150.
func (u Units) Variance(v float64) float64 { return math.Ldexp(v*(u.sd*u.sd), 2*u.exp) }

// logScale is the logarithm of the standard deviation in objective units.
func (u Units) logScale() float64 { return math.Log(u.sd) + float64(u.exp)*math.Ln2 }

// Winsorise returns y with outliers on the bad (large) side pulled in to median + 1000·MAD where (max − median)/MAD
// exceeds 1000. Nothing changes where most values are equal up to rounding, which says nothing of how far the others
// may lie: with a MAD of 0, or of less than 1e-14 of the ninth decile.
func Winsorise(y []float64) []float64 {
	out := slices.Clone(y)
	if len(y) < 3 {
		return out
	}
	median := lists.Median(y)
	dev := lists.Of(y, func(v float64) float64 { return math.Abs(v/2 - median/2) }) // halves cannot overflow
	slices.Sort(dev)
	mad := lists.Median(dev)
	if mad <= 1e-14*dev[(len(dev)-1)*9/10] {
		return out
	}
	limit := median + 2*(1e3*mad)
	for i, v := range out {
		out[i] = min(v, limit)
	}
	return out
}
