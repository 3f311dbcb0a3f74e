package runner_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/pareto"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Where values are noisy the best by value are followed by the best by expectation. Of what was interrupted nobody is
// to believe that the best values are all: checkpoints of the others would be removed.
func TestLeading(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Objectives[0].Noise.SD = 0.5
	var confs []space.Configuration
	var values []float64
	for k := range 12 {
		c := space.NewConfiguration(1)
		c.Active[0], c.Value[0] = true, float64(k)/11
		confs, values = append(confs, c), append(values, c.Value[0])
	}
	values[11] = -0.1 // lucky
	c, s := newCycle(t, st), &journal.State{Trials: studytest.Completed(confs, values), Seed: 1}
	found, err := c.Leading(t.Context(), s, 1)
	if err != nil || len(found) != 3 || found[0].Number != 12 || found[1].Number == 12 {
		t.Errorf("%v, %v", found, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupt := errors.New("interrupted")
	cancel(interrupt)
	if found, err := c.Leading(ctx, s, 1); !errors.Is(err, interrupt) {
		t.Errorf("interrupted: %v, %v", found, err)
	}
}

// Of very many trials those are predicted that may be on the front of predictions, whatever was measured of them.
func TestPromisingTrials(t *testing.T) {
	st := studytest.Several(t, 2, "log", studytest.PlainSpace()...)
	st.Objectives[1].Direction = study.Maximize
	r := rand.New(rand.NewPCG(1, 2))
	trials := studytest.PendingTrials(studytest.Sampled(t, st, 3000))
	for k := range trials {
		c := trials[k].Config
		trials[k].State = study.Complete
		trials[k].Values = study.Values{{Name: "f", Value: math.Exp(c.Value[0] + r.NormFloat64())},
			{Name: "g", Value: math.Exp(c.Value[1] - c.Value[0] + r.NormFloat64())}}
	}
	c, s := newCycle(t, st), &journal.State{Trials: trials[:60], Seed: 1}
	analyses := make([]*runner.Analysis, 2)
	for j := range analyses {
		var err error
		if analyses[j], err = c.For(j).Analyze(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, some := range [][]*runner.Analysis{analyses, {analyses[0], nil}} { // nil: counts as measured
		vectors := make([][]float64, len(trials))
		for k, tr := range trials {
			for j, ob := range st.Objectives {
				v := tr.Values.Of(ob.Name)
				if some[j] != nil {
					mean, _, _ := some[j].Predict([]space.Configuration{tr.Config})
					v = mean[0]
				}
				vectors[k] = append(vectors[k], ob.Direction.Sign()*v)
			}
		}
		got := runner.Promising(st, some, study.Pointers(trials))
		if len(got) < 2000 || len(got) > 2500 {
			t.Errorf("%d of %d trials", len(got), len(trials))
		}
		for _, k := range pareto.Front(vectors) {
			if !slices.Contains(got, &trials[k]) {
				t.Errorf("trial %d, of the front, is left out", trials[k].Number)
			}
		}
	}
	if got := runner.Promising(st, analyses, study.Pointers(trials[:2000])); len(got) != 2000 {
		t.Errorf("%d of 2000 trials", len(got))
	}
}
