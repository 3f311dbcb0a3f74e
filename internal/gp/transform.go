package gp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Transform is an increasing map applied to objective values before they are
// modelled.
type Transform interface {
	Name() string
	// Forward maps an objective value to the modelled scale.
	Forward(y float64) float64
	// Inverse maps a modelled value back.
	Inverse(z float64) float64
	// LogSlope is ln d Forward/dy, the Jacobian that makes densities of
	// different transforms comparable.
	LogSlope(y float64) float64
}

// TransformNames lists what NewTransform accepts.
func TransformNames() []string { return []string{"none", "log", "power", "copula", "auto"} }

// NewTransform returns the named transform for observations y, which are to be
// minimised: "none", "log" (needs values of one sign; of −y where all are
// negative), "power" (Yeo & Johnson 2000, or Box & Cox 1964 for positive y, its
// exponent by maximum likelihood, as HEBO), "copula" (rank to Gaussian,
// winsorised; Salinas, Shen & Perrone 2020) or "auto", which takes the one of
// none, log and power under which y is most likely Gaussian. SelectTransform
// chooses by the surrogate instead.
func NewTransform(name string, y []float64) (Transform, error) {
	switch name {
	case "", "none":
		return identity{}, nil
	case "log":
		return newLogarithm(y)
	case "power":
		return newPower(y), nil
	case "copula":
		return newCopula(y), nil
	case "auto":
		best, at := Transform(identity{}), gaussianity(identity{}, y)
		for _, other := range []string{"log", "power"} {
			if t, err := NewTransform(other, y); err == nil {
				// One nat is asked of each alternative: ties stay untransformed.
				if l := gaussianity(t, y); l > at+1 {
					best, at = t, l
				}
			}
		}
		return best, nil
	}
	return nil, fmt.Errorf("gp: unknown transform %q, want one of %v", name, TransformNames())
}

// SelectTransform chooses among none, log, power and copula by the leave-one-out
// density of the fitted surrogate, corrected with the Jacobian, on distinct
// points. The options' Params must be nil.
func SelectTransform(ctx context.Context, k kernels.Kernel, x *points.Set, y []float64, o Options) (Transform, error) {
	var best Transform = identity{}
	at := math.Inf(-1)
	for _, name := range []string{"none", "log", "power", "copula"} {
		t, err := NewTransform(name, y)
		if err != nil {
			continue
		}
		z := make([]float64, len(y))
		slope := 0.0
		for i, v := range y {
			z[i] = t.Forward(v)
			slope += t.LogSlope(v) / float64(len(y))
		}
		_, rep, err := Fit(ctx, k, x, z, o)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			continue
		}
		// One nat in all is asked of each alternative: ties stay untransformed.
		if score := slope - rep.LOO.LogLoss; score > at+1/float64(len(y)) {
			best, at = t, score
		}
	}
	return best, nil
}

// gaussianity is the log likelihood of y when its transform is Gaussian.
func gaussianity(t Transform, y []float64) float64 {
	n := float64(len(y))
	mean, slope := 0.0, 0.0
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = t.Forward(v)
		mean += z[i] / n
		slope += t.LogSlope(v)
	}
	s := 0.0
	for _, v := range z {
		s += (v - mean) * (v - mean) / n
	}
	if !(s > 0) {
		return math.Inf(-1)
	}
	return slope - n/2*math.Log(s)
}

type identity struct{}

func (identity) Name() string               { return "none" }
func (identity) Forward(y float64) float64  { return y }
func (identity) Inverse(z float64) float64  { return z }
func (identity) LogSlope(y float64) float64 { return 0 }

// logarithm is ln y, or −ln(−y) for negative values (a maximised positive
// objective).
type logarithm struct{ sign float64 }

func newLogarithm(y []float64) (Transform, error) {
	t := logarithm{1}
	if len(y) > 0 && y[0] < 0 {
		t.sign = -1
	}
	for _, v := range y {
		if !(t.sign*v > 0) {
			return nil, fmt.Errorf("gp: transform log needs values of one sign, got %g", v)
		}
	}
	return t, nil
}

