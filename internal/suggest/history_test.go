package suggest

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Numbers that others have reserved come before a later one, and are no configurations yet;
// abandoned and transiently failed trials are forgotten.
func TestReservedTrialsAreAhead(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	at := func(x float64) space.Configuration {
		return space.Configuration{Value: []float64{x}, Active: []bool{true}}
	}
	trials := []study.Trial{
		{Number: 1, State: study.Reserved}, {Number: 2, State: study.Pending, Config: at(0.2)},
		{Number: 3, State: study.Abandoned, Config: at(0.3)}, {Number: 4, State: study.Failed, Failure: study.Transient, Config: at(0.4)},
		{Number: 5, State: study.Reserved}, {Number: 6, State: study.Reserved},
	}
	h := ReadHistory(st, trials, 5)
	if h.ahead != 1 || len(h.pending) != 1 || len(h.seen) != 1 || len(h.Observed)+len(h.Infeasible) != 0 {
		t.Errorf("%d ahead, %d pending, %d seen, %d observed, %d infeasible", h.ahead, len(h.pending), len(h.seen), len(h.Observed), len(h.Infeasible))
	}
}
