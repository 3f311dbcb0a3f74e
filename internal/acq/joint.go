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

// A Group is one posterior sample of several quantities (of hyperparameters, of
// pending outcomes), with the score of their predictions. Surrogates are one for each
// quantity, made for each goroutine; they may be called by many at once.
type Group struct {
	Joint      Joint
	Surrogates []func() Surrogate
}

// A Term is one factor of a member: a head on the predictions of a surrogate.
type Term struct {
	Head      Head
	Surrogate func() Surrogate
}

// A Member is a group whose score is the sum of the scores of its terms.
type Member []Term

// group is a member as a group.
func (m Member) group() Group {
	g := Group{}
	var heads sumOfHeads
	for _, t := range m {
		heads = append(heads, t.Head)
		g.Surrogates = append(g.Surrogates, t.Surrogate)
	}
	g.Joint = heads
	return g
}

// Alone is a head as the score of one quantity.
func Alone(h Head) Joint { return sumOfHeads{h} }

// sumOfHeads is the sum of a score for each quantity: a product where those are
// logarithms.
type sumOfHeads []Head

// Log implements Joint.
func (s sumOfHeads) Log() bool { return s[0].Log() }

// Score implements Joint.
func (s sumOfHeads) Score(mean, variance, dmean, dvar []float64) float64 {
	sum := 0.0
	for j, h := range s {
		v, dm, dv := h.Score(mean[j], variance[j])
		sum += v
		if dmean != nil {
			dmean[j], dvar[j] = dm, dv
		}
	}
	return sum
}

// Bound implements Joint.
func (s sumOfHeads) Bound(mean, variance []float64) float64 {
	sum := 0.0
	for j, h := range s {
		sum += h.Bound(mean[j], variance[j])
	}
	return sum
}
