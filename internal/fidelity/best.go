package fidelity

import (
	"slices"

	"bohier/internal/study"
)

// BestAt are the best n of the trials with a value at a level that keep the constraints, the
// best first, each as it was there.
func BestAt(st *study.Study, trials []study.Trial, level, n int) []study.Trial {
	l := ladder{st, &st.Fidelity, trials}
	var out []study.Trial
	for _, e := range l.rung(level) {
		if e.Failed || e.infeasible || len(out) == n {
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

// Highest is the highest level with a best trial; −1: none has.
func Highest(st *study.Study, trials []study.Trial) int {
	k := st.Fidelity.Top()
	for k >= 0 && len(BestAt(st, trials, k, 1)) == 0 {
		k--
	}
	return k
}
