package suggest

import (
	"slices"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A value that no trial has is tried, however badly those did that were tried; one that
// constraints rule out is not missed, nor is one of a parameter with an order.
func TestUnseenValuesAreTried(t *testing.T) {
	k := studytest.Category("k", "a", "b", "c", "d")
	size := space.Parameter{Name: "size", Kind: space.Ordinal, Values: []string{"s", "m", "l"}}
	sp, err := space.New([]space.Parameter{k, size, studytest.Number("x")},
		[]space.Clause{{Text: "k = d", Expr: space.In{Param: 0, Values: []float64{3}}}}, nil)
	must(t, err)
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Space, st.Initial.Count, st.Policy.Without = sp, 6, []string{"region.branch"}
	var trials []study.Trial
	at := func(value, x float64) space.Configuration {
		return space.Configuration{Value: []float64{value, 0, x}, Active: []bool{true, true, true}}
	}
	for n := range 8 {
		value := float64(n % 2)
		trials = append(trials, study.Trial{Number: n + 1, State: study.Complete, Config: at(value, float64(n)/8),
			Observation: study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: 10*value + float64(n)}}}})
	}
	tried := 0
	for n := range 4 {
		r := Request{Number: 9 + n, Seed: 3}
		v := newView(readHistory(st, trials, Request{Number: r.Number}), r)
		if got := missed(v.Values[0]); !slices.Equal(got, []string{"c"}) || len(v.Values) != 1 || len(v.Values[0]) != 3 {
			t.Fatalf("%q is missed, of %v", got, v.Values)
		}
		s := mustNext(t, st, trials, r)
		if asked := studytest.Uses(s.Plan, "region.unseen"); asked {
			tried++
			if s.Config.Value[0] != 2 {
				t.Errorf("trial %d has k = %s", r.Number, k.Values[int(s.Config.Value[0])])
			}
		}
	}
	if tried < 1 {
		t.Error("c is never tried")
	}
	last := study.Trial{Number: 9, State: study.Pending, Config: at(2, 0.5)}
	if v := newView(readHistory(st, append(trials, last), Request{Number: 10}), Request{Number: 10, Seed: 3}); missed(v.Values[0]) != nil {
		t.Errorf("c is under way, and still missed: %v", v.Values)
	}
	last.State, last.Failure = study.Failed, study.Infeasible
	if v := newView(readHistory(st, append(trials, last), Request{Number: 10}), Request{Number: 10, Seed: 3}); !slices.Equal(missed(v.Values[0]), []string{"c"}) {
		t.Errorf("c failed, and is not missed: %v", v.Values)
	}
}

func missed(values []policy.Branch) (out []string) {
	for _, b := range values {
		if b.Tried == b.Failed {
			out = append(out, b.Values[0].Values...)
		}
	}
	return out
}
