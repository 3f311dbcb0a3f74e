package policy

import (
	"errors"
	"strings"
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
	for n, want := range map[int]int{3: fewFirst, 8: 8, len(values): manyFirst} {
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
}

// Hyperparameters have the names that the study's kernel gives them; of several objectives
// also those of one alone, which the hint says.
func TestCheckHyper(t *testing.T) {
	one := func(change func(st *study.Study)) *study.Study {
		st := studytest.NewStudy(t, studytest.Number("x"))
		change(st)
		return st
	}
	alone := one(func(*study.Study) {})
	warm := one(func(st *study.Study) { st.WarmStart = &study.WarmStart{} })
	curves := one(func(st *study.Study) {
		st.Fidelity = &study.Fidelity{Levels: []float64{1, 9}, Kind: study.FidelityCurve, Model: "curve"}
	})
	ends := one(func(st *study.Study) {
		st.Fidelity = &study.Fidelity{Levels: []float64{1, 9}, Kind: study.FidelityCurve, Model: "final"}
	})
	unknown := one(func(st *study.Study) { st.Surrogate.Kernel.Name = "tube" })
	two := severalStudy(t, 2, "none", studytest.Number("x"))
	names := "names no hyperparameter"
	for _, c := range []struct {
		st                *study.Study
		name, error, hint string
	}{
		{alone, "noise", "", ""}, {alone, "plain.theta[x]", "", ""}, {alone, "task.beta", names, ""}, {alone, "fidelity.alpha", names, ""},
		{warm, "task.beta", "", ""}, {curves, "fidelity.alpha", "", ""}, {ends, "fidelity.alpha", names, ""}, {unknown, "noise", "kernel", ""},
		{two, "noise", "", ""}, {two, "g/noise", "", ""}, {two, "h/noise", names, `; of one objective alone as "f/noise"`}, {two, "g/nois", names, `; of one objective alone as "f/noise"`},
	} {
		st := *c.st
		st.Surrogate.Hyper.Fixed = map[string]float64{c.name: 0.5}
		err := CheckHyper(&st)
		if c.error == "" && err != nil || c.error != "" && (err == nil || !strings.Contains(err.Error(), c.error)) {
			t.Errorf("%s: %v", c.name, err)
		}
		if e := new(study.Error); errors.As(err, &e) && c.hint != "" && !strings.HasSuffix(e.Hint, c.hint) {
			t.Errorf("%s: hint %q", c.name, e.Hint)
		}
	}
	two.Surrogate.Hyper.Fixed = map[string]float64{"noise": -1}
	if e := new(study.Error); !errors.As(CheckHyper(two), &e) || e.Hint != "" {
		t.Errorf("a value out of range: %+v", e)
	}
	two.Surrogate.Kernel.Name = "tube"
	if err := CheckHyper(two); err == nil {
		t.Error("a kernel that is unknown is taken")
	}
}

// In place of a design point that was tried comes a later one of the same design.
func TestDesignPointThatWasTried(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	point := func(at int) space.Configuration {
		c, err := st.Space.DesignPoint("halton", 3, st.Initial.Count, at)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	trials := studytest.Completed([]space.Configuration{point(1)}, []float64{1})
	s, err := Next(t.Context(), st, trials, Request{Number: 2, Seed: 3})
	if err != nil || s.Source != "design" || !s.Config.Equal(point(1+designStride)) {
		t.Errorf("%+v, %v; want %v", s, err, point(1+designStride))
	}
}
