package suggest

import (
	"math"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// Once a bowl is polished, every second suggestion lies somewhere else, unless the study leaves the rule out.
func TestElsewhere(t *testing.T) {
	bowl := studytest.Value(func(c space.Configuration) float64 {
		dx, dy := c.Value[0]-0.3, c.Value[1]-0.6
		return dx*dx + dy*dy
	})
	far := func(without ...string) (n int) {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Policy.Without = without
		for _, trial := range simulate(t, st, 30, bowl)[20:] {
			if v := trial.Config.Value; math.Hypot(v[0]-0.3, v[1]-0.6) > 0.1 {
				n++
			}
		}
		return n
	}
	if n := far(); n < 4 || n > 6 {
		t.Errorf("%d of ten suggestions lie elsewhere", n)
	}
	if n := far("design.elsewhere"); n > 1 {
		t.Errorf("without the rule %d of ten suggestions lie elsewhere", n)
	}
}

// A point of the design is explained as one: no search scored it, and the surrogate had no purpose with it.
func TestExplainElsewhere(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	trials := simulate(t, st, 6, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] }))
	for _, design := range []bool{true, false} {
		r := Request{Number: 7, Seed: 7}
		s := mustNext(t, st, trials, r)
		s.Plan.Design, r.Plan = design, s.Plan
		why, err := explained(t.Context(), st, trials, r, s.Config)
		if err != nil || (why.Score == nil) != design || (why.Purpose == nil) != design || why.Mean == nil {
			t.Errorf("a point of the design: %v; explained as %+v, %v", design, why, err)
		}
	}
}
