package policy

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// start is the level a new trial starts with, and why.
func (l ladder) start() (level int, why string) {
	top := l.f.Top()
	switch rule := l.f.Rule(); {
	case rule == study.SchedulerNone:
		return top, "nothing is stopped"
	case l.straight() < l.f.Probes:
		return top, fmt.Sprintf("probe %d of %d", l.straight()+1, l.f.Probes)
	case Continues(l.st):
		return FirstLook(l.f), "every trial is looked at first there"
	case rule == study.SchedulerMedian || l.f.Starting() == study.StartLow:
		return 0, "every trial starts low"
	case l.f.Starting() == study.StartSpread:
		return l.spread(), "brackets in turn"
	}
	mine, all := 0.0, 0.0 // units of straight trials, and of all
	for i := range l.trials {
		if t := &l.trials[i]; !t.Released {
			units := l.f.Spent(t.Course)
			if all += units; t.Course.Leg() > 0 && l.f.Straight(t.Course) {
				mine += units
			}
		}
	}
	if share := l.straightShare(); mine < share*all {
		return top, fmt.Sprintf("straight trials have %.3g of %.3g units, less than the share of %.3g", mine, all, share)
	}
	best := top
	for k := top - 1; k >= 0; k-- {
		if l.trusted[k] && l.worth[k] > l.worth[best] {
			best = k
		}
	}
	return best, fmt.Sprintf("the level of largest worth, %.3g", l.worth[best])
}

// straight is the number of straight trials that count: probes, as far as they go.
func (l ladder) straight() int {
	return len(lists.Where(len(l.trials), func(i int) bool { return l.counts(i) && l.f.Straight(l.trials[i].Course) }))
}

// counts reports whether trial i was handed out and may be evidence.
func (l ladder) counts(i int) bool {
	t := &l.trials[i]
	if t.Course.Leg() == 0 || t.Released {
		return false
	}
	return t.State != study.Abandoned && (t.State != study.Failed || t.Failure != study.Transient)
}

// spread is the classical brackets: start k has weight ⌈(K+1)·eta^(K−k)/(K+1−k)⌉, and the next trial goes where the
// weight per trial started so far is largest, ties to the lower level.
func (l ladder) spread() int {
	top := l.f.Top()
	started := make([]int, top+1)
	for i := range l.trials {
		if l.counts(i) {
			started[max(0, l.f.LevelAt(l.trials[i].Course.Start))]++
		}
	}
	best, most := 0, -1.0
	for k, n := range Brackets(top, l.f.Eta) {
		if w := float64(n) / (float64(started[k]) + 0.5); w > most {
			best, most = k, w
		}
	}
	return best
}

// Brackets are the sizes of the classical brackets of Hyperband for levels 0…top.
func Brackets(top int, eta float64) []int {
	out := make([]int, top+1)
	for k := range out {
		n := float64(top+1) * math.Pow(eta, float64(top-k)) / float64(top+1-k)
		out[k] = int(math.Ceil(n - 1e-9))
	}
	return out
}

// The share of the units that goes to straight trials, whatever the levels are worth, and how it follows success.
const (
	firstShare = 0.5
	leastShare = 0.25
	mostShare  = 0.9
	shareStep  = 1.5
)

// straightShare grows whenever a straight trial beyond the probes becomes the best at
// full resource, and shrinks whenever a promoted one does.
func (l ladder) straightShare() float64 {
	type arrival struct {
		Entry
		seq   int
		probe bool
	}
	var all []arrival
	probes := l.f.Probes
	for i := range l.trials {
		c := l.trials[i].Course
		probe := l.counts(i) && l.f.Straight(c) && probes > 0
		if probe {
			probes--
		}
		o, seq, ok := l.f.Entry(c, l.f.Top())
		if !ok || c.Leg() == 0 {
			continue
		}
		if e, ok := l.judge(o, l.f.Top()); ok {
			e.Trial = i
			all = append(all, arrival{e, seq, probe})
		}
	}
	slices.SortFunc(all, func(a, b arrival) int { return a.seq - b.seq })
	share := firstShare
	for n, best := 0, 0; n < len(all); n++ {
		if n > 0 && all[n].compare(all[best].Entry) >= 0 {
			continue
		}
		best = n
		switch {
		case all[n].probe:
		case l.f.Straight(l.trials[all[n].Trial].Course):
			share = min(mostShare, shareStep*share)
		default:
			share = max(leastShare, share/shareStep)
		}
	}
	return share
}

// ContinueRule is the rule of a study's policy by which a surrogate chooses the paused trials that go on.
const ContinueRule = "fidelity.continue"

// Continues reports whether a surrogate chooses the paused trials of a study that go on, in place
// of rungs and of the worth of levels.
func Continues(st *study.Study) bool {
	f := &st.Fidelity
	return f.Rule() == study.SchedulerASHA && f.Starting() == study.StartAuto && !f.MeasuresOne() &&
		!leftOut(st, ContinueRule)
}

// firstLook is the share of the full resource that a trial has had when a surrogate looks
// at it first. Before, networks say next to nothing about their end.
const firstLook = 0.1

// FirstLook is the lowest level with that share.
func FirstLook(f *study.Fidelity) int {
	for k, r := range f.Levels {
		if r >= firstLook*f.High() {
			return k
		}
	}
	return f.Top()
}
