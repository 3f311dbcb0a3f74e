package suggest

import (
	"slices"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Of very many trials the lowest mean is sought among those with the best values alone.
func TestPromising(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	st.Objectives[0].Direction = study.Maximize
	const n = mostRivals + 50
	confs := studytest.Sampled(t, st, n)
	values := make([]float64, n)
	for k := range values {
		values[k] = float64(k * 7919 % n) // a permutation: n and 7919 have no common factor
	}
	s := newSurrogates(History(st, studytest.Completed(confs, values), Request{Number: n + 1}), Request{Number: n + 1})
	good := feasiblePoints(st, s.rivals())
	got, _ := scoring{s}.promising(good)
	if good.Len() != n || got.Len() != mostRivals {
		t.Fatalf("%d of %d are promising, want %d of %d", got.Len(), good.Len(), mostRivals, n)
	}
	for k, v := range values {
		found := false
		for i := range got.Len() {
			found = found || got.Equal(i, good, k)
		}
		if want := v >= n-mostRivals; found != want {
			t.Errorf("value %v of %v to %v: promising %v, want %v", v, slices.Min(values), slices.Max(values), found, want)
		}
	}
	few := good.Slice(0, mostRivals)
	if got, _ := (scoring{s}).promising(few); got != few {
		t.Error("few are not taken as they are")
	}
}

// A branch none of whose trials is among the best thousand can be looked into all the same.
func TestBranchBeyondTheBest(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 0),
		studytest.When(studytest.Number("z"), 0, 1))
	var confs []space.Configuration
	var values []float64
	rare := 0
	for _, c := range studytest.Sampled(t, st, 3*mostRivals) {
		switch inB := c.Value[0] == 1; {
		case inB && rare < 40:
			rare++
			confs, values = append(confs, c), append(values, 5+c.Value[2])
		case !inB:
			confs, values = append(confs, c), append(values, studytest.Sq(c.Value[1]-0.3))
		}
	}
	trials := studytest.Completed(confs, values)
	v := newView(readHistory(st, trials, Request{Number: len(trials) + 1}), Request{Number: len(trials) + 1})
	var plan *study.Plan
	for ; plan == nil && v.Number < len(trials)+40; v.Number++ {
		if p := policy.Decide(v, policy.InForce(v.Study)); p.Region != nil && p.Region.Branch != nil &&
			p.Baseline == study.BaselineRegion {
			plan = p
		}
	}
	if plan == nil {
		t.Fatal("no plan for a branch")
	}
	few := newSurrogates(History(st, slices.Concat(trials[:25], trials[len(trials)-25:]), Request{Number: 51}), Request{Number: 51}) // all take too long to fit
	few.plan = plan
	must(t, (fitting{few}).fitModels(t.Context()))
	s := newSurrogates(History(st, trials, Request{Number: v.Number, Plan: plan}), Request{Number: v.Number, Plan: plan})
	s.goals = few.goals
	if _, _, err := (scoring{s}).acquisition(plan); err != nil {
		t.Errorf("the branch with %d trials, all worse than %d of the other: %v", rare, mostRivals, err)
	}
}
