package policy

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A branch of which nothing new is left gets no share; a plan for it, as of a journal, is
// executed over the whole space, against the best of all trials.
func TestDoneBranch(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 0))
	trials := told(t, st, 14, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] + studytest.Sq(c.Value[1]-0.3) }))
	r := Request{Number: 15, Seed: 3}
	v := newView(st, ReadHistory(st, trials, 15), r)
	for _, b := range v.Branches {
		if alone := len(b.Active) == 0; b.Done != alone || alone && (b.Tried != 1 || b.Rank != 2) {
			t.Errorf("branch %+v", b)
		}
	}
	for v.Number = 1; v.Number < 20; v.Number++ {
		if p := Decide(v, Rules()); p.Region != nil && p.Region.Branch != nil {
			t.Errorf("suggestion %d looks at %+v", v.Number, p.Region)
		}
	}
	r.Plan = Decide(v, nil)
	r.Plan.Region, r.Plan.Baseline, r.Plan.Incumbent = &study.Region{Branch: &[]string{}}, study.BaselineRegion, 2
	s, err := fitSurrogates(t.Context(), st, trials, r)
	if err != nil {
		t.Fatal(err)
	}
	if p := s.whole(); p.Region != nil || p.Baseline != study.BaselineAll || p.Incumbent != v.Best.Trial {
		t.Errorf("for the whole space: %+v", p)
	}
	found, _, err := s.search(t.Context())
	if err != nil || found[0].Tried || st.Space.Decode(found[0].Point, 0).Value[0] != 0 {
		t.Errorf("found %+v, %v", found, err)
	}
}
