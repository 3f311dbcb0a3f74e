package suggest

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

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
		st.Fidelity = study.Fidelity{Levels: []float64{1, 9}, Kind: study.FidelityCurve, Model: "curve"}
	})
	ends := one(func(st *study.Study) {
		st.Fidelity = study.Fidelity{Levels: []float64{1, 9}, Kind: study.FidelityCurve, Model: "final"}
	})
	unknown := one(func(st *study.Study) { st.Surrogate.Kernel.Name = "tube" })
	two := studytest.Several(t, 2, "none", studytest.Number("x"))
	long := studytest.NewStudy(t, space.Parameter{Name: "n", Kind: space.Int, Low: 1, High: 2000, Discrete: true})
	long.Surrogate.Kernel.Name = "modlap"
	_, err := Check(long)
	if err == nil || !strings.Contains(err.Error(), "parameter n: graphs of more than 1000 values") {
		t.Errorf("a graph of 2000 values: %v", err)
	}
	names := "names no hyperparameter"
	for _, c := range []struct {
		st                *study.Study
		name, error, hint string
	}{
		{alone, "noise", "", ""}, {alone, "plain.theta[x]", "", ""}, {alone, "task.beta", names, ""},
		{alone, "fidelity.alpha", names, ""},
		{warm, "task.beta", "", ""}, {curves, "fidelity.alpha", "", ""}, {ends, "fidelity.alpha", names, ""},
		{unknown, "noise", "kernel", ""},
		{two, "noise", "", ""}, {two, "g/noise", "", ""}, {two, "h/noise", names, `; of one objective alone as "f/noise"`},
		{two, "g/nois", names, `; of one objective alone as "f/noise"`},
	} {
		st := *c.st
		st.Surrogate.Fixed = map[string]float64{c.name: 0.5}
		err := checkHyper(&st)
		if c.error == "" && err != nil || c.error != "" && (err == nil || !strings.Contains(err.Error(), c.error)) {
			t.Errorf("%s: %v", c.name, err)
		}
		if e := new(study.Error); errors.As(err, &e) && c.hint != "" && !strings.HasSuffix(e.Hint, c.hint) {
			t.Errorf("%s: hint %q", c.name, e.Hint)
		}
	}
	kriging := one(func(st *study.Study) { st.Surrogate.Form = "kriging" })
	for name, want := range map[string]bool{"plain.theta": true, "signal": false, "noise": false, "mean": false} {
		set := map[string]float64{name: 0.5}
		for fixed, h := range map[bool]study.Hyper{true: {Fixed: set}, false: {Initial: set}} {
			kriging.Surrogate.Hyper = h
			if err := checkHyper(kriging); (err == nil) != (want || fixed) {
				t.Errorf("kriging, %s, fixed %v: %v", name, fixed, err)
			}
		}
	}
	two.Surrogate.Fixed = map[string]float64{"noise": -1}
	if e := new(study.Error); !errors.As(checkHyper(two), &e) || e.Hint != "" {
		t.Errorf("a value out of range: %+v", e)
	}
	two.Surrogate.Kernel.Name = "tube"
	if err := checkHyper(two); err == nil {
		t.Error("a kernel that is unknown is taken")
	}
}

// Kernel matrices are finite, and have variances, with every value of a hyperparameter that Check accepts.
func TestAcceptedValuesAreFinite(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("c", "a", "b", "d"), studytest.When(studytest.Number("x"), 0, 1),
		studytest.When(studytest.Category("e", "u", "v"), 0, 2), studytest.Number("y"))
	x := st.Space.EncodeAll(studytest.Sampled(t, st, 40))
	accepted, refused := 0, 0
	for _, name := range kernels.Names() {
		for _, spec := range []kernels.Spec{{Name: name, ARD: true}, {Name: name, Combine: "sum"}} {
			st.Surrogate.Kernel = spec
			k, err := surrogate.NewKernel(st, policy.ObjectiveModel(st))
			if err != nil {
				continue
			}
			for i, p := range k.Params() {
				for _, v := range []float64{0, 1e-300, 1e-17, 1e17, 1e100, 1e160, 1e300} {
					st.Surrogate.Fixed = map[string]float64{p.Name: v}
					if p.Variance || checkHyper(st) != nil {
						refused++
						continue
					}
					theta := lists.Of(k.Params(), func(p kernels.Param) float64 { return p.Init })
					theta[i] = v
					cov, row := k.Bind(theta, x), make([]float64, x.Len())
					for n := range row {
						if cov.Row(row, x, n, 0); !(row[n] > 0) || math.IsNaN(floats.Sum(row)) || math.IsInf(floats.Sum(row), 0) {
							t.Fatalf("%s: %s = %v: %v", name, p.Name, v, row)
						}
					}
					accepted++
				}
			}
		}
	}
	if accepted < 500 || refused < 100 {
		t.Errorf("%d accepted, %d refused", accepted, refused)
	}
	st.Surrogate.Fixed, st.Surrogate.Kernel = nil, kernels.Spec{Name: "linear", Constant: 1e200}
	if err := checkHyper(st); err == nil || !strings.Contains(err.Error(), "constant") {
		t.Errorf("a constant of 1e200: %v", err)
	}
}

