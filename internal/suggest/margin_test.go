package suggest

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

func TestMargin(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	excess := func(tr *study.Trial) float64 { return tr.Values.Of("c") - 1 }
	var told []*study.Trial
	for k, c := range []struct {
		source      string
		value, want float64
	}{
		{"model", 1.01, 0}, // nothing is feasible yet
		{"design", 0.5, 0},
		{"model", 1.01, 0.25},
		{"design", 1.01, 0.25},
		{"model", 1.05, 0.5},
		{"model", 1.2, 0.5}, // misses by much
		{"model", 0.9, 0.25},
		{"model", 0.9, 0},
		{"model", 0.9, 0},
		{"model", 1.01, 0.25},
	} {
		told = append(told, &study.Trial{Source: c.source,
			Observation: study.Observation{Values: study.NamedOf(map[string]float64{"f": 0, "c": c.value})}})
		if got := margin(st, told, excess); got != c.want {
			t.Errorf("margin %v after %d trials, want %v", got, k+1, c.want)
		}
	}
}

// A constraint's own near misses make the margin of its bound, in the unit of its values.
func TestMarginOfBound(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", AtLeast: true, Bound: 0.5}}
	trials := simulate(t, st, 5, func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": -c.Value[0], "c": c.Value[0]})}, ""
	})
	for k, x := range []float64{0.495, 0.49, 0.1} { // two near misses and a far one
		trials = append(trials, study.Trial{Number: 6 + k, State: study.Complete, Source: "model",
			Config:      space.Configuration{Value: []float64{x}, Active: []bool{true}},
			Observation: study.Observation{Values: study.NamedOf(map[string]float64{"f": -x, "c": x})}})
	}
	if got := newView(readHistory(st, trials, Request{Number: 9}),
		Request{Number: 9, Seed: 1}).Margins["constraint.c"]; got != 2*marginStep {
		t.Errorf("the margin is %v, want %v", got, 2*marginStep)
	}
	s := mustFit(t, st, trials, Request{Number: 9, Seed: 1})
	if o := s.others["constraint.c"]; o.Margin != 2*marginStep {
		t.Errorf("the bound is kept with %+v, want a margin of %v", o.Factor, 2*marginStep)
	}
}
