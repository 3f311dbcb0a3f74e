package policy

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/study"
)

// OtherSide ends the name of the factor of an outcome's second bound.
const OtherSide = ".other"

// ConstraintFactors are the factor names of a study's constraints, in their order.
func ConstraintFactors(st *study.Study) []string {
	var out []string
	for _, c := range st.Constraints {
		key := "constraint." + c.Name
		if slices.Contains(out, key) { // bounded on the other side, too
			key += OtherSide
		}
		out = append(out, key)
	}
	return out
}

// constraintMargin keeps every bound with the margin that its trials call for.
func constraintMargin(v *View, p *study.Plan) string {
	var why []string
	for k := range p.Factors {
		if m := v.Margins[p.Factors[k].Name]; m > 0 {
			p.Factors[k].Margin = m
			why = append(why, fmt.Sprintf("%s by %g σ", p.Factors[k].Name, m))
		}
	}
	return strings.Join(why, ", ")
}

// feasibilityWeight was compared where the optimum was on the edge (bench/notes). A
// failure costs a trial and says nothing about the objective, which looks promising beyond
// the edge of the feasible.
const feasibilityWeight = 3

func failureFactor(v *View, p *study.Plan) string {
	if v.Infeasible == 0 {
		return ""
	}
	p.Factors = append(p.Factors, study.Factor{Name: "feasibility", Weight: feasibilityWeight})
	return study.Count(v.Infeasible, "trial") + " failed as infeasible"
}

// pessimismQuantile is that of the good trials which infeasible ones are believed to be
// as bad as, at least, so that little is expected of the surroundings of a failure
// however well the objective would have gone on there. (The worst of the good would
// keep too far from the edge, where the best configurations may be; the best of them
// lets more than half of the trials near it fail.)
const pessimismQuantile = 0.25

func pessimism(v *View, p *study.Plan) string {
	if v.Infeasible == 0 {
		return ""
	}
	p.Pessimism = pessimismQuantile
	return study.Count(v.Infeasible, "trial") + " failed as infeasible"
}
