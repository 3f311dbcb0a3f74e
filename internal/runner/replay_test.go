package runner

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// Suggestions replay although a rule added since would have stopped the study.
func TestReplayIgnoresStop(t *testing.T) {
	c := newCycle(t, studytest.NewStudy(t, studytest.Number("x")))
	play(t, c, 9, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.4) }))
	c.Study.Stop.Regret = 1e9
	if _, _, err := c.Suggest(t.Context(), Ask{}); !done(err) {
		t.Errorf("Suggest: %v, want the normal end", err)
	}
	replayed(t, c, 9)
}
