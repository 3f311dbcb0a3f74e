package study_test

import (
	"strings"
	"testing"

	"bohier/internal/study"
)

// A penalty that many trials share is told of, in both directions; a best value, a few equal
// values and a study of equal values are not.
func TestWorstTie(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		direction study.Direction
		want      string
	}{
		{[]float64{1, 1e6, 2, 1e6, 3, 1e6}, study.Minimize, "3 of 6 trials share the worst loss, 1e+06;"},
		{[]float64{0, 0.3, 0, 0.9, 0}, study.Maximize, "3 of 5 trials share the worst loss, 0;"},
		{[]float64{1e6, 1e6, 1e6, 1}, study.Minimize, "3 of 4 trials share the worst loss, 1e+06;"},
		{[]float64{0, 0, 0, 0.9}, study.Minimize, ""},
		{[]float64{1, 1e6, 1e6}, study.Minimize, ""},
		{[]float64{7, 7, 7, 7}, study.Minimize, ""},
		{append(make([]float64, 40), 1, 1, 1), study.Minimize, ""},
		{nil, study.Minimize, ""},
	} {
		st := &study.Study{Objectives: []study.Objective{{Name: "loss", Direction: c.direction}}}
		var trials []study.Trial
		for _, v := range c.values {
			trials = append(trials, study.Trial{State: study.Complete,
				Observation: study.Observation{Values: study.Values{{Name: "loss", Value: v}}}})
		}
		if got := st.WorstTie(trials); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v, %s: %q, want %q", c.values, c.direction, got, c.want)
		}
	}
}
