package acq

import "math"

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

// logei is the logarithm of the expected improvement, with a gradient wherever
// the prediction is finite (Ament et al. 2023, arXiv:2310.20708). With q = φ/h:
//
//	∂/∂mean     = −Φ/(h·σ) = (q − 1)/(z·σ)
//	∂/∂variance = φ/(2hσ²) = q/(2σ²)
func logei(incumbent float64) Head {
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

// lcb is the negated lower confidence bound κσ − mean (Cox & John 1992, doi:10.1109/ICSMC.1992.271617;
// Srinivas et al. 2010).
func lcb(kappa float64) Head {
	return Head{Of: func(mean, sd float64) (s, dmean, dvar float64) { return kappa*sd - mean, -1, kappa / (2 * sd) }}
}
