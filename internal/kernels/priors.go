package kernels

import (
	"math"
	"math/rand/v2"
)

// LogNormal is the density of exp(Z), Z normal with mean Mu and deviation Sigma.
type LogNormal struct{ Mu, Sigma float64 }

// Normal is the normal density.
type Normal struct{ Mean, Sigma float64 }

// Uniform is the uniform density on [Low, High].
type Uniform struct{ Low, High float64 }

// LogDensity is that of the hyperparameter itself, not of its logarithm.
func (p LogNormal) LogDensity(v float64) (logp, dlogp float64) {
	if v <= 0 {
		return math.Inf(-1), 0
	}
	z := (math.Log(v) - p.Mu) / p.Sigma
	return -0.5*z*z - math.Log(v), -(z/p.Sigma + 1) / v
}

// Sample draws exp(μ + σZ).
func (p LogNormal) Sample(r *rand.Rand) float64 { return math.Exp(p.Mu + p.Sigma*r.NormFloat64()) }

// Quantile is exp(μ + σ·Φ⁻¹(q)).
func (p LogNormal) Quantile(q float64) float64 {
	return math.Exp(Normal{p.Mu, p.Sigma}.Quantile(q))
}

// LogDensity is −z²/2.
func (p Normal) LogDensity(v float64) (logp, dlogp float64) {
	z := (v - p.Mean) / p.Sigma
	return -0.5 * z * z, -z / p.Sigma
}

// Sample draws μ + σZ.
func (p Normal) Sample(r *rand.Rand) float64 { return p.Mean + p.Sigma*r.NormFloat64() }

// Quantile is μ + σ·Φ⁻¹(q).
func (p Normal) Quantile(q float64) float64 {
	return p.Mean + p.Sigma*math.Sqrt2*math.Erfinv(2*q-1)
}

// LogDensity is 0 inside and −∞ outside.
func (p Uniform) LogDensity(v float64) (logp, dlogp float64) {
	if v < p.Low || v > p.High {
		return math.Inf(-1), 0
	}
	return 0, 0
}

// Sample draws from [Low, High).
func (p Uniform) Sample(r *rand.Rand) float64 { return p.Low + (p.High-p.Low)*r.Float64() }

// Quantile is linear in q.
func (p Uniform) Quantile(q float64) float64 { return p.Low + q*(p.High-p.Low) }

// NewPrior makes a prior of the family lognormal, normal or uniform from two numbers: mean and positive
// deviation of the logarithm, mean and positive deviation, or the two ends, ascending.
func NewPrior(family string, args [2]float64) Prior {
	switch family {
	case "normal":
		return Normal{args[0], args[1]}
	case "uniform":
		return Uniform{args[0], args[1]}
	}
	return LogNormal{args[0], args[1]}
}

// The default priors. Scales of numbers grow with √d as those of Hvarfner, Hellsten and Nardi (2024), Vanilla Bayesian
// optimization performs great in high dimensions, LogNormal(√2 + ½ ln d, √3) on [0, 1], d the number of numeric
// parameters active at once. Theirs leaves a handful of trials free to fit next to any lengthscale; this one is
// narrower and has its median a little above the mode of theirs (bench/notes has the comparison). Other distances get
// the prior that this implies for the lengthscale of small differences. Weights of graphs and components have no such
// scale: log-normal with median 1.

// lengthscalePrior is for ℓ in r² = (Δ/ℓ)²: median 0.3·√d.
func lengthscalePrior(d int) LogNormal {
	return LogNormal{-1.2 + 0.5*math.Log(float64(max(d, 1))), 1}
}

// weightPrior is for θ = 1/ℓ²; with base exp, whose r² lacks the ½, θ = 1/2ℓ².
func weightPrior(d int, base string) LogNormal {
	l := lengthscalePrior(d)
	w := LogNormal{-2 * l.Mu, 2 * l.Sigma}
	if base == "exp" {
		w.Mu -= math.Ln2
	}
	return w
}

// namesPrior is for θ in r² = θ·1[x ≠ x′] of one of k choices: median 1, and 3/k of more than three. Configurations
// drawn at random are then hardly further apart in all choices than in all numbers (r² of 2 and 1.9 on average); with a
// median of 1 whatever k is, a surrogate of many choices expects the mean of all values wherever it knows none with
// that value of one of them, and its search repeats the values it has.
func namesPrior(k int) LogNormal {
	return LogNormal{min(0, math.Log(3/float64(max(k, 1)))), math.Sqrt(3)}
}

// radiusPrior is for ω in 4ω² sin²(πρΔ/2) ≈ (ωπρΔ)² at the default ρ = ½.
func radiusPrior(d int, base string) LogNormal {
	w := weightPrior(d, base)
	return LogNormal{w.Mu/2 + math.Log(2/math.Pi), w.Sigma / 2}
}

var (
	unitPrior    = LogNormal{0, 1}            // α, ω of names, component weights
	wideUnit     = LogNormal{0, math.Sqrt(3)} // β of graphs
	standInPrior = Normal{0.5, 1}             // ρ of imp, unit coordinates
	warpPrior    = LogNormal{0, 0.5}          // Kumaraswamy exponents: median is the identity
)
