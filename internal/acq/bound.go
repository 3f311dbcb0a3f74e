package acq

// lcb is the negated lower confidence bound κσ − mean (Cox & John 1992;
// Srinivas et al. 2010).
type lcb struct{ kappa float64 }

func (lcb) Log() bool { return false }

func (h lcb) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	if moves {
		dvar = h.kappa / (2 * sd)
	}
	return h.kappa*sd - mean, -1, dvar
}

// Bound implements Head: the score grows with the variance.
func (h lcb) Bound(mean, variance float64) float64 { return ceiling(h, mean, variance) }

// logcost is −slope·mean, see LogCost.
type logcost struct{ slope float64 }

func (logcost) Log() bool { return true }

func (h logcost) Score(mean, _ float64) (s, dmean, dvar float64) {
	return -h.slope * mean, -h.slope, 0
}

// Bound implements Head: the variance does not matter.
func (h logcost) Bound(mean, variance float64) float64 { return ceiling(h, mean, variance) }
