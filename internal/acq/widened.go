package acq

// Widened is a head of a prediction with so many times its standard deviation; scale > 0.
func Widened(h Head, scale float64) Head {
	if scale == 1 {
		return h
	}
	return widened{h, scale * scale}
}

type widened struct {
	Head
	square float64
}

// Score implements Head.
func (h widened) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd, moves := deviation(variance)
	s, dmean, dvar = h.Head.Score(mean, h.square*sd*sd)
	if !moves {
		dvar = 0
	}
	return s, dmean, h.square * dvar
}

// Bound implements Head.
func (h widened) Bound(mean, variance float64) float64 { return h.Head.Bound(mean, h.square*variance) }
