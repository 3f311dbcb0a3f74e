package runner

import (
	"math"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// Importance finds the parameters that matter, and none in those that do not.
func TestImportance(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b", "c"), studytest.Number("x"), studytest.Number("idle"), studytest.When(studytest.Number("y"), 0, 1))
	f := studytest.Value(func(c space.Configuration) float64 {
		v := 3 * c.Value[1] // x: variance 9/12
		if c.Active[3] {
			v += c.Value[3] // y, in a third of the space
		}
		return v
	})
	c := newCycle(t, st)
	play(t, c, 40, f)
	a, err := c.Analyze(t.Context(), &journal.State{Trials: observed(t, c), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := a.Importance(1)
	if len(got) != 4 || got["x"] < 0.75 || got["idle"] > 0.05 || got["y"] < 0.02 || got["y"] > 0.3 || got["k"] < 0.02 {
		t.Errorf("%v", got)
	}
	again := a.Importance(1)
	for name, v := range got {
		if again[name] != v || math.IsNaN(v) {
			t.Errorf("%s: %v, then %v", name, v, again[name])
		}
	}
}
