package acq

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// HeadOptions are the numbers heads need, in the surrogate's units.
type HeadOptions struct {
	Incumbent float64 // the value to improve on: ei, logei
	Kappa     float64 // lcb: standard deviations below the mean; 0 means 2
}

// Names are the acquisition functions a study may name, sorted.
func Names() []string { return []string{"ei", "lcb", "logei"} }

// NewHead returns the named head of the objective. It refuses unknown names (listing the valid
// ones), and an incumbent or kappa that is not finite, or a negative kappa.
func NewHead(name string, o HeadOptions) (Head, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("unknown acquisition function %q; valid: %s", name, strings.Join(Names(), ", "))
	}
	if name == "lcb" {
		if !(o.Kappa >= 0) || math.IsInf(o.Kappa, 1) {
			return nil, fmt.Errorf("kappa must be a finite number ≥ 0, not %v", o.Kappa)
		}
		if o.Kappa == 0 {
			return lcb{kappa: 2}, nil
		}
		return lcb{kappa: o.Kappa}, nil
	}
	if math.IsNaN(o.Incumbent) || math.IsInf(o.Incumbent, 0) {
		return nil, fmt.Errorf("acquisition function %q needs a finite incumbent, not %v", name, o.Incumbent)
	}
	if name == "ei" {
		return ei{o.Incumbent}, nil
	}
	return logei{o.Incumbent}, nil
}

// Feasibility is weight times the log probability that a constraint's value is ≤ limit
// (Gardner et al. 2014), where its mean is margin ≥ 0 standard deviations higher: the term of one
// constraint's surrogate.
func Feasibility(limit, margin, weight float64) Head { return feasible{limit, margin, weight} }

// LogCost is −rho·scale·mean: the term of a surrogate of the log cost, so that
// a member's product is divided by the predicted geometric mean of the cost to
// the power rho (Snoek et al. 2012, arXiv:1206.2944, §3.2). Scale is the factor by which the log
// cost was divided to standardise it; 1 if it was not.
func LogCost(rho, scale float64) Head { return logcost{rho * scale} }

// ceiling is the score at the largest variance, and a little for the rounding of
// scores that grow with the variance in exact arithmetic.
func ceiling(h Head, mean, variance float64) float64 {
	s, _, _ := h.Score(mean, variance)
	slack := 1e-12 * math.Abs(s)
	if h.Log() { // near 0 it is the difference of larger numbers
		slack += 1e-12
	}
	return s + slack
}

// deviation returns the standard deviation and whether the variance is above
// the floor, so that a derivative exists.
func deviation(variance float64) (sd float64, moves bool) {
	if variance > minVariance {
		return math.Sqrt(variance), true
	}
	if math.IsNaN(variance) {
		return variance, true
	}
	return 1e-10, false // √minVariance
}
