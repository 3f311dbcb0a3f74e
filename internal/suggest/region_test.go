package suggest

import (
	"slices"
	"strings"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A branch of which nothing new is left gets no share; a plan for it, as of a journal, is
// executed over the whole space, against the best of all trials.
func TestDoneBranch(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 0))
	trials := told(t, st, 14, studytest.Value(func(c space.Configuration) float64 {
		return c.Value[0] +
			studytest.Sq(c.Value[1]-0.3)
	}))
	r := Request{Number: 15, Seed: 3}
	v := newView(readHistory(st, trials, Request{Number: 15}), r)
	for _, b := range v.Branches {
		alone := len(b.Active) == 0
		if done := b.Done != nil && b.Done(); done != alone || alone && (b.Tried != 1 || b.Rank != 2) {
			t.Errorf("branch %+v", b)
		}
	}
	for v.Number = 1; v.Number < 20; v.Number++ {
		if p := policy.Decide(v, policy.InForce(v.Study)); p.Region != nil && p.Region.Branch != nil {
			t.Errorf("suggestion %d looks at %+v", v.Number, p.Region)
		}
	}
	r.Plan = policy.Decide(v, nil)
	r.Plan.Region, r.Plan.Baseline, r.Plan.Incumbent = &study.Region{Branch: &[]string{}}, study.BaselineRegion, 2
	s := mustFit(t, st, trials, r)
	if p := s.whole(); p.Region != nil || p.Baseline != study.BaselineAll || p.Incumbent != v.Best {
		t.Errorf("for the whole space: %+v", p)
	}
	found, _, err := choice{scoring{s}}.search(t.Context())
	if err != nil || found[0].Tried || st.Space.Decode(found[0].Point, 0).Value[0] != 0 {
		t.Errorf("found %+v, %v", found, err)
	}
}

// A branch whose best is polished, far behind the best of all, leaves its turn to the whole space.
func TestPolishedBranch(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 0),
		studytest.When(studytest.Number("y"), 0, 1), studytest.When(studytest.Number("z"), 0, 1))
	tried := []float64{0, 0.2, 0.29, 0.31, 0.45, 0.7, 1}
	trials := told(t, st, 30, studytest.Value(func(c space.Configuration) float64 {
		if c.Value[0] == 0 && len(tried) > 0 {
			c.Value[1], tried = tried[0], tried[1:]
			return 1 + studytest.Sq(c.Value[1]-0.3)
		}
		return studytest.Sq(c.Value[2]-0.6) + studytest.Sq(c.Value[3]-0.6)
	}))
	trials = slices.DeleteFunc(trials, func(t study.Trial) bool {
		return t.Config.Value[0] == 0 && t.Values.Of(st.Objective().Name) < 1
	})
	r := Request{Number: 31, Seed: 3}
	for planned(st, trials, r).Region == nil {
		r.Number++
	}
	s := mustNext(t, st, trials, r)
	if s.Config.Value[0] == 0 {
		t.Errorf("%+v, by %+v", s.Config, s.Plan.Region)
	}
}

// Of thousands of branches each is hardly ever sampled: one with many more configurations than
// trials is not done all the same.
func TestManyBranchesAreNotDone(t *testing.T) {
	levels := strings.Split("abcdefghijklmnop", "")
	var params []space.Parameter
	for k := range 12 {
		params = append(params, studytest.Category("on"+levels[k], "no", "yes"))
	}
	for k := range 12 {
		params = append(params, studytest.When(studytest.Category("of"+levels[k], levels...), k, 1))
	}
	st := studytest.NewStudy(t, params...)
	trials := told(t, st, 8, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] }))
	tried := 0
	for _, b := range newView(readHistory(st, trials, Request{Number: 9}), Request{Number: 9, Seed: 3}).Branches {
		if b.Tried > 0 && len(b.Active) > 3 {
			if tried++; b.Done() {
				t.Errorf("nothing new is left of %v", b.Active)
			}
		}
	}
	if tried == 0 {
		t.Error("no branch was tried")
	}
}

