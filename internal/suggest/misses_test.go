package suggest

import (
	"math"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

func TestMisses(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	trials := told(t, st, 6, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] }))
	trials[5].State, trials[5].Failure, trials[5].Values = study.Failed, study.Infeasible, nil
	h := readHistory(st, trials, 7)
	off := func(number int, by, sd float64) study.Expectation {
		return study.Expectation{Trial: number, Mean: trials[number-1].Values.Of("f") + by*sd, SD: sd}
	}
	for name, test := range map[string]struct {
		expected []study.Expectation
		want     float64
	}{
		"nothing was predicted":        {nil, 1},
		"off by one deviation":         {[]study.Expectation{off(1, 1, 0.1), off(2, -1, 7)}, 1},
		"off by three, to either side": {[]study.Expectation{off(1, 3, 0.1), off(2, -3, 7)}, math.Sqrt(19. / 3)},
		"far off":                      {[]study.Expectation{off(1, 1e9, 0.1)}, math.Sqrt(26. / 2)},
		"a prediction without doubt":   {[]study.Expectation{off(1, 3, 0)}, 1},
		"no value came, or that of nobody here": {[]study.Expectation{{Trial: 6, Mean: 9, SD: 1},
			{Trial: 99, Mean: 9, SD: 1}}, 1},
	} {
		if got := misses(h, &study.FitRecord{Expected: test.expected}); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// A surrogate that was too sure explores in every second suggestion, in a space of numbers.
func TestMissesWidenTheSearch(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	f := studytest.Value(func(c space.Configuration) float64 {
		return studytest.Sq(c.Value[0]-0.3) + studytest.Sq(c.Value[1]-0.6)
	})
	trials := told(t, st, 14, f)
	latest := trials[13]
	sure := &study.FitRecord{Expected: []study.Expectation{{Trial: 14, Mean: latest.Values.Of("f") - 1, SD: 0.01}}}
	wide, widest := 0, 0.0
	var narrow float64
	for n := 17; n < 25; n++ { // four turns of two
		r := Request{Number: n, Seed: 3, Warm: sure}
		r.Plan = policy.Decide(newView(readHistory(st, trials, n), r), policy.InForce(st))
		s, err := Next(t.Context(), st, trials, r)
		if err != nil {
			t.Fatal(err)
		}
		e := s.Fit.Expected[len(s.Fit.Expected)-1]
		if len(s.Fit.Expected) != 2 || e.Trial != n || !(e.SD > 0) {
			t.Fatalf("suggestion %d keeps %+v", n, s.Fit.Expected)
		}
		if r.Plan.Scale > 0 {
			wide, widest = wide+1, max(widest, e.SD)
		} else {
			narrow = max(narrow, e.SD)
		}
	}
	if wide != 4 || !(widest > 1.5*narrow) {
		t.Errorf("%d of 8 suggestions are wide, with a deviation of %v; the others %v at most", wide, widest, narrow)
	}
	for k := range 20 {
		sure.Expected = append(sure.Expected, study.Expectation{Trial: k + 1})
	}
	if s, err := Next(t.Context(), st, trials, Request{Number: 15, Seed: 3, Warm: sure}); err != nil ||
		len(s.Fit.Expected) != expectationsKept {
		t.Errorf("%d are kept (%v)", len(s.Fit.Expected), err)
	}
	lcb := *st
	lcb.Acquisition.Name = "lcb" // under which the rule does not act; a study may change it
	if s, err := Next(t.Context(), &lcb, trials, Request{Number: 15, Seed: 3}); err != nil || len(s.Fit.Expected) != 1 {
		t.Errorf("with another acquisition function %+v is kept (%v)", s.Fit.Expected, err)
	}
	choices := studytest.NewStudy(t, studytest.Number("x"), studytest.Category("k", "a", "b"))
	plain := *st
	plain.Policy.Plain = true
	for name, other := range map[string]*study.Study{"with a choice": choices, "plain": &plain} {
		told := told(t, other, 14, f)
		if s, err := Next(t.Context(), other, told, Request{Number: 15, Seed: 3}); err != nil || s.Fit.Expected != nil {
			t.Errorf("%s: %+v (%v)", name, s.Fit.Expected, err)
		}
	}
}
