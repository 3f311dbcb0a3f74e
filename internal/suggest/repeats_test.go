package suggest

import (
	"math"
	"slices"
	"testing"

	"bohier/internal/gp"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// The surrogate may suggest repeats where the study wants them and values are noisy, and in the whole space only.
func TestRepeatsWhereValuesAreNoisy(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *surrogates)
		want   bool
	}{
		"noisy":        {func(*surrogates) {}, true},
		"not asked":    {func(s *surrogates) { s.st.Replicates.Auto = false }, false},
		"exact":        {func(s *surrogates) { s.st.Objectives[0].Noise = study.Noise{None: true} }, false},
		"fixed":        {func(s *surrogates) { s.r.Fixed = space.Assignment{0: 0.5} }, false},
		"in a region":  {func(s *surrogates) { s.plan.Region = &study.Region{} }, false},
		"no surrogate": {func(s *surrogates) { s.missing = &gp.FallbackError{} }, false},
	} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		st.Replicates, st.Objectives[0].Noise.SD = study.NewReplicates(), 0.1
		s := &surrogates{st: st, h: &history{st: st}, plan: &study.Plan{}}
		c.change(s)
		if got := (choice{scoring{s}}).repeats(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Repeats have a share of what the surrogate suggests, until the last tenth of the budget.
func TestShareOfRepeats(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Replicates = study.Replicates{Auto: true, Share: 0.5}
	for _, c := range []struct {
		repeated, chosen, number, budget int
		want                             bool
	}{
		{0, 0, 9, 0, true}, {0, 1, 9, 0, false}, {1, 2, 9, 0, false}, {2, 2, 9, 0, true},
		{2, 2, 90, 100, true}, {2, 2, 91, 100, false},
	} {
		h := &history{st: st}
		h.Infeasible = []*study.Trial{{Source: "design"}}
		for range c.repeated {
			h.Observed = append(h.Observed, &study.Trial{Source: SourceReplicate})
		}
		for range c.chosen {
			h.pending = append(h.pending, &study.Trial{Source: "model"})
		}
		st.Budget.Trials = c.budget
		if got := (choice{scoring{&surrogates{st: st, h: h, r: Request{Number: c.number}}}}).repeatedEnough(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A measurement one standard deviation above its mean moves the mean there by the share of the
// variance that the surrogate is unsure of.
func TestMovesOfMeasurements(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Objectives[0].Noise.SD = 0.2
	trials := tenths(st, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.3) }))
	s := mustFit(t, st, trials[2:7], Request{Number: 11, Seed: 1})
	m, q := s.goals[0].fit.Model, pointsOf(st, s.h.Observed)
	mean, variance := make([]float64, q.Len()), make([]float64, q.Len())
	m.Standard().PredictBatch(mean, variance, q)
	for _, sd := range []float64{0.1, 2} {
		moved, err := moves(m, sd, q)
		must(t, err)
		for i, v := range variance {
			if want := v / math.Sqrt(v+sd*sd); !(math.Abs(moved[i][i]-want) <= 1e-6*want) {
				t.Errorf("an error of %v: at %d the mean moves by %v, want %v", sd, i, moved[i][i], want)
			}
		}
	}
}

// A design is settled once it has as many measurements as it wants, failures included.
func TestSettled(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Initial.Count, st.Replicates.Each = 3, 2
	for n, want := range map[int]bool{4: false, 5: false, 6: true} {
		h := &history{st: st}
		h.Observed, h.Infeasible = make([]*study.Trial, n-1), make([]*study.Trial, 1)
		if got := settledIn(h); got != want {
			t.Errorf("%d trials: %v", n, got)
		}
	}
}

// With replicates: 2 a configuration is measured twice, except where the caller fixes values.
func TestEveryConfigurationTwice(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Replicates.Each = 2
	for _, c := range []struct {
		measured int
		fixed    space.Assignment
		want     bool
	}{{1, nil, true}, {2, nil, false}, {1, space.Assignment{0: 0.5}, false}} {
		trials := studytest.Completed(slices.Repeat(studytest.Sampled(t, st, 1), c.measured), []float64{1, 2})
		s, err := Next(t.Context(), st, trials, Request{Number: c.measured + 1, Seed: 3, Fixed: c.fixed})
		if err != nil || (s.Source == SourceReplicate) != c.want {
			t.Errorf("measured %d times, %v fixed: %+v, %v", c.measured, c.fixed, s, err)
		}
	}
}
