package policy

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

// What `auto` stands for: the power transform of the values, none under `policy: plain`;
// what the study names holds in any case.
func TestModelOf(t *testing.T) {
	for _, c := range []struct {
		transform string
		plain     bool
		want      string
	}{{"auto", false, "box.power"}, {"auto", true, "box.none"}, {"copula", false, "box.copula"}, {"log", true, "box.log"}} {
		st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"))
		st.Objective.Transform, st.Policy.Plain = c.transform, c.plain
		if got := ObjectiveModel(st).Name(); got != c.want {
			t.Errorf("%s, plain %v: %s, want %s", c.transform, c.plain, got, c.want)
		}
	}
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Objective.Transform, st.Initial.Count = "auto", 6
	trials, fits := simulateWarm(t, st, 7, 9, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.3) }))
	r := Request{Number: 10, Seed: 7, Warm: fits[8]}
	_, after, err := fitPlan(t.Context(), ReadHistory(st, trials, 10), Decide(newView(ReadHistory(st, trials, 10), r), InForce(st)).Model, r.Warm, 7)
	if err != nil || len(after.Models) != 1 || after.Used != "matern52.power" {
		t.Errorf("%v, the record is %+v", err, after)
	}
}

// What suits a space.
func TestKernelName(t *testing.T) {
	x, k, o := studytest.Number("x"), studytest.Category("k", "a", "b"), space.Parameter{Name: "o", Kind: space.Ordinal, Values: []string{"s", "m"}}
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
			} else if err := CheckKernel(st); err != nil {
				t.Errorf("%s: %v", got, err)
			}
			if st.Surrogate.Kernel.Name = "matern32"; kernelName(st) != "matern32" {
				t.Errorf("%s, where matern32 is named", kernelName(st))
			}
		}
	}
}

// Choices without conditions are modelled by two kernels, and suggestions and questions
// come from the one that predicts observations left out better: effects where the choices
// only shift values, box where each changes what the others do. Settings that effects has
// no room for keep box alone.
func TestKernelsAreCompared(t *testing.T) {
	few := []string{"a", "b", "c", "d"}
	of := []space.Parameter{studytest.Category("k", few...), studytest.Category("l", few...), studytest.Category("m", few...), studytest.Number("x")}
	shifts := func(c space.Configuration) float64 {
		return []float64{0, 3, 1, 7}[int(c.Value[0])] + []float64{2, 0, 5, 1}[int(c.Value[1])] + []float64{4, 9, 0, 2}[int(c.Value[2])] + c.Value[3]
	}
	changes := func(c space.Configuration) float64 {
		return math.Sin(2*c.Value[0]*c.Value[1] + 3*c.Value[1]*c.Value[2] + 5*c.Value[0] + 3*c.Value[3])
	}
	for _, c := range []struct {
		f       func(space.Configuration) float64
		set     func(*study.Study)
		want    string
		compare bool
	}{
		{shifts, func(*study.Study) {}, "effects.power", true},
		{changes, func(*study.Study) {}, "box.power", true},
		{shifts, func(st *study.Study) { // as a study file that names nothing is read
			st.Surrogate.Kernel.Combine, st.Surrogate.Kernel.AlwaysActive, st.Surrogate.Kernel.Constant = "joint", "plain", -1
		}, "effects.power", true},
		{shifts, func(st *study.Study) { st.Surrogate.Kernel.Name = "box" }, "box.power", false},
		{shifts, func(st *study.Study) { st.Surrogate.Kernel.Combine = "product" }, "box.power", false},
		{shifts, func(st *study.Study) { st.Surrogate.Form = "kriging" }, "box.power", false},
		{shifts, func(st *study.Study) { st.Surrogate.Hyper.Fixed = map[string]float64{"plain.theta[x]": 1} }, "box.power", false},
		{shifts, func(st *study.Study) { st.Policy.Without = []string{"model.kernel"} }, "box.power", false},
	} {
		st := studytest.NewStudy(t, of...)
		st.Objective.Transform = "auto"
		c.set(st)
		trials := told(t, st, 24, func(at space.Configuration) (study.Observation, study.Failure) {
			return study.Observation{Values: map[string]float64{st.Objective.Name: c.f(at)}}, ""
		})
		r := Request{Number: 25, Seed: 3}
		if got := Planned(st, trials, r).Model.Challenger != nil; got != c.compare {
			t.Errorf("%+v: compared: %v", c, got)
		}
		s, err := Next(t.Context(), st, trials, r)
		if err != nil || s.Fit.Used != c.want {
			t.Errorf("%+v: suggested with %+v, %v", c, s.Fit, err)
			continue
		}
		f, err := FitObjective(t.Context(), ReadHistory(st, trials, 25), Request{Number: 25, Seed: 3, Warm: s.Fit})
		if err != nil || f.Spec.Kernel+"."+f.Transform.Name() != c.want {
			t.Errorf("%+v: asked: %s, %v", c, f.Spec.Kernel, err)
		}
	}
}

