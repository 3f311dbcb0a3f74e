package acq

import "math"

// A Joint scores independent Gaussian predictions of several quantities, each to be minimised; larger scores are
// better. It knows no model and may be used by many goroutines at once.
type Joint struct {
	Log bool // Score is a logarithm, as that of a Head
	// Score returns the score of the predictions N(mean[j], variance[j]) and, unless dmean is nil, sets dmean and dvar to
	// its derivatives. Variances count as those of a Head do.
	Score func(mean, variance, dmean, dvar []float64) float64
	// Bound is the largest score for any smaller variances, or a number above it.
	Bound func(mean, variance []float64) float64
}

// JointNames are the acquisition functions for several objectives: the expected gain in
// hypervolume, and the expected improvement of a weighted scalarisation.
func JointNames() []string { return []string{"logehvi", "parego"} }

// Alone is a head as the score of one quantity.
func Alone(h Head) Joint {
	return Joint{Log: h.Log, Score: func(mean, variance, dmean, dvar []float64) float64 {
		v, dm, dv := h.Score(mean[0], variance[0])
		if dmean != nil {
			dmean[0], dvar[0] = dm, dv
		}
		return v
	}, Bound: func(mean, variance []float64) float64 { return h.Bound(mean[0], variance[0]) }}
}

// Augmented is a logarithmic score of several quantities times 1 − σ/√(variance + σ²), in the geometric mean
// over those with noise, sd[j] > 0: the share of a prediction's standard deviation that one measurement with
// noise of standard deviation σ takes away, as in the augmented expected improvement (Huang, Allen, Notz & Zeng
// 2006, doi:10.1007/s10898-005-2454-3). Where little can be learnt by measuring again the score is low.
func Augmented(j Joint, sd []float64) Joint {
	noisy := 0
	for _, v := range sd {
		if v > 0 {
			noisy++
		}
	}
	if noisy == 0 {
		return j
	}
	a := augmented{j, sd, 1 / float64(noisy)}
	return Joint{j.Log, a.score, a.bound}
}

type augmented struct {
	plain Joint
	noise []float64
	share float64 // of each quantity with noise
}

// learnt is log v/(t·(t + σ)) with t = √(v + σ²), which grows with the variance v.
func learnt(noise float64) Head {
	return Head{Log: true, Of: func(_, sd float64) (s, dmean, dvar float64) {
		v := sd * sd
		t := math.Hypot(sd, noise)
		return 2*math.Log(sd) - math.Log(t) - math.Log(t+noise), 0, noise * (t + noise) / (2 * t * t * v)
	}}
}

func (a augmented) score(mean, variance, dmean, dvar []float64) float64 {
	s := a.plain.Score(mean, variance, dmean, dvar)
	for j, noise := range a.noise {
		if noise > 0 {
			f, _, dv := learnt(noise).Score(0, variance[j])
			if s += a.share * f; dvar != nil {
				dvar[j] += a.share * dv
			}
		}
	}
	return s
}

func (a augmented) bound(mean, variance []float64) float64 {
	s := a.plain.Bound(mean, variance)
	for j, noise := range a.noise {
		if noise > 0 {
			s += a.share * learnt(noise).Bound(0, variance[j])
		}
	}
	return s + 1e-12*math.Abs(s)
}
