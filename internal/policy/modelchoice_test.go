package policy

import (
	"fmt"
	"slices"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// What `auto` stands for: the power transform of the values, none under `policy: plain`;
// what the study names holds in any case.
func TestObjectiveModel(t *testing.T) {
	for _, c := range []struct {
		transform string
		plain     bool
		want      string
	}{{"auto", false, "box.power"}, {"auto", true, "box.none"}, {"copula", false, "box.copula"},
		{"log", true, "box.log"}} {
		st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"))
		st.Objectives[0].Transform, st.Policy.Plain = c.transform, c.plain
		if got := ObjectiveModel(st).Name(); got != c.want {
			t.Errorf("%s, plain %v: %s, want %s", c.transform, c.plain, got, c.want)
		}
	}
}

// What suits a space.
func TestKernelName(t *testing.T) {
	x, k, o := studytest.Number("x"), studytest.Category("k", "a", "b"),
		space.Parameter{Name: "o", Kind: space.Ordinal, Values: []string{"s", "m"}}
	for _, c := range []struct {
		want string
		of   []space.Parameter
	}{
		{"matern52", []space.Parameter{x}},
		{"box", []space.Parameter{x, o}},
		{"box", []space.Parameter{k, x}},
		{"box", []space.Parameter{k, studytest.When(studytest.Number("x"), 0, 1)}},
	} {
		for _, named := range []string{"", "auto"} {
			st := studytest.NewStudy(t, c.of...)
			st.Surrogate.Kernel.Name = named
			if got := kernelName(st); got != c.want {
				t.Errorf("%d parameters, %s: want %s", len(c.of), got, c.want)
			}
			if st.Surrogate.Kernel.Name = "matern32"; kernelName(st) != "matern32" {
				t.Errorf("%s, where matern32 is named", kernelName(st))
			}
		}
	}
}

// Two models are compared at a time, and again when the trials have grown by a quarter; in
// between the better one stands, for questions, too.
func TestComparisonsStand(t *testing.T) {
	won, lost := study.Comparison{Challenger: true, Observations: 17}, study.Comparison{Observations: 17}
	due, held := study.Comparison{Challenger: true, Observations: 16}, study.Comparison{Observations: 19}
	for _, c := range []struct {
		warping, kernel          study.Comparison
		model, challenger, asked string
	}{
		{study.Comparison{}, lost, "box.power", "box.power.warped", "model.warping"},
		{lost, study.Comparison{}, "box.power", "effects.power", "model.kernel"},
		{study.Comparison{Challenger: true, Observations: 20}, study.Comparison{}, "box.power.warped", "", ""},
		{won, lost, "box.power.warped", "", ""},
		{won, won, "effects.power.warped", "", ""},
		{won, due, "box.power.warped", "effects.power.warped", "model.kernel"},
		{due, won, "effects.power", "effects.power.warped", "model.warping"},
	} {
		v := busyView(t).chooses(t) // of 20 trials
		v.Fit.Compared = map[string]study.Comparison{"model.transform": held, "model.warping": c.warping,
			"model.kernel": c.kernel}
		m, challenger := Decide(v, InForce(v.Study)).Model, ""
		if m.Challenger != nil {
			challenger = m.Challenger.Name()
		}
		if v.Observed = fewestForWarping - 1; c.asked == "model.warping" &&
			Decide(v, InForce(v.Study)).Model.Rule == c.asked {
			t.Error("warped axes are compared with a handful of trials")
		}
		if v.Observed = mostCompared; Decide(v, InForce(v.Study)).Model.Challenger == nil {
			t.Errorf("nothing is compared with %d trials", mostCompared)
		}
		if v.Observed = mostCompared + 1; Decide(v, InForce(v.Study)).Model.Challenger != nil {
			t.Error("compared with thousands of trials")
		}
		if m.Challenger != nil && !m.Challenger.Winsorise {
			t.Error("the challenger is told absurd values")
		}
		if m.Spec.Name() != c.model || challenger != c.challenger || m.Rule != c.asked {
			t.Errorf("warping %+v, kernel %+v: %s beside %q by %q", c.warping, c.kernel, m.Spec.Name(), challenger, m.Rule)
		}
	}
}

// Warped axes are compared from twenty trials on. Logarithmic ones of ranges over decades are from the first model on,
// and by themselves where there is no other number, but not while all axes are warped.
func TestWideRangesTell(t *testing.T) {
	x, wide := studytest.Number("x"), space.Parameter{Name: "n", Kind: space.Int, Low: 1, High: 1e9}
	won := study.Comparison{Challenger: true, Observations: 20}
	for _, c := range []struct {
		params  []space.Parameter
		n       int
		warping study.Comparison
		want    string
	}{
		{[]space.Parameter{x, wide}, fewFirst, study.Comparison{}, study.ScaleComparison},
		{[]space.Parameter{x}, fewestForWarping - 1, study.Comparison{}, ""},
		{[]space.Parameter{x}, fewestForWarping, study.Comparison{}, study.WarpingComparison},
		{[]space.Parameter{x, wide}, fewestForWarping, study.Comparison{}, study.WarpingComparison},
		{[]space.Parameter{wide}, fewestForWarping, study.Comparison{}, study.ScaleComparison},
		{[]space.Parameter{x, wide}, 22, study.Comparison{Observations: 20}, study.ScaleComparison},
		{[]space.Parameter{x, wide}, 22, won, ""},
	} {
		v := busyView(t).chooses(t)
		v.Study.Space = studytest.NewStudy(t, c.params...).Space
		v.Observed = c.n
		v.Fit.Compared = map[string]study.Comparison{"model.transform": {Observations: c.n - 1}, "model.warping": c.warping}
		if got := Decide(v, InForce(v.Study)).Model.Rule; got != c.want {
			t.Errorf("%d trials of %d numbers: compared %q, want %q", c.n, len(c.params), got, c.want)
		}
	}
}

// Where noise is material choices are modelled by effects, whatever a comparison said.
func TestNoisyChoices(t *testing.T) {
	for noisy, want := range map[bool]string{false: "box.power", true: "effects.power"} {
		v := busyView(t).chooses(t)
		v.Noisy = noisy
		v.Fit.Compared = map[string]study.Comparison{"model.kernel": {Observations: v.Observed}}
		if m := Decide(v, InForce(v.Study)).Model.Spec.Name(); m != want {
			t.Errorf("noisy %v: %s, want %s", noisy, m, want)
		}
	}
}

// More than three choices active at once are modelled by effects, conditions or not; of fewer with conditions nothing
// is compared.
func TestManyChoices(t *testing.T) {
	for _, c := range []struct {
		choices     int
		conditional bool
		trials      int
		want        string
		compare     bool
	}{
		{3, false, 12, "box.power", true}, {4, false, 12, "effects.power", false},
		{3, true, 12, "box.power", false}, {4, true, 12, "effects.power", false},
		{4, false, mostPooled, "effects.power", false}, {4, false, mostPooled + 1, "box.power", true},
		{5, true, mostPooled + 1, "box.power", false},
	} {
		params := []space.Parameter{studytest.Number("x")}
		for k := range c.choices {
			params = append(params, studytest.Category(fmt.Sprint("c", k), "u", "v"))
		}
		if c.conditional {
			params[0].Condition = space.In{Param: 1, Values: []float64{1}}
		}
		st := studytest.NewStudy(t, params...)
		st.Objectives[0].Transform = "auto"
		v := &View{Study: st, Number: c.trials + 1, Observed: c.trials, Fit: &study.FitRecord{}}
		v.Fit.Compared = map[string]study.Comparison{"model.transform": {Observations: c.trials - 1}}
		if want := !c.conditional || c.choices > fewChoices; takesEffects(st) != want {
			t.Errorf("%+v: effects are open: %v", c, !want)
		}
		if m := Decide(v, InForce(st)).Model; m.Spec.Name() != c.want || (m.Rule == "model.kernel") != c.compare {
			t.Errorf("%+v: %s, compared: %q", c, m.Spec.Name(), m.Rule)
		}
	}
}

// Choices that govern parameters are modelled by effects while they are few enough.
func TestGoverningChoices(t *testing.T) {
	for n, want := range map[int]bool{fewChoices + 1: true, mostGoverning: true, mostGoverning + 1: false} {
		var params []space.Parameter
		for k := range n {
			params = append(params, studytest.Category(fmt.Sprint("on", k), "no", "yes"),
				studytest.When(studytest.Number(fmt.Sprint("x", k)), 2*k, 1))
		}
		if got := takesEffects(studytest.NewStudy(t, params...)); got != want {
			t.Errorf("%d choices with a number each: effects are open: %v", n, got)
		}
	}
}

// Each comparison has its turn, and what came out better stands with the others.
func TestAlternatives(t *testing.T) {
	v := busyView(t).chooses(t)
	params := []space.Parameter{studytest.Category("k", "a", "b")}
	for i := range 12 {
		params = append(params, studytest.Number(fmt.Sprint("x", i)))
	}
	v.Study.Space, v.Observed = studytest.NewStudy(t, params...).Space, 19
	v.Fit = &study.FitRecord{Compared: map[string]study.Comparison{}}
	for _, c := range []struct{ rule, challenger string }{
		{"model.transform", "box.halfrank"}, {"model.kernel", "effects.halfrank"},
		{"model.warping", "effects.halfrank.warped"},
	} {
		p := Decide(v, InForce(v.Study))
		if m := p.Model; m.Rule != c.rule || m.Challenger == nil || m.Challenger.Name() != c.challenger {
			t.Fatalf("%s: %+v", c.rule, m)
		}
		if !studytest.Uses(p, choiceRule) {
			t.Errorf("%s: the plan does not name the rule", c.rule)
		}
		v.Fit.Compared[c.rule] = study.Comparison{Challenger: true, Observations: v.Observed}
		if again := Decide(v, InForce(v.Study)).Model; again.Challenger != nil {
			t.Errorf("%s: two comparisons from the same trials", c.rule)
		}
		v.Observed++
	}
	v.Study.Policy.Without = []string{choiceRule}
	if m := Decide(v, InForce(v.Study)).Model; m.Spec.Name() != "box.power" || m.Challenger != nil {
		t.Errorf("left out: %+v", m)
	}
}

// The mean is a plane from one trial for each two of its slopes up to two for each, until two suggestions were poor.
func TestPlaneHasATime(t *testing.T) {
	numbers := make([]space.Parameter, 9)
	for k := range numbers {
		numbers[k] = studytest.Number(string(rune('a' + k)))
	}
	st := studytest.NewStudy(t, numbers...)
	st.Surrogate.Mean = "auto"
	for n, inTime := range map[int]bool{4: false, 5: true, 17: true, 18: false} {
		for poor, want := range map[int]bool{0: inTime, mostPoor - 1: inTime, mostPoor: false} {
			v := &View{Study: st, Observed: n, Number: n + 1, Fit: &study.FitRecord{}, Inside: func() bool { return false }}
			v.Poor = func(from int) int {
				if from != 5 {
					t.Errorf("suggestions count from %d trials on", from)
				}
				return poor
			}
			p := Decide(v, InForce(st))
			if plane := p.Model.Spec.Mean == "linear"; plane != want || studytest.Uses(p, choiceRule) != want {
				t.Errorf("%d trials of nine numbers, %d poor suggestions: %+v", n, poor, p.Model.Spec)
			}
			v.Inside = func() bool { return true }
			if mean := Decide(v, InForce(st)).Model.Spec.Mean; mean != "" {
				t.Errorf("%d trials of nine numbers, the best one in the middle: the mean is %s", n, mean)
			}
		}
	}
}

// Slopes of numbers in branches need trials, too: with two numbers active of five the plane begins with three trials.
func TestPlaneCountsInactiveNumbers(t *testing.T) {
	params := []space.Parameter{studytest.Category("k", "a", "b", "c", "d"), studytest.Number("x")}
	for k := range 4 {
		params = append(params, studytest.When(studytest.Number(string(rune('p'+k))), 0, float64(k)))
	}
	st := studytest.NewStudy(t, params...)
	st.Surrogate.Mean = "auto"
	for n, want := range map[int]string{2: "", 3: "linear", 4: ""} {
		v := &View{Study: st, Observed: n, Number: n + 1, Fit: &study.FitRecord{}, Inside: func() bool { return false },
			Poor: func(int) int { return 0 }}
		if mean := Decide(v, InForce(st)).Model.Spec.Mean; mean != want {
			t.Errorf("%d trials: the mean is %q, want %q", n, mean, want)
		}
	}
}

// The mean may be a plane where the study leaves it open, and has numbers whose slopes have priors.
func TestTakesPlane(t *testing.T) {
	for _, c := range []struct {
		what  string
		space []space.Parameter
		set   func(*study.Surrogate)
		want  bool
	}{
		{"a number", []space.Parameter{studytest.Number("x")}, func(*study.Surrogate) {}, true},
		{"a whole number", []space.Parameter{{Name: "n", Kind: space.Int, Low: 1, High: 9}}, func(*study.Surrogate) {}, true},
		{"no number", []space.Parameter{studytest.Category("k", "a", "b")}, func(*study.Surrogate) {}, false},
		{"a mean that the study names", []space.Parameter{studytest.Number("x")},
			func(s *study.Surrogate) { s.Mean = "constant" }, false},
		{"slopes without a prior", []space.Parameter{studytest.Number("x")},
			func(s *study.Surrogate) { s.Inference = "mle" }, false},
	} {
		st := studytest.NewStudy(t, c.space...)
		st.Surrogate.Mean = "auto"
		if c.set(&st.Surrogate); takesPlane(st) != c.want {
			t.Errorf("%s: %v", c.what, !c.want)
		}
	}
}

// What comparisons of curves came to holds as far as the study leaves it open, and what it leaves open is compared.
func TestCurves(t *testing.T) {
	for _, c := range []struct {
		kind, model, transform string
		plain                  bool
		want                   string   // with what was decided, a product of values as they are
		others                 []string // of the model in force without a decision
	}{
		{study.FidelityCurve, "auto", "auto", false, "product none", []string{"curve none", "product power", "product none"}},
		{study.FidelityFolds, "auto", "auto", false, "product none", []string{"crossval none", "curve power", "curve none"}},
		{study.FidelityCurve, "curve", "auto", false, "curve none", []string{"curve none"}},
		{study.FidelityCurve, "auto", "log", false, "product log", []string{"product log"}},
		{study.FidelityCurve, "curve", "log", false, "curve log", nil},
		{study.FidelityCurve, "auto", "auto", true, "curve none", nil},
	} {
		v := busyView(t)
		v.Study.Fidelity = study.Fidelity{Levels: []float64{1, 3, 9}, Eta: 3, Kind: c.kind, Model: c.model}
		v.Study.Objectives[0].Transform, v.Study.Policy.Plain = c.transform, c.plain
		name := func(m study.ModelSpec) string { return m.Fidelity + " " + m.Transform }
		var others []string
		for _, m := range CurveModels(v.Study, v.model()) {
			others = append(others, name(m))
		}
		if !slices.Equal(others, c.others) {
			t.Errorf("%+v: compared with %q", c, others)
		}
		v.Fit.Curves = &study.CurvesDecision{Model: "product", Transform: "none"}
		if got := name(v.model()); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
