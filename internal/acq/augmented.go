package acq

import "math"

// Augmented is a log head times 1 − σ/√(variance + σ²), the share of a prediction's
// standard deviation that one measurement with noise of standard deviation σ takes
// away: the augmented expected improvement (Huang, Allen, Notz & Zeng 2006, doi:10.1007/s10898-005-2454-3). Where
// little can be learnt by measuring again the score is low.
func Augmented(h Head, sd float64) Head {
	if !(sd > 0) {
		return h
	}
	return augmented{h, sd}
}

type augmented struct {
	Head
	sd float64
}

// Score implements Head: the factor is v/(t·(t + σ)) with t = √(v + σ²).
func (h augmented) Score(mean, variance float64) (s, dmean, dvar float64) {
	s, dmean, dvar = h.Head.Score(mean, variance)
	sd, moves := deviation(variance)
	v := sd * sd
	t := math.Hypot(sd, h.sd)
	s += 2*math.Log(sd) - math.Log(t) - math.Log(t+h.sd)
	if moves {
		dvar += h.sd * (t + h.sd) / (2 * t * t * v)
	}
	return s, dmean, dvar
}

// Bound implements Head: the factor grows with the variance.
func (h augmented) Bound(mean, variance float64) float64 {
	at := augmented{constant{}, h.sd}
	s, _, _ := at.Score(0, variance)
	s += h.Head.Bound(mean, variance)
	return s + 1e-12*math.Abs(s)
}

// constant is the logarithm of 1.
type constant struct{}

func (constant) Log() bool                                       { return true }
func (constant) Score(float64, float64) (s, dmean, dvar float64) { return 0, 0, 0 }
func (constant) Bound(float64, float64) float64                  { return 0 }

// AugmentedJoint is a logarithmic score of several quantities with the factor of
// Augmented, in the geometric mean over those with noise: sd[j] > 0.
func AugmentedJoint(j Joint, sd []float64) Joint {
	noisy := 0
	for _, v := range sd {
		if v > 0 {
			noisy++
		}
	}
	if noisy == 0 {
		return j
	}
	return augmentedJoint{j, sd, 1 / float64(noisy)}
}

type augmentedJoint struct {
	Joint
	sd    []float64
	share float64 // of each quantity with noise
}

// Score implements Joint.
func (a augmentedJoint) Score(mean, variance, dmean, dvar []float64) float64 {
	s := a.Joint.Score(mean, variance, dmean, dvar)
	for j, sd := range a.sd {
		if sd > 0 {
			f, _, dv := augmented{constant{}, sd}.Score(0, variance[j])
			if s += a.share * f; dvar != nil {
				dvar[j] += a.share * dv
			}
		}
	}
	return s
}

// Bound implements Joint.
func (a augmentedJoint) Bound(mean, variance []float64) float64 {
	s := a.Joint.Bound(mean, variance)
	for j, sd := range a.sd {
		if sd > 0 {
			s += a.share * (augmented{constant{}, sd}).Bound(0, variance[j])
		}
	}
	return s + 1e-12*math.Abs(s)
}
