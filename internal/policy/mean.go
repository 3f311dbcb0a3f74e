package policy

import (
	"fmt"

	"bohier/internal/space"
	"bohier/internal/study"
)

// trialsPerSlope is up to how many trials for each number active at once the surrogate
// expects a plane.
const trialsPerSlope = 2

// planeFirst has the surrogate expect a plane while trials are few. A surrogate that expects
// a level returns to it beyond its trials, so that the search has no reason to go on in a
// direction in which values improved; few trials can tell directions, and curvature only
// around themselves (docs/benchmarks/fitting.md).
func planeFirst(v *View, p *study.Plan) string {
	n := slopes(v.Study.Space)
	if v.known() >= trialsPerSlope*n {
		return ""
	}
	p.Model.Spec.Mean = "linear"
	trials := study.Count(v.known(), "trial")
	if modelsEnds(v.Study) { // the model of ends expects the plane
		trials += " at full resource"
	}
	return fmt.Sprintf("%s are fewer than %d for each of %s active at once", trials, trialsPerSlope, study.Count(n, "number"))
}

// takesPlane reports whether `auto` may expect a plane: where the space has numbers, and the
// study's other settings leave room for it. Slopes that have no prior need more trials than
// there are numbers. With earlier studies it was not measured.
func takesPlane(st *study.Study) bool {
	s := st.Surrogate
	return s.Mean == "auto" && slopes(st.Space) > 0 && st.WarmStart == nil && !s.Separate && s.Form != "kriging" && s.Inference != "mle" &&
		!setsHyper(st) && (!modelsCurves(st) || modelsEnds(st))
}

// slopes is how many numbers, each of which a plane has a slope in, are active at once.
func slopes(s *space.Space) int {
	return s.MostActive(func(i int) bool { return s.Params()[i].Levels() == 0 || s.Params()[i].Kind == space.Int })
}
