package acq

// lcb is the negated lower confidence bound κσ − mean (Cox & John 1992, doi:10.1109/ICSMC.1992.271617;
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
