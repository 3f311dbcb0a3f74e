package fidelity

import (
	"fmt"

	"bohier/internal/study"
)

// finish is the next leg of the finalist, if the budget pays for all of its way.
func (l ladder) finish(w Wish) (Decision, bool) {
	i, k, ok := l.finalist(w)
	if !ok || !l.payable(l.way(i, k)) {
		return Decision{}, false
	}
	d, ok := l.promote(i, k, w)
	d.Source = SourceFinish
	d.Why = fmt.Sprintf("the best at %s of the trials that did not go on", number(l.f.Levels[k]))
	return d, ok
}

// finalist is the best trial of the highest rung with one that may go on, if it beats every
// complete trial at that rung. With fixed values it is that of the trials which have them.
func (l ladder) finalist(w Wish) (i, level int, ok bool) {
	for k := l.f.Top() - 1; k >= 0; k-- {
		if !l.anyPaused(k, w) {
			continue
		}
		for _, e := range l.rung(k) {
			t := &l.trials[e.Trial]
			if !w.allows(t) {
				continue
			}
			if t.State == study.Complete {
				break
			}
			if w.mayGoOn(t) && l.f.Resource(t.Course) < l.f.Levels[k+1] {
				return e.Trial, k, true
			}
		}
		break
	}
	return 0, 0, false
}

// anyPaused reports whether a trial that may go on waits at level k.
func (l ladder) anyPaused(k int, w Wish) bool {
	for i := range l.trials {
		t := &l.trials[i]
		if t.State == study.Paused && !t.Course.Barred() && w.allows(t) && l.f.LevelAt(l.f.Resource(t.Course)) == k {
			return true
		}
	}
	return false
}

// way is the units from level k of trial i to full resource, level by level.
func (l ladder) way(i, k int) float64 {
	sum, from := 0.0, l.f.Resource(l.trials[i].Course)
	for _, to := range l.f.Levels[k+1:] {
		sum += l.f.Charge(from, to)
		from = to
	}
	return sum
}

// Untrained is the finalist of a study that is over because the rest of the budget pays for
// no leg, and the units that it lacks to the full resource; ok is false where the study goes
// on, or ends with its finalist trained out. noNew is why no new trial can be made; nil: one
// can.
func Untrained(st *study.Study, trials []study.Trial, noNew error) (i int, units float64, ok bool) {
	l := ladder{st, &st.Fidelity, trials}
	if l.f.Rule() != study.SchedulerASHA {
		return 0, 0, false
	}
	if d := Decide(st, trials, Wish{NoNew: noNew}); d.Kind != None || d.Waiting {
		return 0, 0, false
	}
	i, k, ok := l.finalist(Wish{})
	if !ok {
		return 0, 0, false
	}
	return i, l.way(i, k), true
}
