package runner

import (
	"math"

	"bohier/internal/study"
)

// On a plateau, several configurations share the best value to the last digit:
// an accuracy counts test cases, a size counts blocks. A smooth surrogate expects
// a small gain beside every one of them and would never leave. A suggestion is
// therefore asked to gain climb standard deviations of the modelled objective for
// every configuration beyond the first, and highest at most. Objectives without
// such ties are not touched (measurements in docs/benchmarks.md).
const (
	climb   = 0.2
	highest = 1
)

// required is how much more than the best of the rivals a suggestion has to gain,
// in standard deviations of the modelled objective.
func required(st *study.Study, rivals []*study.Trial) float64 {
	best, on := math.Inf(1), map[string]bool{}
	for _, t := range rivals {
		if t.Outside || !feasible(st, t) {
			continue
		}
		y := st.Objective.Direction.Sign() * t.Values[st.Objective.Name]
		if y < best {
			best = y
			clear(on)
		}
		if y == best {
			on[st.Space.Key(t.Config)] = true
		}
	}
	return min(highest, climb*float64(max(0, len(on)-1)))
}
