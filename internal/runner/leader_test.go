package runner_test

import (
	"context"
	"errors"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// Where values are noisy the best by value are followed by the best by expectation. Of what
// was interrupted nobody is to believe that the best values are all: checkpoints of the
// others would be removed.
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
