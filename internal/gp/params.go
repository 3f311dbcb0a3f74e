package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/kernels"
)

// Params lists the hyperparameters of a model with kernel k on observations y: the kernel's, then signal (σ_f²; absent
// where the kernel has component weights of its own), noise (σ_n²) and mean, in the units of y but for priors. Edit the
// slice (Lo == Hi fixes a value; bounds, initial values, other priors, which are in the units of y) and pass it as
// Options.Params; order and names must stay. Bounds and prior of a weight are those at the initial values of the
// others; unless they are edited, they follow the mean variance of the multiplied kernel.
func Params(k kernels.Kernel, y []float64) []kernels.Param {
	u, _ := UnitsOf(slices.DeleteFunc(slices.Clone(y), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }))
	params, dims := relativeParams(k)
	params = atInitial(params)
	for i := range params {
		params[i] = userParam(params[i], dims[i], u)
	}
	return params
}

// relativeParams lists the default hyperparameters for a standardised objective.
func relativeParams(k kernels.Kernel) ([]kernels.Param, []dimension) {
	own := k.Params()
	params := make([]kernels.Param, 0, len(own)+3)
	dims := make([]dimension, 0, len(own)+3)
	for _, p := range own {
		params, dims = append(params, p), append(dims, dimensionOf(p))
	}
	signal, noise, mean := modelParams()
	if !hasWeights(own) {
		signal.Of = k.MeanVariance()
		params, dims = append(params, signal), append(dims, variance)
	}
	return append(params, noise, mean), append(dims, variance, location)
}

// hasWeights reports whether a kernel with these hyperparameters has weights of its
// components, in place of a signal variance.
func hasWeights(params []kernels.Param) bool {
	return slices.ContainsFunc(params, func(p kernels.Param) bool { return p.Variance })
}

func userParam(p kernels.Param, d dimension, u Units) kernels.Param {
	if d == plain {
		return p
	}
	p.Init, p.Lo, p.Hi = d.user(p.Init, u), d.user(p.Lo, u), d.user(p.Hi, u)
	if p.Prior != nil {
		p.Prior = unedited{p.Prior}
	}
	return p
}

// standardParams converts edited hyperparameters to a standardised objective. A value that was not edited keeps its
// exact default, so that rounding and overflow in the objective's units cannot reach it.
func standardParams(k kernels.Kernel, edited []kernels.Param, u Units) ([]kernels.Param, error) {
	params, dims := relativeParams(k)
	if edited == nil {
		return params, checkParams(params)
	}
	if len(edited) != len(params) {
		return nil, fmt.Errorf("gp: %d hyperparameters given, the model has %d", len(edited), len(params))
	}
	plainly, started := atInitial(params), map[int]float64{}
	for i, e := range edited {
		r, d, declared := &params[i], dims[i], userParam(plainly[i], dims[i], u)
		switch {
		case e.Name != r.Name:
			return nil, fmt.Errorf("gp: hyperparameter %d is %q, not %q", i, r.Name, e.Name)
		case relativeAt(*r) && e.Lo == declared.Lo && e.Hi == declared.Hi && e.Prior == declared.Prior:
			if e.Init != declared.Init {
				started[i] = d.standard(e.Init, u)
			}
			continue
		}
		*r = plainly[i]
		take := func(dst *float64, declared, edited float64) {
			if edited != declared {
				*dst = d.standard(edited, u)
			}
		}
		take(&r.Init, declared.Init, e.Init)
		take(&r.Lo, declared.Lo, e.Lo)
		take(&r.Hi, declared.Hi, e.Hi)
		r.Scale = e.Scale
		if d != plain {
			r.Lo, r.Hi = representable(e, r.Lo, e.Lo), representable(e, r.Hi, e.Hi)
		}
		if e.Lo == e.Hi && declared.Lo != declared.Hi { // fixed: one may be an exact default, and the other rounded
			r.Hi, r.Init = r.Lo, r.Lo
		}
		if e.Prior == nil {
			r.Prior = nil
		} else if e.Prior != declared.Prior {
			r.Prior = unitPrior{e.Prior, d, u}
		}
	}
	if len(started) > 0 {
		theta := declared(params)
		toWeights(params, theta, started)
		for i := range started {
			params[i].Init = fitted(params, theta, i)
		}
	}
	return params, checkParams(params)
}

