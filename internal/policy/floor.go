package policy

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/study"
)

// What each further configuration with the least value of an objective asks of a better
// one, in standard deviations of the modelled objective, and all of them at most.
const (
	xiPerTie = 0.2
	xiMost   = 1
)

// fewFloored configurations with the least value make it a floor.
const fewFloored = 3

func xiFloor(v *View, p *study.Plan) string {
	if v.Floor < 2 {
		return ""
	}
	p.Xi = min(xiMost, xiPerTie*float64(v.Floor-1))
	return fmt.Sprintf("%d configurations share the least value", v.Floor)
}

// floored counts the configurations that share the least value of one of several
// objectives, up to rounding: many trade-offs end where an objective is 0.
func floored(st *study.Study, told []*study.Trial) int {
	y := make([]float64, 0, len(told))
	able := feasible(st, told)
	for _, t := range able {
		y = append(y, st.Objective.Direction.Sign()*t.Values[st.Objective.Name])
	}
	if len(y) == 0 {
		return 0
	}
	least := floats.Min(y)
	on := map[string]bool{}
	for k, t := range able {
		if y[k]-least <= 1e-9*(floats.Max(y)-least) {
			on[st.Space.Key(t.Config)] = true
		}
	}
	return len(on)
}