func (t logarithm) Name() string               { return "log" }
func (t logarithm) Forward(y float64) float64  { return t.sign * math.Log(t.sign*y) }
func (t logarithm) Inverse(z float64) float64  { return t.sign * math.Exp(t.sign*z) }
func (t logarithm) LogSlope(y float64) float64 { return -math.Log(math.Abs(y)) }

// power is Box–Cox (of positive values) or Yeo–Johnson after division by scale,
// which makes the exponent independent of units.
type power struct {
	lambda, shift, scale float64
	positive             bool
}

func newPower(y []float64) Transform {
	t := power{lambda: 1, scale: 1, positive: true}
	if len(y) == 0 {
		return t
	}
	u, flat := standardUnits(y)
	for _, v := range y {
		t.positive = t.positive && v > 0
	}
	if flat || u.scale() == 0 || math.IsInf(u.scale(), 0) {
		return t
	}
	t.scale = u.scale()
	if t.positive {
		t.scale = u.Value(0)
	} else {
		t.shift = u.Value(0)
	}
	// Golden section on a unimodal profile likelihood.
	const ratio = 0.6180339887498949
	lo, hi := -2.0, 3.0
	at := func(l float64) float64 { q := t; q.lambda = l; return gaussianity(q, y) }
	for hi-lo > 1e-3 {
		a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
		if at(a) >= at(b) {
			hi = b
		} else {
			lo = a
		}
	}
	t.lambda = (lo + hi) / 2
	return t
}

func (t power) Name() string { return "power" }

func (t power) Forward(y float64) float64 {
	v := (y - t.shift) / t.scale
	switch {
	case t.positive:
		return boxCox(v, t.lambda)
	case v >= 0:
		return boxCox(1+v, t.lambda)
	}
	return -boxCox(1-v, 2-t.lambda)
}

func (t power) Inverse(z float64) float64 {
	var v float64
	switch {
	case t.positive:
		v = inverseBoxCox(z, t.lambda)
	case z >= 0:
		v = inverseBoxCox(z, t.lambda) - 1
	default:
		v = 1 - inverseBoxCox(-z, 2-t.lambda)
	}
	return t.shift + t.scale*v
}

func (t power) LogSlope(y float64) float64 {
	v, l := (y-t.shift)/t.scale, t.lambda
	switch {
	case t.positive:
	case v >= 0:
		v++
	default:
		v, l = 1-v, 2-l
	}
	return (l-1)*math.Log(v) - math.Log(t.scale)
}

// boxCox is (v^λ − 1)/λ, ln v at λ = 0.
func boxCox(v, lambda float64) float64 {
	if l := math.Log(v); math.Abs(lambda*l) > 1e-8 {
		return math.Expm1(lambda*l) / lambda
	} else {
		return l
	}
}

// inverseBoxCox clamps arguments outside the range to its edge.
func inverseBoxCox(z, lambda float64) float64 {
	if math.Abs(lambda*z) < 1e-8 {
		return math.Exp(z)
	}
	return math.Exp(math.Log1p(max(lambda*z, -1+1e-12)) / lambda)
}

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

// Winsorise returns y with outliers on the bad (large) side pulled in to median
// + 1000·MAD where (max − median)/MAD exceeds 1000, and how many were. With a
// MAD of 0 nothing changes.
func Winsorise(y []float64) (out []float64, clipped int) {
	out = slices.Clone(y)
	if len(y) < 3 {
		return out, 0
	}
	median := middle(y)
	dev := make([]float64, len(y))
	for i, v := range y {
		dev[i] = math.Abs(v/2 - median/2) // halves cannot overflow
	}
	mad := middle(dev)
	if mad == 0 {
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

func middle(v []float64) float64 {
	s := slices.Clone(v)
	slices.Sort(s)
	return s[(len(s)-1)/2]/2 + s[len(s)/2]/2
}
