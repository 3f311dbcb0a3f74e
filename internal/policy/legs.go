package policy

import (
	"fmt"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// Sources of further legs.
const (
	SourcePromotion = "promotion" // among the best of its rung
	SourceFinish    = "finish"    // the finalist that is trained out at the end
)

// A Wish restricts the decision.
type Wish struct {
	OnlyNew bool                      // no promotion, even where one is due
	Start   float64                   // > 0: the level a new trial starts at
	Allows  func(t *study.Trial) bool // promotions of these trials only; nil: of all
	NoNew   error                     // why no new trial can be made; nil: one can

	// Chosen is how a surrogate puts paused trials before a new one: their numbers, the
	// first first. Where it is not nil it decides in place of the rungs.
	Chosen []int
	// Preferred is the resource at which a surrogate wants to judge a new trial first; 0: it does not say.
	Preferred float64
}

// NextLeg is the task of the next worker: a promotion, else a new trial, else nothing. It is a
// function of the study and of the trials' reports.
func NextLeg(st *study.Study, trials []study.Trial, w Wish) study.Task {
	l := newLadder(st, trials)
	if w.NoNew == nil {
		w.NoNew = l.fruitless()
	}
	if !w.OnlyNew {
		next := l.promotion
		if w.Chosen != nil {
			next = l.chosen
		}
		if d, ok := next(w); ok {
			return d
		}
	}
	start, why := l.start()
	switch {
	case w.Start > 0:
		start, why = l.f.LevelAt(w.Start), "asked for"
	case w.Preferred > 0:
		start, why = l.f.LevelAt(w.Preferred), "a new trial promises most for each unit there"
	}
	afford := start
	if w.Start == 0 {
		for afford >= 0 && !(l.payable(l.firstLeg(afford)) && l.trusted[afford]) {
			afford--
		}
	} else if !l.payable(l.firstLeg(afford)) {
		afford = -1
	}
	if !w.OnlyNew && w.Start == 0 && l.lastStretch(afford, w.NoNew != nil) {
		if l.underWay() {
			return study.Task{Waiting: true, Why: "the next leg is that of the best trial by then"}
		}
		if d, ok := l.finish(w); ok {
			return d
		}
	}
	switch {
	case w.NoNew != nil:
		return study.Task{Why: w.NoNew.Error(), Waiting: l.underWay()}
	case afford < 0:
		return study.Task{Why: l.spentText(start), Waiting: l.underWay()}
	case afford < start:
		why = "the budget pays for no more"
	}
	return study.Task{Start: l.f.Levels[afford], To: l.target(afford), Why: why}
}

// target is how far the first leg of a trial that starts at a level goes.
func (l ladder) target(start int) float64 {
	if l.f.Rule() == study.SchedulerASHA {
		return l.f.Levels[start]
	}
	return l.f.High()
}

// firstLeg is the units that the first leg is charged.
func (l ladder) firstLeg(start int) float64 { return l.f.Charge(0, l.target(start)) }

// promotion is the first paused trial among the best of its rung, from the highest rung
// down: the best ⌊n·share⌋ of the n entries go on.
func (l ladder) promotion(w Wish) (study.Task, bool) {
	if l.f.Rule() != study.SchedulerASHA {
		return study.Task{}, false
	}
	for k := l.f.Top() - 1; k >= 0; k-- {
		if !l.trusted[k] {
			continue
		}
		rung := l.rung(k)
		for place, e := range rung[:int(l.share(len(rung), k)+rounding)] {
			if d, ok := l.promote(e.Trial, k, w); ok {
				d.Source, d.Why = SourcePromotion, fmt.Sprintf("place %d of %d at %v", place+1, len(rung), l.f.Levels[k])
				return d, true
			}
		}
	}
	return study.Task{}, false
}

// chosen is the first of the trials that a surrogate wants to go on, up to the next level that is trusted.
func (l ladder) chosen(w Wish) (study.Task, bool) {
	for _, n := range w.Chosen {
		i := slices.IndexFunc(l.trials, func(t study.Trial) bool { return t.Number == n })
		if i < 0 {
			continue
		}
		k := l.f.LevelAt(l.f.Resource(l.trials[i].Course))
		for k+1 < l.f.Top() && !l.trusted[k+1] {
			k++
		}
		if d, ok := l.promote(i, k, w); ok {
			d.Source, d.Why = SourcePromotion, "it promises more than a new trial"
			return d, true
		}
	}
	return study.Task{}, false
}

// promote is the leg of trial i from level k to the next, where it may have one.
func (l ladder) promote(i, k int, w Wish) (study.Task, bool) {
	t := &l.trials[i]
	to := l.f.Levels[min(k+1, l.f.Top())]
	from := l.f.Resource(t.Course)
	if !w.mayGoOn(t) || from >= to || !l.payable(l.f.Charge(from, to)) {
		return study.Task{}, false
	}
	return study.Task{Trial: t.Number, To: to}, true
}

// mayGoOn reports whether a trial may have a further leg at all.
func (w Wish) mayGoOn(t *study.Trial) bool {
	return t.State == study.Paused && !t.Outside && !t.Course.Barred() && w.allows(t)
}

func (w Wish) allows(t *study.Trial) bool { return w.Allows == nil || w.Allows(t) }

// lastStretch reports whether a new trial would leave too little of the budget for a
// full training, or cannot be made at all.
func (l ladder) lastStretch(start int, noNew bool) bool {
	if l.f.Rule() != study.SchedulerASHA { // others leave nobody to go on
		return false
	}
	return noNew || l.limited && (start < 0 || l.left-l.firstLeg(start) < l.f.Charge(0, l.f.High()))
}

// underWay reports whether a leg is pending.
func (l ladder) underWay() bool {
	return lists.Any(len(l.trials), func(i int) bool {
		s := l.trials[i].State
		return s == study.Pending || s == study.Reserved && !l.trials[i].Released
	})
}

// Left is the units of the budget that no leg has taken or was promised; ok is false without a limit.
func Left(st *study.Study, trials []study.Trial) (left float64, ok bool) {
	if st.Budget.Resource == 0 {
		return 0, false
	}
	return st.Budget.Resource - Spent(st, trials), true
}

// Spent is the units that legs have taken or were promised.
func Spent(st *study.Study, trials []study.Trial) float64 {
	sum := 0.0
	for i := range trials {
		if !trials[i].Released {
			sum += st.Fidelity.Spent(trials[i].Course)
		}
	}
	return sum
}

func (l ladder) payable(units float64) bool {
	return !l.limited || units <= l.left*(1+1e-12)
}

// fruitless is why no new trial is made once as many as the budget has shortest legs failed as infeasible with nothing
// reported: they are charged nothing, so that units alone would never end such a study.
func (l ladder) fruitless() error {
	n := len(lists.Where(len(l.trials), func(i int) bool {
		t := &l.trials[i]
		return t.State == study.Failed && t.Failure == study.Infeasible && l.f.Resource(t.Course) == 0
	}))
	if budget := l.st.Budget.Resource; budget == 0 || float64(n)*l.f.Low() < budget {
		return nil
	}
	return study.Errorf(study.Exhausted, "",
		"%s failed as infeasible with nothing reported, as many as the budget of %v %s has shortest legs",
		study.Count(n, "trial"), l.st.Budget.Resource, l.f.Name)
}

func (l ladder) spentText(start int) string {
	shortest := l.firstLeg(start)
	for k := range start {
		if l.trusted[k] {
			shortest = min(shortest, l.firstLeg(k))
		}
	}
	return fmt.Sprintf("the budget of %v %s is used: %v left, the shortest leg needs %v",
		l.st.Budget.Resource, l.f.Name, max(0, l.left), shortest)
}

// finish is the next leg of the finalist, if the budget pays for all of its way.
func (l ladder) finish(w Wish) (study.Task, bool) {
	i, k, ok := l.finalist(w)
	if !ok || !l.payable(l.way(i, k)) {
		return study.Task{}, false
	}
	d, ok := l.promote(i, k, w)
	d.Source = SourceFinish
	d.Why = fmt.Sprintf("the best at %v of the trials that did not go on", l.f.Levels[k])
	return d, ok
}

// finalist is the best trial of the highest rung with one that may go on, if it beats every
// complete trial at that rung. With fixed values it is that of the trials which have them.
func (l ladder) finalist(w Wish) (i, level int, ok bool) {
	highest := -1
	for m := range l.trials {
		t := &l.trials[m]
		k := l.f.LevelAt(l.f.Resource(t.Course))
		if t.State == study.Paused && !t.Course.Barred() && w.allows(t) && k < l.f.Top() {
			highest = max(highest, k)
		}
	}
	if highest < 0 {
		return 0, 0, false
	}
	for _, e := range l.rung(highest) {
		switch t := &l.trials[e.Trial]; {
		case !w.allows(t):
		case t.State == study.Complete:
			return 0, 0, false
		case w.mayGoOn(t) && l.f.Resource(t.Course) < l.f.Levels[highest+1]:
			return e.Trial, highest, true
		}
	}
	return 0, 0, false
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

// Untrained is the finalist of a study that is over because the rest of the budget pays for no leg, and the units that
// it lacks to the full resource; ok is false where the study goes on, or ends with its finalist trained out. noNew is
// why no new trial can be made; nil: one can.
func Untrained(st *study.Study, trials []study.Trial, noNew error) (i int, units float64, ok bool) {
	l := newLadder(st, trials)
	if l.f.Rule() != study.SchedulerASHA {
		return 0, 0, false
	}
	if d := NextLeg(st, trials, Wish{NoNew: noNew}); d.To > 0 || d.Waiting {
		return 0, 0, false
	}
	i, k, ok := l.finalist(Wish{})
	if !ok {
		return 0, 0, false
	}
	return i, l.way(i, k), true
}
