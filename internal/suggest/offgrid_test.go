package suggest

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A trial that was measured off the grid teaches and leads; nothing off the grid is suggested, nor does it stand for
// the suggestion next to it.
func TestMeasuredOffTheGrid(t *testing.T) {
	p := studytest.Number("x")
	p.Step = 0.5
	st := studytest.NewStudy(t, p)
	at := func(x float64) space.Configuration {
		return space.Configuration{Value: []float64{x}, Active: []bool{true}}
	}
	trials := studytest.Completed([]space.Configuration{at(0), at(1), at(0.3)}, []float64{2, 3, 1})
	for k := range trials {
		trials[k].Source = "model"
	}
	h := History(st, trials, Request{Number: 4})
	if h.exhausted != nil || len(h.Observed) != 3 || h.leading(1)[0].Number != 3 {
		t.Errorf("exhausted: %v; the best of %d is trial %d", h.exhausted, len(h.Observed), h.leading(1)[0].Number)
	}
	s, err := Next(t.Context(), st, trials, Request{Number: 4, Seed: 1})
	if err != nil || s.Config.Value[0] != 0.5 {
		t.Errorf("%+v, %v: not the one value that is left", s, err)
	}
	for _, stale := range []bool{false, true} { // under this context, and another one
		once := studytest.Completed([]space.Configuration{at(0.3), at(1)}, []float64{1, 2})
		once[0].Stale, once[0].Outside, once[1].Stale, once[1].Outside = stale, stale, stale, stale
		st.Replicates = study.Replicates{Each: 2}
		s, err := Next(t.Context(), st, once, Request{Number: 3, Seed: 1})
		if err != nil || st.Space.Proposable(s.Config) != nil || s.Source != SourceReplicate {
			t.Errorf("stale %v: %+v, %v", stale, s, err)
		}
	}
}
