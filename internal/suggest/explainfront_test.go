package suggest

import (
	"math"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

// A prediction has the two configurations of the front beside it that are next by the first
// objective, the one that equals it before it, and improves where none of them dominates it.
func TestPlaceOnFront(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	line := func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": c.Value[0], "g": -c.Value[0], "c": 0})}, ""
	}
	trials := tenths(st, line)
	s := mustFit(t, st, trials, Request{Number: 11, Seed: 1})
	known := explaining{scoring{s}}.standardised(feasible(st, s.h.Observed))
	for name, c := range map[string]struct {
		mean          []float64
		before, after int
		beats         bool
	}{
		"equal":  {known[2], 3, 4, true},
		"better": {[]float64{known[2][0] - 0.01, known[2][1] - 0.01}, 2, 3, true},
		"worse":  {[]float64{known[2][0] + 0.01, known[2][1] + 0.01}, 3, 4, false},
		"first":  {[]float64{known[0][0] - 1, known[0][1] + 1}, 0, 1, true},
		"last":   {[]float64{known[9][0] + 1, known[9][1] - 1}, 10, 0, true},
	} {
		why := &study.FrontReason{}
		beats := explaining{scoring{s}}.placeOnFront(why, c.mean, []float64{1e-6, 1e-6})
		number := func(c *study.Mention) int {
			if c == nil {
				return 0
			}
			return c.Trial
		}
		if beats != c.beats || why.Size != 10 || number(why.Before) != c.before || number(why.After) != c.after {
			t.Errorf("%s: improves %v, between %d and %d of %d", name, beats, number(why.Before), number(why.After), why.Size)
		}
		if name != "equal" && !(math.Abs(*why.Probability-map[bool]float64{true: 1}[c.beats]) <= 1e-6) {
			t.Errorf("%s: on the front with probability %v", name, *why.Probability)
		}
	}
	st.Constraints[0].Bound = -1
	why := &study.FrontReason{}
	if beats := (explaining{scoring{s}}).placeOnFront(why, known[2], []float64{1, 1}); !beats || why.Size != 0 || why.Probability != nil {
		t.Errorf("where nothing is feasible: improves %v, %+v", beats, why)
	}
}

// What was measured counts, but of a noisy objective what is believed, and of one that earlier studies tell of.
func TestStandardised(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.Number("x"))
	st.Objectives[0].Noise.SD = 0.2
	rough := func(c space.Configuration) (study.Observation, study.Failure) {
		v := studytest.Sq(c.Value[0]) + 0.1*float64(int(10*c.Value[0])%2)
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": v, "g": v})}, ""
	}
	trials := tenths(st, rough)
	s := mustFit(t, st, trials, Request{Number: 11, Seed: 1})
	for _, noisy := range []bool{true, false} {
		s.goals[0].noisy = noisy
		if c := (explaining{scoring{s}}).contender(&trials[4]); (c.Posterior != nil && len(c.Posterior.Objectives) == 1) != noisy {
			t.Errorf("noisy %v: believed are %+v", noisy, c.Posterior)
		}
		mean, _ := s.goals[0].fit.Latent(pointsOf(st, s.h.Observed))
		for i, v := range (explaining{scoring{s}}).standardised(s.h.Observed) {
			f, g := s.goals[0].standard(trials[i].Values.Of("f"), 0), s.goals[1].standard(trials[i].Values.Of("g"), 0)
			if believed := v[0] == mean[i] && v[0] != f; believed != noisy || !noisy && v[0] != f || v[1] != g {
				t.Errorf("noisy %v: trial %d is %v, measured %v and %v, believed %v", noisy, i+1, v, f, g, mean[i])
			}
		}
	}
	s.goals[0].h.Sources = make([]surrogate.Source, 1)
	mean, _ := s.goals[0].fit.Latent(pointsOf(st, s.h.Observed))
	for i, v := range (explaining{scoring{s}}).standardised(s.h.Observed) {
		if v[0] != mean[i] {
			t.Errorf("with an earlier study: trial %d is %v, believed %v", i+1, v, mean[i])
		}
	}
}
