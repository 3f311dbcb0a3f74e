package policy

import (
	"math"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// On a plateau, several configurations share the best value to the last digit:
// an accuracy counts test cases, a size counts blocks. A smooth surrogate expects
// a small gain beside every one of them and would never leave. A suggestion is
// therefore asked to gain climb standard deviations of the modelled objective for
// every configuration beyond the first, and highest at most. Objectives without
// such ties are not touched (measurements in docs/benchmarks.md).
//
// Where a share of stepped of the better half of the trials, best or not, repeats
// the value of another, the objective goes in steps. (Fewer may do so by symmetry.)
// What the surrogate expects beside a trial is then no better than its guesses
// elsewhere, and a suggestion has to gain at least what those are wrong by (doubt).
const (
	climb   = 0.2
	highest = 1
	stepped = 0.1
)

// required is how much more than the best of the rivals a suggestion has to gain,
// in standard deviations of the modelled objective.
func required(st *study.Study, rivals []*study.Trial) float64 {
	best, on := math.Inf(1), map[string]bool{}
	for _, t := range rivals {
		if t.Outside || !st.Feasible(t) {
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

// doubt is the median error, in standard deviations, of the surrogate's predictions
// of the better half of the trials, each from all others; 0 where few of them share
// a value.
func doubt(l gp.LOO) float64 {
	u, flat := gp.UnitsOf(l.Observed)
	if flat {
		return 0
	}
	limit := median(l.Observed)
	var errs []float64
	repeated, seen := 0, map[float64]bool{}
	for k, y := range l.Observed {
		if y > limit {
			continue
		}
		errs = append(errs, math.Abs(u.Standard(y)-u.Standard(l.Mean[k])))
		if seen[y] {
			repeated++
		}
		seen[y] = true
	}
	// With values near the largest float there may be no better half.
	if repeated == 0 || float64(repeated) < stepped*float64(len(errs)) {
		return 0
	}
	return min(highest, median(errs))
}
