package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// A rung holds the trials measured at one level. Successive halving lets the best 1/η of each rung go on (Jamieson &
// Talwalkar 2016, arXiv:1502.07943); asynchronously, a trial goes on as soon as it is among the best 1/η of the
// trials in it (Li et al. 2020, arXiv:1810.05934).

// An Entry is a trial in a rung.
type Entry struct {
	Trial int // index among the trials
	rank  rank
	key   float64 // value to be minimised, or the total violation; 0 of a failure
}

// A rank is a group of entries. Every entry of a rank is better than those of the next.
type rank int

const (
	kept     rank = iota
	violated      // a measured constraint does not hold
	failed        // as infeasible on the way to the level
)

// compare orders entries of one rung by rank, then by key. It is 0 for a tie.
func (a Entry) compare(b Entry) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key))
}

// A ladder is a study's levels with the results of its rules from the trials.
type ladder struct {
	st      *study.Study
	f       *study.Fidelity
	trials  []study.Trial
	worth   []float64 // of the levels, where trials start by that; nil: nobody asks
	trusted []bool    // levels that may start, promote and judge trials
	left    float64   // units of the budget that no leg has taken or was promised
	limited bool      // there is such a budget
}

// newLadder trusts all levels, unless the start is chosen from the evidence; where a surrogate
// chooses the trials that go on, all from the first at which it looks.
func newLadder(st *study.Study, trials []study.Trial) ladder {
	l := ladder{st: st, f: &st.Fidelity, trials: trials}
	l.left, l.limited = Left(st, trials)
	surrogate, first := Continues(st), FirstLook(l.f)
	if l.f.Starting() == study.StartAuto && !surrogate {
		_, l.worth = l.evidence()
	}
	for k := range l.f.Levels {
		trust := l.worth == nil || k == l.f.Top() || l.worth[k] > 0
		if surrogate {
			trust = k >= first
		}
		l.trusted = append(l.trusted, trust)
	}
	return l
}

// rung is the trials with a value at a level and the trials that failed as infeasible on their
// way to it, best first, ties by number.
func (l ladder) rung(level int) []Entry {
	var out []Entry
	for i := range l.trials {
		if e, ok := l.entry(i, level); ok {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(a.compare(b), l.trials[a.Trial].Number-l.trials[b.Trial].Number)
	})
	return out
}

// entry is trial i in the rung of a level.
func (l ladder) entry(i, level int) (Entry, bool) {
	t := &l.trials[i]
	o, _, ok := l.f.Entry(t.Course, level)
	switch {
	case t.Stale: // which is compared with none of now
		return Entry{}, false
	case ok:
		e, measured := l.judge(o, level)
		e.Trial = i
		return e, measured
	case t.State == study.Failed && t.Failure == study.Infeasible && level == l.failedAt(t):
		return Entry{Trial: i, rank: failed}, true
	}
	return Entry{}, false
}

// failedAt is the level to which a failed trial was on its way: the lowest above its
// resource at which it would have been judged.
func (l ladder) failedAt(t *study.Trial) int {
	c := t.Course
	if c.Leg() == 0 {
		return -1
	}
	above := l.f.Resource(c)
	for k, r := range l.f.Levels {
		if r > above && r >= c.Start {
			return k
		}
	}
	return l.f.Top()
}

// judge orders an observation; ok is false where it has no value of the objective. A
// constraint that a report below full resource lacks counts as kept.
func (l ladder) judge(o study.Observation, level int) (e Entry, ok bool) {
	v, ok := o.Values.Get(l.st.Objective().Name)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return e, false
	}
	e.key = l.st.Objective().Direction.Sign() * v
	violation := 0.0
	for _, c := range l.st.Constraints {
		got, measured := o.Values.Get(c.Name)
		switch {
		case !measured && level < l.f.Top():
		case !measured:
			e.rank, violation = violated, math.Inf(1)
		case !c.Holds(got):
			e.rank = violated
			violation += math.Abs(got-c.Bound) / (1 + math.Abs(c.Bound))
		}
	}
	if e.rank == violated {
		e.key = violation
	}
	return e, true
}

