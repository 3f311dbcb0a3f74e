package policy

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// On a plateau, several configurations share the best value to the last digit: an
// accuracy counts test cases, a size counts blocks. A smooth surrogate expects a small
// gain beside every one of them and would never leave. Expected improvement is therefore
// measured from the incumbent less ξ, in standard deviations of the modelled objective.
//
// Where tieShare of the better half of the trials, best or not, repeats the value of
// another, the objective is a step function. (Fewer may do so by symmetry.) Predictions
// near a trial are then no more reliable than elsewhere, and ξ is at least the median
// leave-one-out error of that half.
const (
	xiPerTie = 0.2
	xiMax    = 1
	tieShare = 0.1
)

func xiTies(v *View, p *study.Plan) string {
	ties := v.Best.Ties
	if p.Baseline == study.BaselineRegion || p.Baseline == study.BaselineMedian {
		ties = v.branch(*p.Region.Branch).Best.Ties
	}
	if ties == 0 {
		return ""
	}
	p.Xi = min(xiMax, xiPerTie*float64(ties))
	return fmt.Sprintf("%d configurations share the best value", ties+1)
}

func xiError(v *View, p *study.Plan) string {
	if v.Repeats < tieShare {
		return ""
	}
	p.XiError = true
	return fmt.Sprintf("%.0f %% of the better half of the values repeat others", 100*v.Repeats)
}

// repeats is the share of the better half of the trials, by distinct configuration,
// that repeats the value of another one.
func repeats(st *study.Study, trials []*study.Trial) float64 {
	var y []float64
	known := map[string]bool{}
	for _, t := range trials {
		if key := st.Space.Key(t.Config); !t.Outside && !known[key] {
			known[key] = true
			y = append(y, st.Objective.Direction.Sign()*t.Values[st.Objective.Name])
		}
	}
	slices.Sort(y)
	if len(y) == 0 || y[0] == y[len(y)-1] {
		return 0
	}
	limit := gp.Median(y)
	better := slices.DeleteFunc(y, func(v float64) bool { return v > limit })
	if len(better) == 0 { // the middle of values near the largest float
		return 0
	}
	return float64(len(better)-len(slices.Compact(slices.Clone(better)))) / float64(len(better))
}

// looError is the median error, in standard deviations, of the surrogate's predictions
// of the better half of the trials, each from all others.
func looError(l gp.LOO) float64 {
	u, flat := gp.UnitsOf(l.Observed)
	if flat {
		return 0
	}
	limit := gp.Median(l.Observed)
	var errs []float64
	for k, y := range l.Observed {
		if y <= limit {
			errs = append(errs, math.Abs(u.Standard(y)-u.Standard(l.Mean[k])))
		}
	}
	if len(errs) == 0 {
		return 0
	}
	return min(xiMax, gp.Median(errs))
}
