package acq

// A Joint scores independent Gaussian predictions of several quantities, each to be
// minimised; larger scores are better. It knows no model and may be used by many
// goroutines at once.
type Joint interface {
	// Score returns the score of the predictions N(mean[j], variance[j]) and, unless
	// dmean is nil, sets dmean and dvar to its derivatives. Variances count as those
	// of a Head do.
	Score(mean, variance, dmean, dvar []float64) float64
	// Bound is the largest score for any smaller variances, or a number above it.
	Bound(mean, variance []float64) float64
	// Log reports whether Score is a logarithm, as that of a Head.
	Log() bool
}

// JointNames are the acquisition functions for several objectives: the expected gain in
// hypervolume, and the expected improvement of a weighted scalarisation.
func JointNames() []string { return []string{"logehvi", "parego"} }

// Alone is a head as the score of one quantity.
func Alone(h Head) Joint { return alone{h} }

type alone struct{ head Head }

// Log implements Joint.
func (a alone) Log() bool { return a.head.Log }

// Score implements Joint.
func (a alone) Score(mean, variance, dmean, dvar []float64) float64 {
	v, dm, dv := a.head.Score(mean[0], variance[0])
	if dmean != nil {
		dmean[0], dvar[0] = dm, dv
	}
	return v
}

// Bound implements Joint.
func (a alone) Bound(mean, variance []float64) float64 { return a.head.Bound(mean[0], variance[0]) }
