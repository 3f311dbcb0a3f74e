package policy

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

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

// apart is how many standard deviations of noise two values differ by at least that do not
// differ by chance.
const apart = 3

// noisyFloor is floored of the noisy objective k: of the configurations whose value is the
// least one but for noise, those count that are clearly worse than another of them in some
// other objective, from the fourth on. Where an objective has a floor it is met by
// configurations good and bad elsewhere, and near an optimum of its own by configurations
// alike, but for a few.
func noisyFloor(st *study.Study, told []*study.Trial, goals []*View, k int) int {
	able := feasible(st, told)
	y, sd := make([][]float64, len(goals)), make([]float64, len(goals))
	for j, g := range goals {
		ob := g.Study.Objective
		for _, t := range able {
			y[j] = append(y[j], ob.Direction.Sign()*t.Values[ob.Name])
		}
		if len(y[j]) < 2 {
			return 0
		}
		sd[j] = math.Sqrt(noiseShare(g.Fit, g.Fit.Champion) * stat.Variance(y[j], nil))
	}
	low, best := floats.Min(y[k])+apart*sd[k], slices.Repeat([]float64{math.Inf(1)}, len(goals))
	for i := range able {
		for j := range goals {
			if y[k][i] <= low {
				best[j] = min(best[j], y[j][i])
			}
		}
	}
	on := map[string]bool{}
	for i, t := range able {
		for j := range goals {
			if j != k && y[k][i] <= low && y[j][i] > best[j]+apart*sd[j] {
				on[st.Space.Key(t.Config)] = true
			}
		}
	}
	return max(0, len(on)-fewFloored)
}

// goalModel is modelOf. One of several objectives with a floor is modelled as it is: a power
// pulls apart what lies near that value, and what is elsewhere is then modelled badly.
func goalModel(st *study.Study, h *history) study.ModelSpec {
	s := modelOf(st)
	if st.Among > 1 && st.Objective.Transform == "auto" && floored(st, h.Observed) >= fewFloored {
		s.Transform = "none"
	}
	return s
}
