package gp

import (
	"math"
	"slices"
)

// power is Yeo–Johnson of the standardised deviation v from the median: ((1 + v)^λ − 1)/λ of positive v, the mirror
// image with 2 − λ of negative v, with the λ from 0 to 2 of the largest likelihood of a normal distribution (Yeo &
// Johnson 2000, doi:10.1093/biomet/87.4.954). Beyond these, one side of the transform has a bound, and a search that
// polishes a region of little spread makes the others look alike (bench/notes/transforms.md). Box–Cox, which HEBO takes
// for positive values, is left out: values that shrink towards 0 would go to −∞ and look ever better, though the
// optimum may well be negative.
type power struct {
	lambda float64
	units  Units
}

func newPower(y []float64) Transform {
	u, flat := UnitsOf(y)
	return likeliest(y, u, flat, 0)
}

// aroundOne is half the precision of the prior of a constraint's power, a normal one around 1: the distribution of few
// values says little of how a bound is best approached (bench/notes/constraints.md).
const aroundOne = 4

// PowerAround is the power transform of deviations from a limit that y, which must be finite, is to keep, in place of
// those from the median: what lies on its two sides is spread differently. A limit far beyond all values counts as one
// that is as far beyond as their range is wide.
func PowerAround(y []float64, limit float64) Transform {
	u, flat := UnitsOf(y)
	if !flat {
		lo, hi := reach(slices.Min(y), slices.Max(y))
		u.median = math.Ldexp(min(max(limit, lo), hi), -u.exp)
	}
	return likeliest(y, u, flat, aroundOne)
}

// likeliest has the power of the largest likelihood, given as its logarithm less shrink·(λ − 1)².
func likeliest(y []float64, u Units, flat bool, shrink float64) Transform {
	t := power{lambda: 1, units: Units{sd: 1}}
	if flat {
		return t
	}
	t.units = u
	logs := make([]float64, len(y)) // of 1 + |v|, negative for negative v
	for i := range y {
		if v := u.Standard(y[i]); v >= 0 {
			logs[i] = math.Log(1 + v)
		} else {
			logs[i] = -math.Log(1 - v)
		}
	}
	// Golden section on a unimodal profile likelihood.
	const ratio = 0.6180339887498949
	lo, hi := 0.0, 2.0
	at := func(lambda float64) float64 { return gaussianity(lambda, logs) - shrink*(lambda-1)*(lambda-1) }
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

// gaussianity is the log likelihood, up to a constant, of values whose transform with the power lambda is Gaussian,
// given their signed logarithms: each then costs one exponential.
func gaussianity(lambda float64, logs []float64) float64 {
	n := float64(len(logs))
	z := make([]float64, len(logs))
	mean, slope := 0.0, 0.0
	for i, l := range logs {
		if l >= 0 {
			z[i] = boxCox(l, lambda)
			slope += (lambda - 1) * l
		} else {
			z[i] = -boxCox(-l, 2-lambda)
			slope -= (1 - lambda) * l
		}
		mean += z[i] / n
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

func (t power) Name() string { return "power" }

func (t power) Forward(y float64) float64 {
	v := t.units.Standard(y)
	if v >= 0 {
		return boxCox(math.Log(1+v), t.lambda)
	}
	return -boxCox(math.Log(1-v), 2-t.lambda)
}

func (t power) Inverse(z float64) float64 {
	if z >= 0 {
		return t.units.Value(inverseBoxCox(z, t.lambda) - 1)
	}
	return t.units.Value(1 - inverseBoxCox(-z, 2-t.lambda))
}

func (t power) LogSlope(y float64) float64 {
	v, l := t.units.Standard(y), t.lambda
	if v >= 0 {
		v++
	} else {
		v, l = 1-v, 2-l
	}
	return (l-1)*math.Log(v) - t.units.logScale()
}

// boxCox is (v^λ − 1)/λ of v = exp l, l at λ = 0.
func boxCox(l, lambda float64) float64 {
	if math.Abs(lambda*l) > 1e-8 {
		return math.Expm1(lambda*l) / lambda
	}
	return l
}

// inverseBoxCox is the v of boxCox(ln v, λ) = z, for λ and z of at least 0.
func inverseBoxCox(z, lambda float64) float64 {
	if lambda*z < 1e-8 {
		return math.Exp(z)
	}
	return math.Exp(math.Log1p(lambda*z) / lambda)
}