// A search of a region starts at the best trials in it and one move beside the best of
// all: sampling alone hardly meets what differs from it in one value of many.
func TestCentresOfARegion(t *testing.T) {
	levels := strings.Split("abcdefghijklmnop", "")
	st := studytest.NewStudy(t, studytest.Category("k", levels...), studytest.Category("l", levels...),
		studytest.Category("m", levels...), studytest.Number("x"))
	trials := told(t, st, 12, studytest.Value(func(c space.Configuration) float64 {
		return c.Value[0] + c.Value[1] +
			c.Value[2] + c.Value[3]
	}))
	best := trials[readHistory(st, trials, Request{Number: 13}).best()-1].Config
	rare := slices.IndexFunc(levels, func(v string) bool {
		return !slices.ContainsFunc(trials, func(t study.Trial) bool { return levels[int(t.Config.Value[0])] == v })
	})
	r := Request{Number: 13, Seed: 3}
	r.Plan = policy.Decide(newView(readHistory(st, trials, Request{Number: 13}), r), nil)
	r.Plan.Region = &study.Region{Values: []study.RegionValues{{Name: "k", Values: levels[rare : rare+1]}}}
	s := mustFit(t, st, trials, r)
	found := choice{scoring{s}}.centresIn(regionOf(space.NewDomain(st.Space, nil), st.Space, r.Plan.Region))
	want := append([]float64{float64(rare)}, best.Value[1:]...)
	if found.Len() != 1 || !slices.Equal(st.Space.Decode(found, 0).Value, want) {
		t.Fatalf("%d centres, want %v alone", found.Len(), want)
	}
	// Where trials lie in the region, they come first.
	r.Plan.Region.Values[0].Values = levels[int(best.Value[0]) : int(best.Value[0])+1]
	found = choice{scoring{s}}.centresIn(regionOf(space.NewDomain(st.Space, nil), st.Space, r.Plan.Region))
	if !slices.Equal(st.Space.Decode(found, 0).Value, best.Value) || found.Len() < 31 {
		t.Errorf("%d centres, the first %v", found.Len(), st.Space.Decode(found, 0).Value)
	}
}

// The search starts at the trials with the best values, whatever the surrogate makes of them.
func TestCentresAreTheBestValues(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Objectives[0].Noise.SD = 1
	trials := tenths(st, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] }))
	trials[7].Values.Set("f", -0.1) // by luck
	s := mustFit(t, st, trials, Request{Number: 11, Seed: 1})
	if at := st.Space.Decode((choice{scoring{s}}).incumbents(1), 0).Value[0]; at != 0.7 {
		t.Errorf("the search starts at %v", at)
	}
}

// Of several noisy objectives the search starts on the front that is shown: the lucky trial
// is not on it, one that was measured twice is a single centre.
func TestCentresAreOnTheFrontOfMeans(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.Number("x"))
	for k := range st.Objectives {
		st.Objectives[k].Noise.SD = 0.5
	}
	trials := tenths(st, func(c space.Configuration) (study.Observation, study.Failure) {
		x := c.Value[0] // beyond a half worse in both
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": x + max(0, x-0.5), "g": max(0.5-x, 2*(x-0.5))})}, ""
	})
	again := trials[2]
	again.Number = len(trials) + 1
	trials = append(trials, again)
	trials[8].Values = study.Values{{Name: "f", Value: 0.15}, {Name: "g", Value: 0.15}} // by luck
	s := mustFit(t, st, trials, Request{Number: len(trials) + 1, Seed: 1})
	front := s.standing().Front()
	if len(front.Trials) < 3 || slices.ContainsFunc(front.Trials,
		func(f study.Trial) bool { return f.Number == 9 || f.Number == again.Number }) {
		t.Fatalf("the front is %v", front.Trials)
	}
	found := choice{scoring{s}}.incumbents(len(trials))
	if found.Len() != len(front.Trials) {
		t.Errorf("%d centres, %d trials on the front", found.Len(), len(front.Trials))
	}
	for i := range found.Len() {
		if at := st.Space.Decode(found, i); !slices.ContainsFunc(front.Trials,
			func(f study.Trial) bool { return st.Space.Key(f.Config) == st.Space.Key(at) }) {
			t.Errorf("the search starts at %v, which is not on the front", at.Value)
		}
	}
}
