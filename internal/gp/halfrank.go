package gp

import (
	"math"
	"slices"
)

// halfRank is piecewise linear as copula is: straight over the better half of the values, and
// through Gaussian scores of ranks over the worse half.
type halfRank struct{ copula }

// newHalfRank keeps the better half of the distinct values as it is and replaces the worse
// half by Gaussian scores of its ranks, in units of the better half's deviation from the median
// (half-rank warping: Song et al. 2024, arXiv:2408.11527). A
// penalty, however large, then lies a deviation or two above the median.
func newHalfRank(y []float64) Transform {
	v := slices.Clone(y)
	slices.Sort(v)
	v = slices.Compact(v)
	half := (len(v) + 1) / 2
	if _, flat := UnitsOf(y); flat || half < 2 {
		return halfRank{}
	}
	best, median, n := v[0], v[half-1], float64(len(v))
	spread, unit := difference(median, best)
	sum := 0.0
	for _, u := range v[:half] {
		d, du := difference(median, u)
		d = d / spread * (du / unit)
		sum += d * d
	}
	t := halfRank{copula{y: []float64{best}, z: []float64{-1 / math.Sqrt(sum/float64(half))}}}
	for i, u := range v[half-1:] {
		q := min(0.5+float64(i)/n, 1-0.5/n)
		t.y, t.z = append(t.y, u), append(t.z, math.Sqrt2*math.Erfinv(2*q-1))
	}
	return t
}

func (t halfRank) Name() string { return "halfrank" }

// LogSlope is that of the straight line over the better half, and of the central difference
// over the worse.
func (t halfRank) LogSlope(y float64) float64 {
	if len(t.y) == 0 || y > t.y[1] {
		return t.copula.LogSlope(y)
	}
	dy, unit := difference(t.y[1], t.y[0])
	return math.Log(t.z[1]-t.z[0]) - math.Log(dy) - math.Log(unit)
}
