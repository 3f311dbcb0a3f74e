package suggest

import (
	"fmt"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// tenths are trials at 0, 0.1, …, 0.9 of a study of one number.
func tenths(st *study.Study, m studytest.Measure) []study.Trial {
	var trials []study.Trial
	for k := range 10 {
		c := space.Configuration{Value: []float64{float64(k) / 10}, Active: []bool{true}}
		trials = append(trials, studytest.OutcomeOf(k+1, &study.Suggestion{Config: c}, m))
	}
	return trials
}

// Where values are noisy a target is reached once the surrogate is sure of it at the leader;
// elsewhere measured values decide, and nothing infeasible reaches it.
func TestTargetOfNoisyValues(t *testing.T) {
	bowl := func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": studytest.Sq(c.Value[0] - 0.3), "c": c.Value[0]})}, ""
	}
	for _, c := range []struct{ target, noise, bound, want float64 }{
		{0.2, 0.01, 1, 4}, {-0.2, 0.01, 1, 0}, {0.2, 0, 1, 0}, {0.2, 0.01, -1, 0},
	} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		st.Objectives[0].Target, st.Objectives[0].Noise.SD = &c.target, c.noise
		st.Constraints = []study.Constraint{{Name: "c", Bound: c.bound}}
		s := mustFit(t, st, tenths(st, bowl), Request{Number: 11, Seed: 1})
		err := stopping{s}.targetReached()
		if reached := study.HasCode(err, study.Exhausted); reached != (c.want > 0) ||
			reached && !strings.HasPrefix(err.Error(),
				fmt.Sprintf("every target is reached by trial %v with probability", c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Of several objectives one configuration has to reach all targets: noisy ones probably, the
// others by what was measured.
func TestTargetsOfSeveral(t *testing.T) {
	lucky := func(c space.Configuration) (study.Observation, study.Failure) {
		f := c.Value[0]
		if f == 0.9 {
			f = 0.1
		}
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": f, "g": c.Value[0]})}, ""
	}
	for name, c := range map[string]struct {
		f, g *float64
		want string // the trial
	}{
		"both":                        {new(0.5), new(0.2), "3"},
		"both, by luck":               {new(0.2), new(0.85), ""},
		"both, of no trial":           {new(0.5), new(0.95), ""},
		"the noisy one":               {new(0.5), nil, "1"},
		"the noisy one, out of reach": {new(-0.5), nil, ""},
		"the exact one":               {nil, new(0.2), ""}, // which measured values decide
	} {
		st := studytest.Several(t, 2, "none", studytest.Number("x"))
		st.Objectives[0].Target, st.Objectives[1].Target = c.f, c.g
		st.Objectives[0].Noise.SD, st.Objectives[1].Direction = 0.1, study.Maximize
		s := mustFit(t, st, tenths(st, lucky), Request{Number: 11, Seed: 1})
		err := stopping{s}.targetReached()
		if (err != nil) != (c.want != "") ||
			err != nil && !strings.HasPrefix(err.Error(), "every target is reached by trial "+c.want+" with") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The hypervolume of noisy objectives is that of what is believed, and ends the study once it has levelled; elsewhere
// that of measured values is looked at, and a fit to few trials says nothing.
func TestHypervolumeOfNoisyValues(t *testing.T) {
	tradeoff := func(c space.Configuration) (study.Observation, study.Failure) {
		x := c.Value[0]
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": -x, "g": studytest.Sq(x) - 0.1*float64(int(10*x)%2)})}, ""
	}
	for _, c := range []struct {
		noise float64
		cut   int
		rule  *study.Gain
		want  bool
	}{
		{0.2, 0, &study.Gain{Gain: 2, Trials: 1}, true}, {0.2, 0, &study.Gain{Gain: 0, Trials: 1}, false},
		{0, 0, &study.Gain{Gain: 2, Trials: 1}, false}, {0.2, 5, &study.Gain{Gain: 2, Trials: 1}, false},
		{0.2, 0, nil, false},
	} {
		st := studytest.Several(t, 2, "none", studytest.Number("x"))
		st.Initial.Count, st.Stop.Hypervolume = 3, c.rule
		st.Objectives[0].Direction, st.Objectives[1].Noise.SD = study.Maximize, c.noise
		trials := tenths(st, tradeoff)
		s := mustFit(t, st, trials, Request{Number: 11, Seed: 1})
		s.h.pace = &pace{cut: c.cut, steps: c.cut}
		if err := (stopping{s}).levelled(); study.HasCode(err, study.Exhausted) != c.want {
			t.Errorf("%+v: %v", c, err)
		}
		for i, v := range s.standing().Vectors {
			measured := trials[i].Values.Of("g")
			believed := s.goals[1].fit.Sign * v[1]
			if v[0] != -trials[i].Values.Of("f") || (believed == measured) != (c.noise == 0) {
				t.Errorf("noise %v: trial %d stands at %v, measured were %v", c.noise, i+1, v, trials[i].Values)
			}
		}
	}
}

// The hypervolume has levelled when the last trials raised it by less than their share,
// which is asked once there are three times as many trials as the design has.
func TestLevelled(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.Number("x"))
	st.Initial.Count = 1
	growth := []float64{1, 6, 9, 10}
	for _, c := range []struct {
		growth []float64
		share  float64
		trials int
		want   bool
	}{
		{growth, 0.41, 2, true}, {growth, 0.4, 2, false}, {growth, 0.11, 1, true}, {growth, 0.09, 1, false},
		{growth, 2, 3, true}, {growth, 2, 4, false}, {growth[:3], 2, 1, true}, {growth[:2], 2, 1, false},
		{make([]float64, 4), 2, 1, false},
	} {
		st.Stop.Hypervolume = &study.Gain{Gain: c.share, Trials: c.trials}
		if got := study.HasCode(Levelled(st, c.growth), study.Exhausted); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for _, noise := range []float64{0, 0.1} {
		st.Objectives[1].Noise.SD = noise
		if got := JudgesGrowth(st, nil, nil); got != (noise > 0) {
			t.Errorf("noise %v: surrogates decide: %v", noise, got)
		}
	}
	st.Stop.Hypervolume = nil
	if err := Levelled(st, growth); err != nil || JudgesGrowth(st, nil, nil) {
		t.Errorf("without a rule: %v", err)
	}
}
