package acq

// logcost is −slope·mean, see LogCost.
type logcost struct{ slope float64 }

func (logcost) Log() bool { return true }

func (h logcost) Score(mean, _ float64) (s, dmean, dvar float64) {
	return -h.slope * mean, -h.slope, 0
}

// Bound implements Head: the variance does not matter.
func (h logcost) Bound(mean, variance float64) float64 { return ceiling(h, mean, variance) }
