package suggest

import (
	"context"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// Standard errors are of the objective: the unit it is measured in changes nothing, whatever the transform.
func TestStandardErrorsHaveTheObjectivesUnit(t *testing.T) {
	for _, transform := range []string{"none", "power", "copula", "log"} {
		var first string
		for _, unit := range []float64{1, 1024, 0x1p-20} {
			st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
			st.Objectives[0].Transform = transform
			trials := simulate(t, st, 5, studytest.Value(func(c space.Configuration) float64 {
				return 1 +
					studytest.Sq(c.Value[0]-0.3) + c.Value[1]
			}))
			for k := range trials {
				trials[k].Values.Set("f", trials[k].Values.Of("f")*unit)
				trials[k].Stderr = new(0.02 * unit * float64(1+k))
			}
			s := mustNext(t, st, trials, Request{Number: 6, Seed: 7})
			if key := st.Space.Key(s.Config); first == "" {
				first = key
			} else if key != first && transform != "log" { // ln adds a constant, which rounds
				t.Errorf("%s, in units of %g: %s instead of %s", transform, 1/unit, key, first)
			}
		}
	}
}

// A value that has no logarithm does not end a study with `transform: log`: the
// surrogate makes do with another transform and says so.
func TestLogFallsBack(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	st.Objectives[0].Transform = "log"
	trials := simulate(t, st, 6, studytest.Value(func(c space.Configuration) float64 {
		return 1 +
			studytest.Sq(c.Value[0]-0.3) + c.Value[1]
	}))
	r := Request{Number: 7, Seed: 7}
	s, err := Next(context.Background(), st, trials, r)
	if err != nil || len(s.Warnings) > 0 {
		t.Fatalf("%v, %v", s, err)
	}
	for _, v := range []float64{0, -3} {
		trials[2].Values.Set("f", v)
		s, err = Next(context.Background(), st, trials, r)
		if err != nil || s.Source != "model" {
			t.Fatalf("value %g: %v, %v", v, s, err)
		}
		if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "log needs values of one sign") {
			t.Errorf("value %g: warnings %q", v, s.Warnings)
		}
	}
}
