package suggest

import (
	"testing"

	"bohier/internal/acq"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Of many pending trials those count that the surrogate would try soonest, with fewer
// draws of their outcomes: a suggestion keeps away from them all the same.
func TestManyPendingTrials(t *testing.T) {
	t.Parallel()
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	done := 12
	trials := told(t, st, done, func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: "f", Value: c.Value[0] - c.Value[1]}}}, ""
	})
	kept := new(Kept) // the same fit is made once
	next := func() *study.Suggestion {
		s := mustNext(t, st, trials, Request{Number: len(trials) + 1, Seed: 3, Kept: kept})
		return s
	}
	gower := space.NewGower(st.Space)
	for pending := 0; pending < 45; pending++ {
		s := next()
		want := study.PendingPlan{Draws: max(1, 64/max(8, pending)), Most: 32}
		switch p := s.Plan.Pending; {
		case p == nil && pending > 8 || p != nil && (pending <= 8 || *p != want):
			t.Fatalf("%d pending trials: %+v, want %+v", pending, p, want)
		}
		q := st.Space.EncodeAll([]space.Configuration{s.Config})
		for _, other := range trials[done:] {
			if gower.Within(q, 0, st.Space.EncodeAll([]space.Configuration{other.Config}), 0, acq.Separation) {
				t.Fatalf("suggestion %d repeats the pending trial %d", len(trials)+1, other.Number)
			}
		}
		trials = append(trials, study.Trial{Number: len(trials) + 1, State: study.Pending, Config: s.Config})
	}
	s := mustFit(t, st, trials, Request{Number: len(trials) + 1, Seed: 3})
	good := feasiblePoints(st, s.h.Observed)
	m := s.goals[0].fit.Model
	for _, counts := range []int{45, 32} { // as older journals have it, and as a plan says
		s.plan.Pending = nil
		if counts < 45 {
			s.plan.Pending = &study.PendingPlan{Draws: 2, Most: counts}
		}
		counted, err := scoring{s}.counted(s.plan, "logei", m, good, pointsOf(st, s.h.pending))
		must(t, err)
		models, err := scoring{s}.withPending(m, counted, generator(s.r, streamFantasy))
		must(t, err)
		if draws := map[int]int{45: 8, 32: 2}[counts]; models[0].Len() != done+counts || len(models) != draws {
			t.Errorf("%d models of %d points, want %d of %d", len(models), models[0].Len(), draws, done+counts)
		}
	}
}
