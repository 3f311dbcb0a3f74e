package acq

// feasible is log Φ(z), z = (limit − mean)/σ: the logarithm of the probability to be within a limit.
type feasible struct{ limit float64 }

func (feasible) Log() bool { return true }

func (h feasible) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	z := (h.limit - mean) / sd
	s, q := logProbability(z)
	if moves && q > 0 {
		dvar = -q * z / (2 * sd * sd)
	}
	return s, -q / sd, dvar
}

// Bound implements Head. The score grows with the variance where the mean is not good enough;
// where it is, it is log 1 without variance.
func (h feasible) Bound(mean, variance float64) float64 {
	if mean <= h.limit {
		return 0
	}
	return ceiling(h, mean, variance)
}
