package study

import (
	"slices"

	"bohier/internal/pareto"
)

// An Origin says where a part of a reference point comes from.
type Origin string

// The origins: the front itself, the study file, or a constraint on the objective.
const (
	Inferred Origin = "inferred"
	Given    Origin = "given"
	Bound    Origin = "bound"
)

// reference bounds what has a hypervolume, less being better: a tenth of the front's
// extent beyond it, or of that of all values where the front has none, or what the
// study file gives once a trial is better than all of that (until then the worse of the
// two), but never beyond a bound on the objective. Unbeaten says that no trial is better.
func (st *Study) reference(front, all [][]float64) (ref []float64, origins []Origin, unbeaten bool) {
	best, worst := pareto.Bounds(all)
	least := make([]float64, len(best))
	ideal, nadir := pareto.Bounds(front)
	for j := range least {
		if nadir[j] == ideal[j] {
			if least[j] = worst[j] - best[j]; least[j] == 0 {
				least[j] = 1
			}
		}
	}
	ref = pareto.Reference(front, least)
	unbeaten = !slices.ContainsFunc(front, st.beatsGiven)
	for j, ob := range st.Objectives {
		sign, origin := ob.Direction.Sign(), Inferred
		if ob.Reference != nil {
			if given := sign * *ob.Reference; !unbeaten || given >= ref[j] {
				ref[j], origin = given, Given
			}
		}
		for _, c := range st.Constraints {
			if bound := sign * c.Bound; c.Name == ob.Name && c.AtLeast == (sign < 0) && bound < ref[j] {
				ref[j], origin = bound, Bound
			}
		}
		origins = append(origins, origin)
	}
	return ref, origins, unbeaten
}

// beatsGiven reports whether a vector is better than all references that the study file gives.
func (st *Study) beatsGiven(v []float64) bool {
	for j, ob := range st.Objectives {
		if ob.Reference != nil && !(v[j] < ob.Direction.Sign()**ob.Reference) {
			return false
		}
	}
	return true
}
