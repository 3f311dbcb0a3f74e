package gp

import (
	"math"
	"slices"

	"bohier/internal/lists"
)

// Winsorise returns y with outliers on the bad (large) side pulled in to median
// + 1000·MAD where (max − median)/MAD exceeds 1000, and how many were. Nothing changes
// where most values are equal up to rounding, which says nothing of how far the others
// may lie: with a MAD of 0, or of less than 1e-14 of the ninth decile.
func Winsorise(y []float64) (out []float64, clipped int) {
	out = slices.Clone(y)
	if len(y) < 3 {
		return out, 0
	}
	median := Median(y)
	dev := lists.Of(y, func(v float64) float64 { return math.Abs(v/2 - median/2) }) // halves cannot overflow
	slices.Sort(dev)
	mad := Median(dev)
	if mad <= 1e-14*dev[(len(dev)-1)*9/10] {
		return out, 0
	}
	limit := median + 2*(1e3*mad)
	for i, v := range out {
		if v > limit {
			out[i] = limit
			clipped++
		}
	}
	return out, clipped
}

// Median is the median of v, of an even number the middle of the two; NaN of none.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Clone(v)
	slices.Sort(s)
	return s[(len(s)-1)/2]/2 + s[len(s)/2]/2
}