// rounding is more than the error of a share's arithmetic.
const rounding = 1e-9

// share is n·r_k/r_{k+1}.
func (l ladder) share(n, level int) float64 {
	return float64(n) * l.f.Levels[level] / l.f.Levels[level+1]
}

// BestAt are the best n of the trials with a value at a level that keep the constraints, the
// best first, each as it was there.
func BestAt(st *study.Study, trials []study.Trial, level, n int) []study.Trial {
	l := ladder{st: st, f: &st.Fidelity, trials: trials}
	var out []study.Trial
	for _, e := range l.rung(level) {
		if e.rank != kept || len(out) == n {
			break // these come last
		}
		t := trials[e.Trial]
		if t.State == study.Failed || t.Outside { // further on its way, or data only
			continue
		}
		t.Observation, _, _ = l.f.Entry(t.Course, level)
		t.Course = t.Course.Clone()
		there := max(l.f.Levels[level], l.f.Jumped(t.Course, level))
		t.Course.Points = slices.DeleteFunc(t.Course.Points, func(p study.Point) bool { return p.Resource > there })
		out = append(out, t)
	}
	return out
}

// BestBelow are the best n trials at the level of a resource, and that resource; of 0, at the
// highest level where a trial counts. It is 0 where those at full resource do.
func BestBelow(st *study.Study, trials []study.Trial, at float64, n int) (best []study.Trial, level float64) {
	f := &st.Fidelity
	k := f.LevelAt(at)
	if at == 0 {
		for k = f.Top(); k >= 0 && len(BestAt(st, trials, k, 1)) == 0; k-- {
		}
	}
	if k < 0 || k == f.Top() {
		return nil, 0
	}
	return BestAt(st, trials, k, n), f.Levels[k]
}

// Place fills in the place of trials[i] among the others at the highest level it has a value at, if there is one.
func Place(r *study.CourseReason, st *study.Study, trials []study.Trial, i int) {
	l := newLadder(st, trials)
	k := l.f.LevelAt(l.f.Resource(trials[i].Course))
	if k < 0 {
		return
	}
	rung := l.rung(k)
	if at := slices.IndexFunc(rung, func(e Entry) bool { return e.Trial == i }); at >= 0 {
		r.Level, r.Place, r.Entries = &l.f.Levels[k], at+1, len(rung)
		_, r.Promoted = l.judged(k)
	}
}

// Judge answers a report: trials[i] has a value at resources that it had none at before, and seen
// is the levels that it reached with them for the first time, in ascending order. The trial's leg
// is under way. why is the reason for stopping a trial.
func Judge(st *study.Study, trials []study.Trial, i int, seen []int) (v study.Verdict, why string) {
	l := newLadder(st, trials)
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
	for _, k := range seen {
		stop := false
		switch {
		case k == l.f.Top() || l.f.Levels[k] < c.Start || !l.trusted[k]:
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

// behind reports whether trial i is not among the best ⌈n·share⌉ of the n entries of rung k.
func (l ladder) behind(i, k int) (bool, string) {
	rung := l.rung(k)
	place := 1 + slices.IndexFunc(rung, func(e Entry) bool { return e.Trial == i })
	if place == 0 || float64(place) <= math.Ceil(l.share(len(rung), k)-rounding) {
		return false, ""
	}
	return true, fmt.Sprintf("place %d of %d at %v", place, len(rung), l.f.Levels[k])
}

// medianOf is the number of other trials at a level that a median takes.
const medianOf = 5

// belowMedian reports whether the best value of trial i so far is worse than the median, over the
// other trials that got as far, of the mean of their values at the levels up to k (Golovin et al.
// 2017). Only levels count, so that chatty commands do not weigh more; running trials count too.
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
	return best > lists.Median(means), fmt.Sprintf("worse than the median of %d trials at %v", len(means), l.f.Levels[k])
}
