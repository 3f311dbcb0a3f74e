package acq

// feasible is w·log Φ(z), z = (limit − mean − margin·σ)/σ: the logarithm of the probability to be
// within a limit by a margin, w times.
type feasible struct{ limit, margin, weight float64 }

func (feasible) Log() bool { return true }

func (h feasible) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	z := (h.limit - (mean + h.margin*sd)) / sd
	s, q := logProbability(z)
	dmean = -q / sd
	if moves && q > 0 {
		dvar = -q*z/(2*sd*sd) + dmean*h.margin/(2*sd)
	}
	return h.weight * s, h.weight * dmean, h.weight * dvar
}

// Bound implements Head. The score grows with the variance where the mean is not good enough;
// where it is, it is log 1 without variance.
func (h feasible) Bound(mean, variance float64) float64 {
	if mean <= h.limit {
		return 0
	}
	return h.weight * ceiling(feasible{h.limit, h.margin, 1}, mean, variance)
}
