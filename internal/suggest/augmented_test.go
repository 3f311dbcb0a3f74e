package suggest

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Where measurements of one configuration differ, improvement is discounted by what a
// further measurement cannot tell: the leader is not measured from close by again.
func TestAugmentedWhereNoiseIsMaterial(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	noisy := func(c space.Configuration) (study.Observation, study.Failure) {
		v := studytest.Bowl(0, 1)(space.Configuration{Value: append([]float64{1}, c.Value...),
			Active: []bool{true, true, true}})
		k := int(1e6*c.Value[0]) % 7
		return study.Observation{Values: study.Values{{Name: "f", Value: v + 0.1*float64(k-3)}}}, ""
	}
	trials := told(t, st, 14, noisy)
	if s := suggested(t, st, trials); s.Plan.Augmented {
		t.Error("augmented without a sign of noise")
	}
	stderr := 0.2
	trials[3].Stderr = &stderr
	with := suggested(t, st, trials)
	if !with.Plan.Augmented {
		t.Error("not augmented with a standard error")
	}
	st.Policy.Without = []string{"noise.augmented"}
	without := suggested(t, st, trials)
	if without.Plan.Augmented {
		t.Error("augmented though the rule is left out")
	}
	s := mustFit(t, st, trials, Request{Number: 15, Seed: 3})
	if sd := measurementError(s.goals[0].fit, s.goals[0].fit.Model); !(sd > 0.2) {
		t.Errorf("noise of one measurement is %v deviations", sd)
	}
	st.Policy.Without = nil
	st.Objectives[0].Noise.None = true
	if s := suggested(t, st, trials); s.Plan.Augmented {
		t.Error("augmented where the study says that there is no noise")
	}
	several := studytest.Several(t, 2, "none", studytest.PlainSpace()...)
	both := told(t, several, 12, tradeoffs(2))
	again := study.Observation{Values: study.NamedOf(map[string]float64{"f": 0.3, "g": both[2].Values.Of("g")})}
	both[2].Replicates = append(both[2].Replicates, again)
	if p := suggested(t, several, both).Plan; !p.Objectives[0].Augmented || p.Objectives[1].Augmented {
		t.Errorf("of two objectives, the first of which differs: %+v", p.Objectives)
	}
}
