package gp

import (
	"math"
	"slices"
	"sort"
)

// copula maps the empirical distribution of y, winsorised, to the standard normal, linearly between the observed
// values. It changes nothing where there are no values, or values that differ by rounding only.
type copula struct{ y, z []float64 }

func newCopula(y []float64) Transform {
	if _, flat := UnitsOf(y); flat {
		return copula{} // ranks would make something of nothing
	}
	s := slices.Clone(y)
	slices.Sort(s)
	s = slices.Compact(s)
	// Winsorised at δ = 1/(4 n^¼ √(π ln n)) (Liu, Lafferty & Wasserman 2009, arXiv:0903.0649).
	n := float64(len(y))
	delta := 1 / (4 * math.Pow(n, 0.25) * math.Sqrt(math.Pi*math.Log(n)))
	sorted := slices.Clone(y)
	slices.Sort(sorted)
	t := copula{y: s, z: make([]float64, len(s))}
	for i, v := range s {
		lo := sort.SearchFloat64s(sorted, v)
		hi := sort.Search(len(sorted), func(k int) bool { return sorted[k] > v })
		rank := (float64(lo) + float64(hi)) / 2 / n // mid-rank of ties
		q := min(max(rank, delta), 1-delta)
		t.z[i] = math.Sqrt2 * math.Erfinv(2*q-1)
		if i > 0 && t.z[i] <= t.z[i-1] { // keep the map invertible where it is winsorised
			t.z[i] = t.z[i-1] + 1e-3
		}
	}
	return t
}

func (t copula) Name() string              { return "copula" }
func (t copula) Forward(y float64) float64 { return interpolate(t.y, t.z, y) }

func (t copula) Inverse(z float64) float64 {
	y := interpolate(t.z, t.y, z)
	if n := len(t.y); n > 0 { // ranks say nothing of how far it goes on
		lo, hi := reach(t.y[0], t.y[n-1])
		y = min(max(y, lo), hi)
	}
	return y
}

// LogSlope is that of the central difference over the neighbouring values; their quotient itself may overflow.
func (t copula) LogSlope(y float64) float64 {
	n := len(t.y)
	if n == 0 {
		return 0
	}
	i := min(sort.SearchFloat64s(t.y, y), n-1)
	a, b := max(i-1, 0), min(i+1, n-1)
	dy, unit := difference(t.y[b], t.y[a])
	return math.Log(t.z[b]-t.z[a]) - math.Log(dy) - math.Log(unit)
}

// difference is b − a = d·unit, with a unit of 2 where the difference of finite numbers overflows.
func difference(b, a float64) (d, unit float64) {
	if d = b - a; math.IsInf(d, 0) {
		return b/2 - a/2, 2
	}
	return d, 1
}

// interpolate is the piecewise linear map from xs to ys, both increasing, extended linearly as far as numbers go.
func interpolate(xs, ys []float64, x float64) float64 {
	n := len(xs)
	if n == 0 {
		return x
	}
	i := min(max(sort.SearchFloat64s(xs, x), 1), n-1)
	from, fu := difference(x, xs[i-1])
	whole, wu := difference(xs[i], xs[i-1])
	t := from / whole * (fu / wu)
	if y := (1-t)*ys[i-1] + t*ys[i]; !math.IsNaN(y) && !math.IsInf(y, 0) {
		return y
	}
	// The parts overflow, perhaps in opposite directions. In units of the larger value they do not.
	_, exp := math.Frexp(max(math.Abs(ys[i-1]), math.Abs(ys[i])))
	a, b := math.Ldexp(ys[i-1], -exp), math.Ldexp(ys[i], -exp)
	return Clamped(math.Ldexp(a+Clamped(t)*(b-a), exp))
}

// halfRank is piecewise linear as copula is: straight over the better half of the values, and
// through Gaussian scores of ranks over the worse half.
type halfRank struct{ copula }

// newHalfRank keeps the better half of the distinct values as it is and replaces the worse half by Gaussian scores of
// its ranks, in units of the better half's deviation from the median (half-rank warping: Song et al. 2024,
// arXiv:2408.11527). A penalty, however large, then lies a deviation or two above the median.
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

// LogSlope is that of the straight line over the better half, and of the central difference over the worse.
func (t halfRank) LogSlope(y float64) float64 {
	if len(t.y) == 0 || y > t.y[1] {
		return t.copula.LogSlope(y)
	}
	dy, unit := difference(t.y[1], t.y[0])
	return math.Log(t.z[1]-t.z[0]) - math.Log(dy) - math.Log(unit)
}
