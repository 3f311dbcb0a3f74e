package acq

import (
	"cmp"
	"fmt"
	"math"
)

// A Head scores the Gaussian prediction of a quantity to be minimised; larger scores are better. It knows no model.
type Head struct {
	// Log means that the score is the logarithm of the quantity that multiplies with other heads and
	// averages over samples.
	Log bool
	// Of returns the score of a prediction and its derivatives with respect to the mean and the
	// variance. The standard deviation is at least 1e-10.
	Of func(mean, sd float64) (s, dmean, dvar float64)
	// Most is Bound; nil where no larger variance has a lower score.
	Most func(mean, variance float64) float64
}

// Score returns the score of N(mean, variance) and its derivatives with respect to the mean and the variance. A
// variance below 1e-20 counts as 1e-20 and its derivative is zero there.
func (h Head) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	if s, dmean, dvar = h.Of(mean, sd); !moves {
		dvar = 0
	}
	return s, dmean, dvar
}

// Bound is the largest score of N(mean, v) over all v ≤ variance, or a number above it: the
// most that a prediction whose variance is not yet known in full can still reach.
func (h Head) Bound(mean, variance float64) float64 {
	if h.Most != nil {
		return h.Most(mean, variance)
	}
	// A little more, for the rounding of scores that grow with the variance in exact arithmetic.
	s, _, _ := h.Score(mean, variance)
	slack := 1e-12 * math.Abs(s)
	if h.Log { // near 0 it is the difference of larger numbers
		slack += 1e-12
	}
	return s + slack
}

// Names are the acquisition functions a study may name, sorted.
func Names() []string { return []string{"ei", "lcb", "logei"} }

// NewHead returns the named head of the objective. The incumbent is the value to improve on, in the surrogate's units;
// kappa is of lcb, 0 means 2. It refuses an incumbent that is not finite.
func NewHead(name string, incumbent, kappa float64) (Head, error) {
	switch {
	case name == "lcb":
		return LowerBound(cmp.Or(kappa, 2)), nil
	case notFinite(incumbent):
		return Head{}, fmt.Errorf("acquisition function %q needs a finite incumbent, not %v", name, incumbent)
	case name == "ei":
		return ei(incumbent), nil
	}
	return LogImprovement(incumbent), nil
}

// Feasibility is w·log Φ(z), z = (limit − mean − margin·σ)/σ: weight times the log probability that a
// constraint's value is ≤ limit (Gardner et al. 2014), where its mean is margin ≥ 0 standard deviations higher.
func Feasibility(limit, margin, weight float64) Head {
	of := func(mean, sd float64) (s, dmean, dvar float64) {
		z := (limit - (mean + margin*sd)) / sd
		s, q := logProbability(z)
		dmean = -q / sd
		if q > 0 {
			dvar = -q*z/(2*sd*sd) + dmean*margin/(2*sd)
		}
		return weight * s, weight * dmean, weight * dvar
	}
	return Head{Log: true, Of: of, Most: func(mean, variance float64) float64 {
		if mean <= limit { // where it is log 1 without variance; elsewhere it grows with the variance
			return 0
		}
		return Head{Log: true, Of: of}.Bound(mean, variance)
	}}
}

// LogCost is −rho·scale·mean: the term of a surrogate of the log cost, so that a product is divided by the predicted
// geometric mean of the cost to the power rho (Snoek et al. 2012, arXiv:1206.2944, §3.2). Scale is the factor by which
// the log cost was divided to standardise it; 1 if it was not.
func LogCost(rho, scale float64) Head {
	slope := rho * scale
	return Head{Log: true, Of: func(mean, _ float64) (s, dmean, dvar float64) { return -slope * mean, -slope, 0 }}
}

// deviation returns the standard deviation and whether the variance is above the floor, so that a derivative exists.
func deviation(variance float64) (sd float64, moves bool) {
	if variance > minVariance {
		return math.Sqrt(variance), true
	}
	if math.IsNaN(variance) {
		return variance, true
	}
	return 1e-10, false // √minVariance
}

// ei is the expected improvement E[max(incumbent − f, 0)] = σ·h(z),
// z = (incumbent − mean)/σ, h = φ + zΦ (Jones, Schonlau & Welch 1998, doi:10.1023/A:1008306431147, eq. 15).
// It underflows to 0 from z ≈ −38 on, and with it the gradient.
func ei(incumbent float64) Head {
	return Head{Of: func(mean, sd float64) (s, dmean, dvar float64) {
		z := (incumbent - mean) / sd
		p := normalPDF(z)
		if z > tailStart {
			s = sd * (p + z*normalCDF(z))
		} else {
			t := -z
			c := tail(t)
			s = sd * p * c / (t + c)
		}
		return s, -normalCDF(z), p / (2 * sd)
	}}
}

// LogImprovement, logei, is the logarithm of the expected improvement, with a gradient wherever
// the prediction is finite (Ament et al. 2023, arXiv:2310.20708). With q = φ/h:
//
//	∂/∂mean     = −Φ/(h·σ) = (q − 1)/(z·σ)
//	∂/∂variance = φ/(2hσ²) = q/(2σ²)
func LogImprovement(incumbent float64) Head {
	return Head{Log: true, Of: func(mean, sd float64) (s, dmean, dvar float64) {
		z := (incumbent - mean) / sd
		logh, q := logImprovement(z)
		if z > tailStart { // the other form of Φ/h is 0/0 at z = 0
			dmean = -normalCDF(z) / (normalPDF(z) + z*normalCDF(z)) / sd
		} else {
			dmean = (q - 1) / z / sd
		}
		return logh + math.Log(sd), dmean, q / (2 * sd * sd)
	}}
}

// LowerBound, lcb, is the negated lower confidence bound κσ − mean (Cox & John 1992, doi:10.1109/ICSMC.1992.271617;
// Srinivas et al. 2010).
func LowerBound(kappa float64) Head {
	return Head{Of: func(mean, sd float64) (s, dmean, dvar float64) { return kappa*sd - mean, -1, kappa / (2 * sd) }}
}
