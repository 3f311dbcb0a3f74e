package policy_test

import (
	"testing"

	"bohier/internal/policy"
	"bohier/internal/study"
)

// Who went on from a level is who has a value beyond it or a leg that leads there: not who was stopped there.
func TestWhoWentOn(t *testing.T) {
	c := newCase([]float64{1, 3, 9})
	c.st.Fidelity.Scheduler, c.st.Fidelity.Start = study.SchedulerStopping, study.StartLow
	for i := range 6 {
		c.add(1, 9)
		c.report(i, 1, float64(i))
	}
	c.report(0, 3, 0)
	stopped := 0
	for i := range c.trials {
		if c.trials[i].State == study.Stopped {
			stopped++
		}
	}
	levels := policy.Levels(c.st, c.trials)
	if stopped == 0 || levels[0].Entries != 6 || levels[0].Promoted != 6-stopped {
		t.Errorf("%d stopped: %+v", stopped, levels[0])
	}
	var p study.CourseReason
	if policy.Place(&p, c.st, c.trials, 5); p.Promoted != 6-stopped || p.Place != 6 {
		t.Errorf("%+v", p)
	}

	asha := newCase([]float64{1, 3, 9})
	asha.st.Fidelity.Start = study.StartLow
	for i := range 3 {
		asha.add(1, 1)
		asha.report(i, 1, float64(i))
	}
	if got := policy.Levels(asha.st, asha.trials)[0].Promoted; got != 0 {
		t.Errorf("%d went on before any was promoted", got)
	}
	asha.give(policy.NextLeg(asha.st, asha.trials, policy.Wish{}))
	asha.fail(0, study.Transient) // it went on, and failed on its way
	if got := policy.Levels(asha.st, asha.trials)[0].Promoted; got != 1 {
		t.Errorf("%d went on", got)
	}
}

// The best at a level are in the order of its rung, as they were there, without those that failed later.
func TestBestAt(t *testing.T) {
	c := newCase([]float64{1, 3, 9})
	for i, v := range []float64{0.3, 0.1, 0.2} {
		c.add(1, 1)
		c.report(i, 1, v)
	}
	c.report(1, 3, 0.9)
	c.fail(2, study.Infeasible)
	best := policy.BestAt(c.st, c.trials, 0, 9)
	if len(best) != 2 || best[0].Number != 2 || best[0].Values.Of("f") != 0.1 || len(best[0].Course.Points) != 1 {
		t.Errorf("%+v", best)
	}
	if _, level := policy.BestBelow(c.st, c.trials, 0, 1); level != 3 {
		t.Errorf("%v is the highest level", level)
	}
	if got := policy.BestAt(c.st, c.trials, 2, 9); got != nil {
		t.Errorf("%v at the full resource", got)
	}
}

// A budget that was made smaller leaves a finalist on its way, which a study tells that is over.
func TestUntrained(t *testing.T) {
	c := newCase([]float64{1, 3, 9})
	c.st.Fidelity.Start, c.st.Budget.Resource = study.StartLow, 100
	for i, v := range []float64{0.3, 0.1} {
		c.add(1, 1)
		c.report(i, 1, v)
	}
	untrained := func(want int, units float64) {
		t.Helper()
		i, n, ok := policy.Untrained(c.st, c.trials, nil)
		if ok != (want >= 0) || ok && (i != want || n != units) {
			t.Errorf("trial %d, %v units, %v", i, n, ok)
		}
	}
	untrained(-1, 0)
	c.st.Budget.Resource = 2
	untrained(1, 8)
	c.add(1, 1)
	untrained(-1, 0) // a leg is under way
	c.fail(2, study.Infeasible)
	c.report(0, 9, 0.3)
	untrained(1, 8) // complete, but behind at 1
	c.trials[1].State = study.Abandoned
	untrained(-1, 0)
}
