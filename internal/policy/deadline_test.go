package policy

import (
	"testing"
	"time"

	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// A deadline in a guard's turn that found nothing replays like any other: the
// steps of both searches count.
func TestDeadlineAfterTheGuard(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 0))
	trials := simulate(t, st, 16, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] + studytest.Sq(c.Value[1]-0.3) }))
	turns, stopped := 0, 0
	for n := 6; n <= 16; n++ {
		r := Request{Number: n + 1, Seed: 1}
		if _, ok := neglected(st, ReadHistory(st, trials[:n], n+1), r, space.NewDomain(st.Space, nil)); !ok {
			continue
		}
		turns++
		for k := range 12 {
			late, again := r, r
			late.Until = time.Now().Add(time.Duration(k) * 400 * time.Microsecond)
			s, err := Next(t.Context(), st, trials[:n], late)
			if err != nil {
				t.Fatal(err)
			}
			if s.Cut == 0 {
				continue
			}
			stopped++
			again.Cut = s.Cut
			same, err := Next(t.Context(), st, trials[:n], again)
			if err != nil || st.Space.Key(same.Config) != st.Space.Key(s.Config) || same.Source != s.Source {
				t.Errorf("after %d trials and %d steps: %v of %s, again %v, %v", n, s.Cut, s.Config, s.Source, same, err)
			}
		}
	}
	if turns == 0 || stopped == 0 {
		t.Errorf("%d turns of the guard, %d stopped searches", turns, stopped)
	}
}
