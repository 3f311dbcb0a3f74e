package suggest

import (
	"fmt"
	"math"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A penalty far from all values counts as a failure, in both directions. A cap, the step of a stair, the worse one of
// two values, a single bad value, one that is no more frequent than others and penalties of studies that the rule is not
// for stay values.
func TestPenaltiesAreFailures(t *testing.T) {
	maximize := func(st *study.Study) { st.Objectives[0].Direction = study.Maximize }
	for _, c := range []struct {
		values []float64
		change func(st *study.Study)
		want   int
	}{
		{[]float64{1, 1e6, 2, 1e6, 3}, nil, 2},
		{[]float64{9, 0, 8, 0, 7, 0}, maximize, 3},
		{[]float64{9, 0, 8, 0, 7, 0}, nil, 0},
		{[]float64{1, 1e6, 2, 3}, nil, 0},
		{[]float64{0.1, 0.35, 0.3, 0.35, 0.2}, nil, 0},
		{[]float64{1, 2, 3, 3, 2}, nil, 0},
		{[]float64{0, 1, 0, 1}, nil, 0},
		{[]float64{9, 2, 1, 1, 2, 9}, nil, 0},
		{[]float64{9, 2, 1, 1, 2, 9, 9}, nil, 3},
		{[]float64{1, 1e6, 1e6}, nil, 0},
		{[]float64{7, 7, 7}, nil, 0},
		{[]float64{0, 1e308, 1, math.MaxFloat64, math.MaxFloat64}, nil, 0},
		{nil, nil, 0},
		{[]float64{1, 1e6, 2, 1e6}, func(st *study.Study) { st.Policy.Without = []string{"failures.penalty"} }, 0},
		{[]float64{1, 1e6, 2, 1e6}, func(st *study.Study) { st.Policy.Plain = true }, 0},
		{[]float64{1, 1e6, 2, 1e6}, func(st *study.Study) {
			st.Objectives = append(st.Objectives, study.Objective{Name: "g", Direction: study.Minimize})
		}, 0},
	} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		if c.change != nil {
			c.change(st)
		}
		var trials []study.Trial
		for k, v := range c.values {
			trials = append(trials, study.Trial{Number: k + 1, State: study.Complete,
				Config:      space.Configuration{Value: []float64{float64(k) / 8}, Active: []bool{true}},
				Observation: study.Observation{Values: study.NamedOf(map[string]float64{st.Objective().Name: v, "g": 1})}})
		}
		r := Request{Number: len(trials) + 1}
		h := History(st, trials, r)
		if got := newView(h, r).Penalised; got != c.want || len(h.Infeasible) != c.want ||
			len(h.Observed) != len(trials)-c.want {
			t.Errorf("%v: %d failed, %d infeasible and %d observed, want %d failed", c.values, got, len(h.Infeasible),
				len(h.Observed), c.want)
		}
	}
}

// A study with a penalty has the suggestion of one whose trials were reported as infeasible.
func TestPenaltyIsInfeasible(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	confs := studytest.Sampled(t, st, 12)
	told := studytest.Completed(confs, studytest.Smooth(confs))
	failed := studytest.Completed(confs, studytest.Smooth(confs))
	for _, k := range []int{2, 5, 9} {
		told[k].Values = study.NamedOf(map[string]float64{st.Objective().Name: 1e5})
		failed[k] = study.Trial{Number: k + 1, State: study.Failed, Failure: study.Infeasible, Config: confs[k]}
	}
	var got []string
	for _, trials := range [][]study.Trial{told, failed} {
		s := mustNext(t, st, trials, Request{Number: 13, Seed: 4})
		if len(got) == 0 && !studytest.Uses(s.Plan, "failures.penalty") {
			t.Error("the plan does not tell of the penalty")
		}
		got = append(got, fmt.Sprint(s.Config.Value))
	}
	if got[0] != got[1] {
		t.Errorf("suggests %s with a penalty, %s with failures", got[0], got[1])
	}
}
