package suggest

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Where the values that the caller fixed leave nothing new, the surrogate does not suggest what was tried.
func TestFixedValuesThatWereTried(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 1))
	confs := studytest.Sampled(t, st, 12)
	trials := studytest.Completed(confs, studytest.Smooth(confs))
	for value, left := range []bool{false, true} { // k = b has x beside it
		s, err := Next(t.Context(), st, trials, Request{Number: 13, Seed: 3, Fixed: space.Assignment{0: float64(value)}})
		if left && (err != nil || s.Config.Value[0] != float64(value)) || !left && !study.HasCode(err, study.Exhausted) {
			t.Errorf("k fixed to value %d: %+v, %v", value, s, err)
		}
	}
}
