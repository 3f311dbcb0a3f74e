package suggest

import (
	"context"
	"testing"

	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// simulate runs trials one after the other, without a journal.
func simulate(t testing.TB, st *study.Study, n int, m studytest.Measure) []study.Trial {
	t.Helper()
	return simulateSeed(t, st, 7, n, m)
}

func simulateSeed(t testing.TB, st *study.Study, seed uint64, n int, m studytest.Measure) []study.Trial {
	t.Helper()
	trials, _ := simulateWarm(t, st, seed, n, m)
	return trials
}

// simulateWarm also gives what the fits left before each trial.
func simulateWarm(t testing.TB, st *study.Study, seed uint64, n int, m studytest.Measure) ([]study.Trial,
	[]*study.FitRecord) {
	t.Helper()
	var fits []*study.FitRecord
	var trials []study.Trial
	var warm *study.FitRecord
	for k := range n {
		fits = append(fits, warm)
		s, err := Next(context.Background(), st, trials, Request{Number: k + 1, Seed: seed, Warm: warm})
		if err != nil {
			t.Fatalf("trial %d: %v", k+1, err)
		}
		studytest.Check(t, st, trials, s.Config)
		if s.Fit != nil {
			warm = s.Fit
		}
		trials = append(trials, studytest.OutcomeOf(k+1, s, m))
	}
	return trials, fits
}
