package gp

import (
	"math"
	"math/rand/v2"

	"bohier/internal/kernels"
)

// modelParams are the default priors and ranges of the model's own hyperparameters, relative to
// a standardised objective (spread 1). Kernels bring theirs.
//
//   - noise: LogNormal(−8, 3), median 3e-4 and wide: it leaves both nearly
//     deterministic and noisy objectives their noise. (BoTorch's LogNormal(−4, 1),
//     after Hvarfner, Hellsten & Nardi 2024, arXiv:2402.02229, "Vanilla Bayesian optimization
//     performs great in high dimensions", lies within one deviation at its mode.)
//     Never below 1e-6.
//   - signal: LogNormal(0, 2), weak: kernels on graphs have k(x, x) well below 1
//     and need a signal variance of 10…100 (Oh, Gavves & Welling 2021).
//   - mean: Normal(0, 1), one spread around the median, so that extrapolation at
//     long lengthscales stays near the data. It is profiled out in closed form.
func modelParams() (signal, noise, mean kernels.Param) {
	signal = kernels.Param{Name: "signal", Init: 1, Lo: 1e-3, Hi: 1e4, Scale: kernels.Log,
		Prior: kernels.LogNormal{Mu: 0, Sigma: 2}}
	noise = kernels.Param{Name: "noise", Init: 1e-2, Lo: 1e-6, Hi: 4, Scale: kernels.Log,
		Prior: kernels.LogNormal{Mu: -8, Sigma: 3}}
	mean = kernels.Param{Name: "mean", Init: 0, Lo: -10, Hi: 10, Prior: kernels.Normal{Mean: 0, Sigma: 1}}
	return signal, noise, mean
}

const halfLog2Pi = 0.9189385332046727417803297364056176398614 // ½ ln 2π

// A dimension describes how a hyperparameter scales with the objective: with the given power of it,
// and whether it moves along when the objective is shifted.
type dimension struct {
	power float64
	value bool
}

var (
	plain    = dimension{}
	variance = dimension{power: 2}
	location = dimension{power: 1, value: true}
	deviates = dimension{power: 1}
)

// dimensionOf is the dimension of a kernel's hyperparameter.
func dimensionOf(p kernels.Param) dimension {
	switch {
	case p.Deviation:
		return deviates
	case p.Variance:
		return variance
	}
	return plain
}

func (d dimension) user(v float64, u Units) float64 {
	switch d {
	case variance:
		return u.Variance(v)
	case location:
		return u.Value(v)
	}
	return v * math.Exp(d.logFactor(u))
}

func (d dimension) standard(v float64, u Units) float64 {
	switch d {
	case variance:
		return u.StandardVariance(v)
	case location:
		return u.Standard(v)
	}
	return v * math.Exp(-d.logFactor(u))
}

// logFactor is ln d(user)/d(standard).
func (d dimension) logFactor(u Units) float64 { return d.power * u.logScale() }

// unedited is the prior of a hyperparameter that Params lists, of its standardised value.
type unedited struct{ kernels.Prior }

// unitPrior is the prior of a standardised value that the wrapped one, of values in units of y, gives.
type unitPrior struct {
	kernels.Prior
	dim dimension
	u   Units
}

func (p unitPrior) LogDensity(v float64) (logp, dlogp float64) {
	lf := p.dim.logFactor(p.u)
	logp, dlogp = p.Prior.LogDensity(p.dim.user(v, p.u))
	return logp + lf, dlogp * math.Exp(lf)
}

func (p unitPrior) Sample(r *rand.Rand) float64 { return p.dim.standard(p.Prior.Sample(r), p.u) }

func (p unitPrior) Quantile(q float64) float64 { return p.dim.standard(p.Prior.Quantile(q), p.u) }