// representable is a standardised bound, or the nearest number that can be one where that of the objective's units
// over- or underflowed: a range stated for values between 0 and 1 must not end a study of values near 1e300.
func representable(p kernels.Param, standard, user float64) float64 {
	if p.Scale == kernels.Log && user > 0 {
		standard = max(standard, 0x1p-1022)
	}
	return Clamped(standard)
}

func checkParams(params []kernels.Param) error {
	for _, p := range params {
		switch {
		case p.Choices > 0:
		case !(p.Lo <= p.Hi):
			return fmt.Errorf("gp: hyperparameter %s: lower bound %g exceeds upper bound %g", p.Name, p.Lo, p.Hi)
		case p.Scale == kernels.Log && p.Lo < p.Hi && !(p.Lo > 0):
			return fmt.Errorf("gp: hyperparameter %s: a logarithmic range needs a positive lower bound, not %g", p.Name, p.Lo)
		case math.IsInf(p.Lo, 0) || math.IsInf(p.Hi, 0):
			return fmt.Errorf("gp: hyperparameter %s: bounds must be finite", p.Name)
		}
	}
	return nil
}

// logitEdge bounds the logit coordinate: beyond it the value equals a bound to 3e-7 of the range.
const logitEdge = 15

// toCoordinate maps a natural value to the coordinate it is optimised in.
func toCoordinate(p kernels.Param, v float64) float64 {
	switch p.Scale {
	case kernels.Log:
		return math.Log(min(max(v, p.Lo), p.Hi))
	case kernels.Logit:
		u := math.Log(v-p.Lo) - math.Log(p.Hi-v)
		if math.IsNaN(u) {
			u = math.Copysign(logitEdge, v-p.Lo)
		}
		return min(max(u, -logitEdge), logitEdge)
	}
	return min(max(v, p.Lo), p.Hi)
}

// fromCoordinate is its inverse, with the derivative of the natural value.
func fromCoordinate(p kernels.Param, u float64) (v, dv float64) {
	switch p.Scale {
	case kernels.Log:
		v = math.Exp(u)
		return min(max(v, p.Lo), p.Hi), v
	case kernels.Logit:
		s := 1 / (1 + math.Exp(-u))
		return p.Lo + (p.Hi-p.Lo)*s, (p.Hi - p.Lo) * s * (1 - s)
	}
	return u, 1
}

// logJacobian is ln dv/du at the value v of coordinate u, and its derivative with respect to v.
func logJacobian(p kernels.Param, v float64) (l, dl float64) {
	switch p.Scale {
	case kernels.Log:
		return math.Log(v), 1 / v
	case kernels.Logit:
		lo, hi := math.Max(v-p.Lo, 1e-12*(p.Hi-p.Lo)), math.Max(p.Hi-v, 1e-12*(p.Hi-p.Lo))
		return math.Log(lo) + math.Log(hi) - math.Log(p.Hi-p.Lo), 1/lo - 1/hi
	}
	return 0, 0
}

// coordinateBounds is the box of the coordinate.
func coordinateBounds(p kernels.Param) (lo, hi float64) {
	if p.Scale == kernels.Logit {
		return -logitEdge, logitEdge
	}
	return toCoordinate(p, p.Lo), toCoordinate(p, p.Hi)
}

// drawCoordinate draws a starting coordinate: from the prior where there is one
// and it is in use, otherwise uniform in the box (logit: the middle of it).
func drawCoordinate(p kernels.Param, usePrior bool, r *rand.Rand) float64 {
	if usePrior && p.Prior != nil {
		return toCoordinate(p, p.Prior.Sample(r))
	}
	lo, hi := coordinateBounds(p)
	if p.Scale == kernels.Logit {
		lo, hi = -3, 3
	}
	return lo + (hi-lo)*r.Float64()
}
