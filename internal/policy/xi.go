package policy

import (
	"fmt"

	"bohier/internal/study"
)

// On a plateau, several configurations share the best value to the last digit: an
// accuracy counts test cases, a size counts blocks. A smooth surrogate expects a small
// gain beside every one of them and would never leave. Expected improvement is therefore
// measured from the incumbent less ξ, in standard deviations of the modelled objective.
const (
	xiPerTie = 0.2
	xiMax    = 1
)

func xiTies(v *View, p *study.Plan) string {
	ties := v.Best.Ties
	if ties == 0 {
		return ""
	}
	p.Xi = min(xiMax, xiPerTie*float64(ties))
	return fmt.Sprintf("%d configurations share the best value", ties+1)
}
