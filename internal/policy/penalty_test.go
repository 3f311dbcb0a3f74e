package policy_test

import (
	"strings"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/study"
)

// A penalty that many trials share is reported in both directions, with advice where it is no failure by itself; a
// best value, a few equal values and a study of equal values are not.
func TestWorstTie(t *testing.T) {
	const failure, ask = " and count as infeasible;", " if that means failure, report it"
	for _, c := range []struct {
		values    []float64
		direction study.Direction
		without   string // a rule that is left out
		want, how string
	}{
		{[]float64{1, 1e6, 2, 1e6, 3, 1e6}, study.Minimize, "", "3 of 6 trials share the worst loss, 1e+06,", failure},
		{[]float64{1, 1e6, 2, 1e6, 3, 1e6}, study.Minimize, "failures.penalty", "3 of 6 trials share the worst loss,", ask},
		{[]float64{0, 0.3, 0, 0.9, 0}, study.Maximize, "", "3 of 5 trials share the worst loss, 0;", ask},
		{[]float64{0, 0.8, 0, 0.9}, study.Maximize, "", "2 of 4 trials share the worst loss, 0,", failure},
		{[]float64{0, 0.8, 0, 0.9}, study.Maximize, "failures.penalty", "", ""},
		{[]float64{1e6, 1e6, 1e6, 1}, study.Minimize, "", "3 of 4 trials share the worst loss, 1e+06;", ask},
		{[]float64{0, 0, 0, 0.9}, study.Minimize, "", "", ""},
		{[]float64{1, 1e6, 1e6}, study.Minimize, "", "", ""},
		{[]float64{7, 7, 7, 7}, study.Minimize, "", "", ""},
		{append(make([]float64, 40), 1, 1, 1), study.Minimize, "", "", ""},
		{nil, study.Minimize, "", "", ""},
	} {
		st := &study.Study{Objectives: []study.Objective{{Name: "loss", Direction: c.direction}}}
		st.Policy.Without = strings.Fields(c.without)
		var trials []study.Trial
		for _, v := range c.values {
			trials = append(trials, study.Trial{State: study.Complete,
				Observation: study.Observation{Values: study.Values{{Name: "loss", Value: v}}}})
		}
		got := policy.WorstTie(st, trials)
		if !strings.HasPrefix(got, c.want) || !strings.Contains(got, c.how) || (got == "") != (c.want == "") {
			t.Errorf("%v, %s, without %q: %q, want %q…%q", c.values, c.direction, c.without, got, c.want, c.how)
		}
	}
}
