package gp

import (
	"math"
	"slices"
	"sort"
)

// copula maps the empirical distribution of y, winsorised, to the standard
// normal, linearly between the observed values.
type copula struct{ y, z []float64 }

func newCopula(y []float64) Transform {
	s := slices.Clone(y)
	slices.Sort(s)
	s = slices.Compact(s)
	n := float64(len(y))
	// Winsorised at δ = 1/(4 n^¼ √(π ln n)) (Liu, Lafferty & Wasserman 2009).
	delta := 0.5
	if n > 1 {
		delta = 1 / (4 * math.Pow(n, 0.25) * math.Sqrt(math.Pi*math.Log(n)))
	}
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

func (t copula) Name() string               { return "copula" }
func (t copula) Forward(y float64) float64  { return interpolate(t.y, t.z, y) }
func (t copula) Inverse(z float64) float64  { return interpolate(t.z, t.y, z) }
func (t copula) LogSlope(y float64) float64 { return math.Log(t.slope(y)) }

func (t copula) slope(y float64) float64 {
	n := len(t.y)
	if n < 2 {
		return 1
	}
	// The central difference over the neighbouring values.
	i := min(sort.SearchFloat64s(t.y, y), n-1)
	a, b := max(i-1, 0), min(i+1, n-1)
	return (t.z[b] - t.z[a]) / (t.y[b] - t.y[a])
}

// interpolate is the piecewise linear map from xs to ys, extended linearly.
func interpolate(xs, ys []float64, x float64) float64 {
	n := len(xs)
	if n == 0 {
		return x
	}
	if n == 1 {
		return ys[0] + x - xs[0]
	}
	i := min(max(sort.SearchFloat64s(xs, x), 1), n-1)
	t := (x - xs[i-1]) / (xs[i] - xs[i-1])
	return ys[i-1] + t*(ys[i]-ys[i-1])
}
