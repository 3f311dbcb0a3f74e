package acq

import "math"

// ei is the expected improvement E[max(incumbent − f, 0)] = σ·h(z),
// z = (incumbent − mean)/σ, h = φ + zΦ (Jones, Schonlau & Welch 1998, eq. 15).
// It underflows to 0 from z ≈ −38 on, and with it the gradient.
type ei struct{ incumbent float64 }

func (ei) Log() bool { return false }

func (h ei) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	z := (h.incumbent - mean) / sd
	p := normalPDF(z)
	if z > tailStart {
		s = sd * (p + z*normalCDF(z))
	} else {
		t := -z
		c := tail(t)
		s = sd * p * c / (t + c)
	}
	if moves {
		dvar = p / (2 * sd)
	}
	return s, -normalCDF(z), dvar
}

// Bound implements Head: the score grows with the variance.
func (h ei) Bound(mean, variance float64) float64 { return ceiling(h, mean, variance) }

// logei is the logarithm of the expected improvement, with a gradient wherever
// the prediction is finite (Ament et al. 2023, arXiv:2310.20708). With q = φ/h:
//
//	∂/∂mean     = −Φ/(h·σ) = (q − 1)/(z·σ)
//	∂/∂variance = φ/(2hσ²) = q/(2σ²)
type logei struct{ incumbent float64 }

func (logei) Log() bool { return true }

func (h logei) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	z := (h.incumbent - mean) / sd
	logh, q := logImprovement(z)
	if z > tailStart { // the other form of Φ/h is 0/0 at z = 0
		dmean = -normalCDF(z) / (normalPDF(z) + z*normalCDF(z)) / sd
	} else {
		dmean = (q - 1) / z / sd
	}
	if moves {
		dvar = q / (2 * sd * sd)
	}
	return logh + math.Log(sd), dmean, dvar
}

// Bound implements Head: the score grows with the variance.
func (h logei) Bound(mean, variance float64) float64 { return ceiling(h, mean, variance) }
