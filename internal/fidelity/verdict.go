package fidelity

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/study"
)

// Judge answers a report: trials[i] has a value at resources that it had none at
// before, and seen is the levels that it reached with them for the first time, in
// ascending order. The trial's leg is under way. why says why a trial is stopped.
func Judge(st *study.Study, trials []study.Trial, i int, seen []int) (v study.Verdict, why string) {
	l := ladder{st, &st.Fidelity, trials}
	c := trials[i].Course
	if l.f.Resource(c) >= l.f.High() {
		return study.VerdictDone, ""
	}
	if last := c.Last(); last != nil && l.f.Resource(c) >= last.To {
		return study.VerdictPause, ""
	}
	rule := l.f.Rule()
	if l.f.Straight(c) || rule != study.SchedulerStopping && rule != study.SchedulerMedian {
		return study.VerdictGo, ""
	}
	trusted := l.trusted(l.evidence())
	for _, k := range seen {
		stop := false
		switch {
		case k == l.f.Top() || l.f.Levels[k] < c.Start || !trusted[k]:
		case rule == study.SchedulerStopping:
			stop, why = l.behind(i, k)
		case k >= 1:
			stop, why = l.belowMedian(i, k)
		}
		if stop {
			return study.VerdictStop, why
		}
	}
	return study.VerdictGo, ""
}

// behind reports whether trial i is not among the best ⌈n·share⌉ of the n entries of
// rung k.
func (l ladder) behind(i, k int) (bool, string) {
	rung := l.rung(k)
	place := 1 + slices.IndexFunc(rung, func(e Entry) bool { return e.Trial == i })
	if place == 0 || float64(place) <= math.Ceil(l.share(len(rung), k)-rounding) {
		return false, ""
	}
	return true, fmt.Sprintf("place %d of %d at %s", place, len(rung), number(l.f.Levels[k]))
}

// medianOf is the number of other trials at a level that a median takes.
const medianOf = 5

// belowMedian reports whether the best value of trial i so far is worse than the
// median, over the other trials that got as far, of the mean of their values at the
// levels up to k (Golovin et al. 2017). Only levels count, so that chatty commands
// weigh no more; running trials count too.
func (l ladder) belowMedian(i, k int) (bool, string) {
	var means []float64
	best, found := 0.0, false
	for m := range l.trials {
		if m != i && (l.trials[m].Stale || l.f.Resource(l.trials[m].Course) < l.f.Levels[k]) {
			continue
		}
		sum, n := 0.0, 0
		for level := range k + 1 {
			o, _, ok := l.f.Entry(l.trials[m].Course, level)
			v, measured := o.Values.Get(l.st.Objective().Name)
			if !ok || !measured {
				continue
			}
			v *= l.st.Objective().Direction.Sign()
			sum, n = sum+v, n+1
			if m == i && (!found || v < best) {
				best, found = v, true
			}
		}
		if m != i && n > 0 {
			means = append(means, sum/float64(n))
		}
	}
	if len(means) < medianOf || !found {
		return false, ""
	}
	slices.Sort(means)
	h := len(means) / 2
	median := means[h]
	if len(means)%2 == 0 {
		median = (means[h-1] + means[h]) / 2
	}
	return best > median, fmt.Sprintf("worse than the median of %d trials at %s", len(means), number(l.f.Levels[k]))
}
