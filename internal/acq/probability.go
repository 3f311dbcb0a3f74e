package acq

// pi is the probability of improvement Φ(z), z = (incumbent − mean)/σ (Kushner
// 1964).
type pi struct{ incumbent float64 }

func (pi) Log() bool { return false }

func (h pi) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	z := (h.incumbent - mean) / sd
	p := normalPDF(z) / sd
	if moves && p > 0 { // 0·∞ far out
		dvar = -p * z / (2 * sd)
	}
	return normalCDF(z), -p, dvar
}

// Bound implements Head. The score grows with the variance where the mean is not good enough;
// where it is, it is 1 without variance.
func (h pi) Bound(mean, variance float64) float64 {
	if mean <= h.incumbent {
		return 1
	}
	return ceiling(h, mean, variance)
}

// logpi is log Φ(z): the logarithm of the probability of improvement, and, with
// a limit for incumbent, of feasibility.
type logpi struct{ incumbent float64 }

func (logpi) Log() bool { return true }

func (h logpi) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	z := (h.incumbent - mean) / sd
	s, q := logProbability(z)
	if moves && q > 0 {
		dvar = -q * z / (2 * sd * sd)
	}
	return s, -q / sd, dvar
}

// Bound implements Head as pi does.
func (h logpi) Bound(mean, variance float64) float64 {
	if mean <= h.incumbent {
		return 0
	}
	return ceiling(h, mean, variance)
}
