package runner_test

import (
	"math"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Importance finds the parameters that matter, and none in those that do not.
func TestImportance(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b", "c"), studytest.Number("x"), studytest.Number("idle"),
		studytest.When(studytest.Number("y"), 0, 1))
	f := studytest.Value(func(c space.Configuration) float64 {
		v := 3 * c.Value[1] // x: variance 9/12
		if c.Active[3] {
			v += c.Value[3] // y, in a third of the space
		}
		return v
	})
	st.Initial.Count = 30 // what only the best is known of says little about the rest
	c := newCycle(t, st)
	play(t, c, 40, f)
	a, err := c.Analyze(t.Context(), &journal.State{Trials: observed(t, c), Seed: 1})
	must(t, err)
	got := a.Importance(st.Space, 1)
	if len(got) != 4 || got["x"] < 0.75 || got["idle"] > 0.05 || got["y"] < 0.02 || got["y"] > 0.3 || got["k"] < 0.02 {
		t.Errorf("%v", got)
	}
	// x: 9/12 and y: 1/12 in a third of the space; k: (1/2)² · 1/3 · 2/3.
	const all = 9./12 + 1./36 + 1./18
	for name, want := range map[string]float64{"x": 9. / 12 / all, "y": 1. / 36 / all, "k": 1. / 18 / all, "idle": 0} {
		if !(math.Abs(got[name]-want) <= 0.03) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	if sum := got["x"] + got["y"] + got["k"] + got["idle"]; sum > 1+1e-9 || sum < 0.95 { // there are no interactions
		t.Errorf("shares add up to %v", sum)
	}
	again := a.Importance(st.Space, 1)
	for name, v := range got {
		if again[name] != v || math.IsNaN(v) {
			t.Errorf("%s: %v, then %v", name, v, again[name])
		}
	}
}

// Where outcomes satisfy a constraint, and where trials fail, is learnt from both.
func TestSatisfying(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	c := newCycle(t, st)
	confs := studytest.Sampled(t, st, 40)
	trials := studytest.Completed(confs, studytest.Smooth(confs))
	ask := func() (low, high []float64) {
		t.Helper()
		a, err := c.Analyze(t.Context(), &journal.State{Trials: trials, Seed: 1})
		must(t, err)
		p, err := a.Satisfying(t.Context())
		must(t, err)
		if p == nil {
			return nil, nil
		}
		at := func(x float64) []space.Configuration {
			out := make([]space.Configuration, 3)
			for k := range out {
				out[k] = confs[0].Clone()
				out[k].Value[0], out[k].Value[1] = x, float64(k)/2
			}
			return out
		}
		return p(at(0.1)), p(at(0.9))
	}
	if low, _ := ask(); low != nil {
		t.Errorf("%v where nothing restricts", low)
	}
	st.Constraints = []study.Constraint{{Name: "size", Bound: 0.5}}
	for k := range trials {
		trials[k].Values.Set("size", confs[k].Value[0])
	}
	low, high := ask()
	for k := range low {
		if low[k] < 0.95 || high[k] > 0.05 {
			t.Errorf("the constraint: %v at x = 0.1, %v at x = 0.9", low[k], high[k])
		}
	}
	st.Constraints = nil
	for k := range trials {
		if confs[k].Value[0] > 0.5 {
			trials[k].State, trials[k].Failure, trials[k].Values = study.Failed, study.Infeasible, nil
		}
	}
	low, high = ask()
	for k := range low {
		if low[k] < 0.6 || high[k] > 0.4 {
			t.Errorf("failures: %v at x = 0.1, %v at x = 0.9", low[k], high[k])
		}
	}
}

// A study may be over by its trials alone: budget, target and failures. Trials that are pending may yet free a place.
func TestMayBeOver(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Budget = study.Budget{Trials: 2, Failures: 3}
	confs := studytest.Sampled(t, st, 4)
	done := studytest.Completed(confs, []float64{3, 2, 1, 0})
	failed := studytest.Completed(confs, make([]float64, 4))
	for k := range failed {
		failed[k].State, failed[k].Failure, failed[k].Values = study.Failed, study.Transient, nil
	}
	pending := append(done[:1:1], study.Trial{Number: 2, State: study.Pending})
	target := 2.0
	over := func(trials []study.Trial) bool { return runner.MayBeOver(st, &journal.State{Trials: trials}) }
	for name, c := range map[string]struct{ got, want bool }{
		"nothing": {over(nil), false}, "budget": {over(done[:2]), true}, "left": {over(done[:1]), false},
		"pending": {over(pending), true}, "failures": {over(failed[:3]), true}, "fewer": {over(failed[:2]), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	st.Budget, st.Objectives[0].Target = study.Budget{}, &target
	if !over(done[:2]) || over(done[:1]) {
		t.Error("the target")
	}
}
