package policy

import (
	"cmp"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// The initial design has as many points as the space has branches, within limits, and
// never more than half of the budget.
func TestInitialCount(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	for budget, want := range map[int]int{0: fewFirst, 3: 2, 8: 4, 11: 5, 100: fewFirst} {
		st.Budget.Trials, st.Initial.Count = budget, 0
		if n := InitialCount(st); n != want {
			t.Errorf("budget %d: %d points, want %d", budget, n, want)
		}
	}
	values := make([]string, manyFirst+3)
	params := []space.Parameter{{}}
	for k := range values {
		values[k] = string(rune('a' + k))
		params = append(params, studytest.When(studytest.Number("x"+values[k]), 0, float64(k)))
	}
	for n, want := range map[int]int{3: fewFirst, 8: 8, manyFirst: manyFirst, len(values): fewFirst} {
		params[0] = studytest.Category("k", values[:n]...)
		st := studytest.NewStudy(t, params[:1+n]...)
		st.Initial.Count = 0
		if got := InitialCount(st); got != want {
			t.Errorf("%d branches: %d points, want %d", n, got, want)
		}
	}
	st.Initial.Count = 3
	if n := InitialCount(st); n != 3 {
		t.Errorf("%d points, 3 are asked for", n)
	}
	st = studytest.NewStudy(t, studytest.Number("x"))
	st.Initial.Count, st.Budget.Trials, st.Replicates = 0, 16, study.Replicates{Each: 2}
	if n := InitialCount(st); n != 4 {
		t.Errorf("%d points, each measured twice, of a budget of 16; want 4", n)
	}
}

// A design that the study names, and what `auto` stands for in a space with conditions.
func TestDesign(t *testing.T) {
	flat := []space.Parameter{studytest.Number("x")}
	for _, c := range []struct {
		name string
		of   []space.Parameter
		want string
	}{
		{"", flat, "random"}, {"auto", flat, "random"}, {"halton", flat, "halton"},
		{"", studytest.TreeSpace(), "halton"}, {"auto", studytest.TreeSpace(), "halton"},
		{"random", studytest.TreeSpace(), "random"},
	} {
		st := studytest.NewStudy(t, c.of...)
		st.Initial.Design = c.name
		if got := Design(st); got != c.want {
			t.Errorf("design %q, %d parameters: %s, want %s", c.name, len(c.of), got, c.want)
		}
	}
}

// Axes are warped in any case where the study says so, or leaves the choice open and sets
// an exponent, but not beside earlier studies.
func TestWarpedInAnyCase(t *testing.T) {
	exponent, noise := map[string]float64{"warp.x.a": 2}, map[string]float64{"noise": 1}
	for _, c := range []struct {
		warping string
		fixed   map[string]float64
		warm    bool
		want    bool
	}{
		{"true", nil, false, true}, {"true", nil, true, false}, {"auto", nil, false, false},
		{"auto", exponent, false, true}, {"auto", noise, false, false}, {"false", exponent, false, false},
	} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		st.Surrogate.Warping, st.Surrogate.Fixed = c.warping, c.fixed
		if c.warm {
			st.WarmStart = &study.WarmStart{}
		}
		if got := ObjectiveModel(st).Warping != ""; got != c.want {
			t.Errorf("%+v: warped %v", c, got)
		}
	}
}

// Hyperparameters of one model of curves choose it, and no other is compared with it.
func TestCurvesWhoseHyperparametersAreSet(t *testing.T) {
	for name, want := range map[string]string{"fidelity.lengthscale": "product", "fidelity.own": "curve",
		"fold.plain.theta[x]": "crossval", "fidelity.start": "", "noise": ""} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		st.Fidelity = study.Fidelity{Levels: []float64{1, 9}, Kind: study.FidelityCurve, Model: "auto"}
		st.Surrogate.Fixed = map[string]float64{name: 0.5}
		model, others := ObjectiveModel(st), 0
		for _, m := range CurveModels(st, model) {
			if m.Fidelity != model.Fidelity {
				others++
			}
		}
		if model.Fidelity != cmp.Or(want, "curve") || (others == 0) != (want != "") {
			t.Errorf("%s: %s, compared with %d", name, model.Fidelity, others)
		}
	}
}