// Two models are compared at a time, and again when the trials have grown by a quarter; in
// between the better one stands, for questions, too.
func TestComparisonsStand(t *testing.T) {
	won, lost := study.Comparison{Challenger: true, Observations: 17}, study.Comparison{Observations: 17}
	due := study.Comparison{Challenger: true, Observations: 16}
	for _, c := range []struct {
		warping, kernel          study.Comparison
		model, challenger, asked string
	}{
		{study.Comparison{}, study.Comparison{}, "box.power", "box.power.warped", "model.warping"},
		{lost, study.Comparison{}, "box.power", "effects.power", "model.kernel"},
		{study.Comparison{Challenger: true, Observations: 20}, study.Comparison{}, "box.power.warped", "", ""},
		{won, lost, "box.power.warped", "", ""},
		{won, won, "effects.power.warped", "", ""},
		{won, due, "box.power.warped", "effects.power.warped", "model.kernel"},
		{due, won, "effects.power", "effects.power.warped", "model.warping"},
	} {
		v := busyView(t).chooses(t) // of 20 trials
		v.Fit.Compared = map[string]study.Comparison{"model.warping": c.warping, "model.kernel": c.kernel}
		m, challenger := Decide(v, InForce(v.Study)).Model, ""
		if m.Challenger != nil {
			challenger = m.Challenger.Name()
		}
		if v.Observed = fewestForWarping - 1; c.asked == "model.warping" && Decide(v, InForce(v.Study)).Model.Rule == c.asked {
			t.Error("warped axes are compared with a handful of trials")
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

// More than three choices active at once are modelled by effects, conditions or not, unless
// conditions mention them; of fewer with conditions nothing is compared.
func TestManyChoices(t *testing.T) {
	for _, c := range []struct {
		choices     int
		conditional bool
		trials      int
		want        string
		compare     bool
	}{
		{3, false, 12, "box.power", true}, {4, false, 12, "effects.power", false},
		{4, true, 12, "box.power", false}, {5, true, 12, "effects.power", false},
		{4, false, mostPooled + 1, "box.power", true}, {5, true, mostPooled + 1, "box.power", false},
	} {
		params := []space.Parameter{studytest.Number("x")}
		for k := range c.choices {
			params = append(params, studytest.Category(fmt.Sprint("c", k), "u", "v"))
		}
		if c.conditional {
			params[0].Condition = space.In{Param: 1, Values: []float64{1}}
		}
		st := studytest.NewStudy(t, params...)
		st.Objective.Transform = "auto"
		trials := told(t, st, c.trials, func(at space.Configuration) (study.Observation, study.Failure) {
			return study.Observation{Values: map[string]float64{st.Objective.Name: at.Value[1] + at.Value[2]*at.Value[3]}}, ""
		})
		if m := Planned(st, trials, Request{Number: c.trials + 1, Seed: 3}).Model; m.Spec.Name() != c.want || (m.Rule == "model.kernel") != c.compare {
			t.Errorf("%+v: %s, compared: %q", c, m.Spec.Name(), m.Rule)
		}
	}
}

// A surrogate of few trials expects a plane: of fewer than two for each number that is active
// at once, where `auto` leaves the choice.
func TestPlaneFirst(t *testing.T) {
	x, y, n, k := studytest.Number("x"), studytest.Number("y"), space.Parameter{Name: "n", Kind: space.Int, Low: 1, High: 9}, studytest.Category("k", "a", "b")
	only := y
	only.Condition = space.In{Param: 0, Values: []float64{1}}
	for _, c := range []struct {
		what   string
		space  []space.Parameter
		set    func(*study.Surrogate)
		trials int
		want   string
	}{
		{"fewer than six trials for three numbers", []space.Parameter{x, y, n}, nil, 5, "linear"},
		{"six trials", []space.Parameter{x, y, n}, nil, 6, ""},
		{"one number at once", []space.Parameter{k, only}, nil, 1, "linear"},
		{"two trials for it", []space.Parameter{k, only}, nil, 2, ""},
		{"no number", []space.Parameter{k}, nil, 1, ""},
		{"a mean that the study names", []space.Parameter{x, y, n}, func(s *study.Surrogate) { s.Mean = "constant" }, 5, ""},
		{"slopes without a prior", []space.Parameter{x, y, n}, func(s *study.Surrogate) { s.Inference = "mle" }, 5, ""},
	} {
		st := studytest.NewStudy(t, c.space...)
		if st.Surrogate.Mean = "auto"; c.set != nil {
			c.set(&st.Surrogate)
		}
		plan := func() *study.Plan {
			return Decide(&View{Study: st, Number: c.trials + 1, Observed: c.trials, Fit: &study.FitRecord{}}, InForce(st))
		}
		p := plan()
		if got := p.Model.Spec.Mean; got != c.want || used(p, study.MeanRule) != (c.want != "") {
			t.Errorf("%s: mean %q, want %q (%+v)", c.what, got, c.want, p.Rules)
		}
		if st.Policy.Without = []string{study.MeanRule}; plan().Model.Spec.Mean != "" {
			t.Errorf("%s: the rule acts though it is left out", c.what)
		}
	}
}

// Where values fall in one direction, the search goes farther in it than with a surrogate that
// expects a level, which stays near the best trial.
func TestPlaneGoesOn(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"), studytest.Number("u"), studytest.Number("v"))
	value := func(at space.Configuration) float64 { return 3*at.Value[0] - 2*at.Value[1] + at.Value[2] - at.Value[3] }
	trials := told(t, st, 7, func(at space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: map[string]float64{st.Objective.Name: value(at)}}, ""
	})
	next := map[string]float64{}
	for _, st.Surrogate.Mean = range []string{"constant", "auto"} {
		s, err := Next(t.Context(), st, trials, Request{Number: 8, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		next[st.Surrogate.Mean] = value(s.Config)
	}
	if !(next["auto"] < next["constant"]-0.5) {
		t.Errorf("the least value is -3; those of the suggestions: %v", next)
	}
}

// A deadline that leaves time for few of the trials leaves none for a second model.
func TestNothingIsComparedInAHurry(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	trials := told(t, st, 16, func(at space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: map[string]float64{st.Objective.Name: math.Sin(5 * at.Value[0])}}, ""
	})
	straight := study.ModelSpec{Kernel: "matern52", Transform: "none"}
	warped := straight
	warped.Warping = study.WarpingOn
	for limit, want := range map[int]int{0: 16, 8: 0} {
		h := ReadHistory(st, trials, 17)
		h.Limit = limit
		_, note, err := fitPlan(t.Context(), h, study.ModelPlan{Spec: straight, Challenger: &warped, Rule: "model.warping"}, nil, 3)
		if err != nil || note.Compared["model.warping"].Observations != want || limit > 0 && note.Used != straight.Name() {
			t.Errorf("limit %d: %+v, %v", limit, note, err)
		}
	}
}

// A plan of an older journal names rules that are gone: it is executed all the same.
func TestRulesThatAreGone(t *testing.T) {
	for _, name := range []string{"model.challenger", "region.coverage", "xi.ties", "failures.surrogate"} {
		if err := known(&study.Plan{Acquisition: "logei", Rules: []study.RuleUse{{Name: name}}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of the settings of kernels that a study of choices accepts, `auto` takes the kernel effects
// with those that it has room for.
func TestRoomForEffects(t *testing.T) {
	changes := map[string]func(k *study.Kernel){
		"nothing": func(*study.Kernel) {}, "joint": func(k *study.Kernel) { k.Combine = "joint" }, "plain": func(k *study.Kernel) { k.AlwaysActive = "plain" },
		"product": func(k *study.Kernel) { k.Combine = "product" }, "sum": func(k *study.Kernel) { k.Combine = "sum" },
		"same": func(k *study.Kernel) { k.AlwaysActive = "same" }, "a base": func(k *study.Kernel) { k.Base = "matern32" }, "weights": func(k *study.Kernel) { k.Weights = "free" },
		"a distance": func(k *study.Kernel) { k.Distance = map[string]string{"x": "arc"} }, "ancestors": func(k *study.Kernel) { k.Distance, k.Weights = map[string]string{"x": "arc"}, "ancestors" },
		"rho": func(k *study.Kernel) { k.Distance, k.NominalRho = map[string]string{"k": "arc"}, true }, "a constant": func(k *study.Kernel) { k.Distance, k.Constant = map[string]string{"x": "const"}, 0.3 },
		"no constant": func(k *study.Kernel) { k.Constant = -1 }, "laplacian": func(k *study.Kernel) { k.Laplacian = "combinatorial" }, "normalised": func(k *study.Kernel) { k.Normalize = true },
		"one weight": func(k *study.Kernel) { k.ARD = false }, "the usual term": func(k *study.Kernel) { k.Terms = []study.Term{{Weight: 1, Power: 2, Order: 1}} },
	}
	took := 0
	for name, change := range changes {
		st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"))
		change(&st.Surrogate.Kernel)
		if err := CheckKernel(st); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		room := surrogate.KernelSpec(st, study.ModelSpec{Kernel: "effects"}).Check(surrogate.Coordinates(st.Space)) == nil
		takes := slices.ContainsFunc(InForce(st), func(r Rule) bool { return r.Name == "model.kernel" })
		if takes != room {
			t.Errorf("%s: takes effects: %v, room: %v", name, takes, room)
		}
		if takes {
			took++
		}
	}
	if took != 10 {
		t.Errorf("%d of %d settings have room for effects", took, len(changes))
	}
}