// Every fit takes the settings that Check accepts: those that compare models of curves, and those
// beside a warm start that knows no trials.
func TestAcceptedSettingsAreFitted(t *testing.T) {
	plain := studytest.NewStudy(t, studytest.Number("x"))
	confs := studytest.Sampled(t, plain, 6)
	complete := studytest.Completed(confs, studytest.Smooth(confs))
	curves, trial := epochs(t, studytest.Number("x"))
	curves.Fidelity.Model = "auto"
	folds := *curves
	folds.Fidelity.Kind = study.FidelityFolds
	var ends []study.Trial
	for k, c := range confs {
		ends = append(ends, trial(k+1, c, 27))
	}
	accepted := map[string]int{}
	for name, st := range map[string]*study.Study{"plain": plain, "curves": curves, "folds": &folds} {
		for _, warm := range []*study.WarmStart{nil, {}} {
			for _, hyper := range []string{"task.beta", "fidelity.alpha", "fidelity.lengthscale", "fold.plain.theta", "noise"} {
				of, trials := *st, complete
				of.Surrogate.Fixed, of.WarmStart = map[string]float64{hyper: 0.3}, warm
				if st.Fidelity.Early() {
					trials = ends
				}
				if _, err := Check(&of); err != nil {
					continue
				}
				accepted[name]++
				s, err := Next(t.Context(), &of, trials, Request{Number: 7, Seed: 3})
				if err != nil || s.Source != "model" {
					t.Errorf("%s, warm start %v, %s: %v, %v", name, warm != nil, hyper, s, err)
				}
			}
		}
	}
	if accepted["plain"] != 3 || accepted["curves"] != 9 || accepted["folds"] != 9 {
		t.Errorf("%v settings accepted", accepted)
	}
}

// A plan that names a rule of another program is not executed.
func TestRulesThatAreGone(t *testing.T) {
	for name, here := range map[string]bool{"model.challenger": false, "failures.surrogate": true} {
		err := known(&study.Plan{Acquisition: "logei", Rules: []study.RuleUse{{Name: name}}})
		if here != (err == nil) || !here && !study.HasCode(err, study.Mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of the settings of kernels that a study of choices accepts, `auto` takes the kernel effects
// with those that it has room for.
func TestRoomForEffects(t *testing.T) {
	changes := map[string]func(k *study.Kernel){
		"nothing": func(*study.Kernel) {}, "joint": func(k *study.Kernel) { k.Combine = "joint" },
		"plain":   func(k *study.Kernel) { k.AlwaysActive = "plain" },
		"product": func(k *study.Kernel) { k.Combine = "product" }, "sum": func(k *study.Kernel) { k.Combine = "sum" },
		"same": func(k *study.Kernel) { k.AlwaysActive = "same" }, "a base": func(k *study.Kernel) { k.Base = "matern32" },
		"no constant": func(k *study.Kernel) { k.Constant = -1 }, "normalised": func(k *study.Kernel) { k.Normalize = true },
		"one weight": func(k *study.Kernel) { k.ARD = false },
	}
	took := 0
	for name, change := range changes {
		st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"))
		change(&st.Surrogate.Kernel)
		if _, err := Check(st); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		room := surrogate.KernelSpec(st, study.ModelSpec{Kernel: "effects"}).Check(surrogate.Coordinates(st.Space)) == nil
		takes := slices.ContainsFunc(policy.InForce(st), func(r policy.Rule) bool { return r.Name == "model.choice" })
		if takes != room {
			t.Errorf("%s: takes effects: %v, room: %v", name, takes, room)
		}
		if takes {
			took++
		}
	}
	if took != 7 {
		t.Errorf("%d of %d settings have room for effects", took, len(changes))
	}
}

// The kernel that `auto` begins with suits the space.
func TestAutoSuitsTheSpace(t *testing.T) {
	x, k, o := studytest.Number("x"), studytest.Category("k", "a", "b"),
		space.Parameter{Name: "o", Kind: space.Ordinal, Values: []string{"s", "m"}}
	for _, params := range [][]space.Parameter{{x}, {x, o}, {k, x}, {k, studytest.When(x, 0, 1)}} {
		if _, err := Check(studytest.NewStudy(t, params...)); err != nil {
			t.Errorf("%d parameters: %v", len(params), err)
		}
	}
}
