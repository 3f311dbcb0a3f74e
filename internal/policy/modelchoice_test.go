package policy

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// What `auto` stands for: the power transform of the values, none under `policy: plain`;
// what the study names holds in any case, and one model is fitted.
func TestModelOf(t *testing.T) {
	for _, c := range []struct {
		transform string
		plain     bool
		want      string
	}{{"auto", false, "effects.power"}, {"auto", true, "effects.none"}, {"copula", false, "effects.copula"}, {"log", true, "effects.log"}} {
		st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"))
		st.Objective.Transform, st.Policy.Plain = c.transform, c.plain
		if got := modelOf(st).Name(); got != c.want {
			t.Errorf("%s, plain %v: %s, want %s", c.transform, c.plain, got, c.want)
		}
	}
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"))
	st.Objective.Transform, st.Initial.Count = "auto", 6
	trials, fits := simulateWarm(t, st, 7, 9, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[1]-0.3) + c.Value[0] }))
	r := Request{Number: 10, Seed: 7, Warm: fits[8]}
	_, after, err := fitPlan(t.Context(), st, ReadHistory(st, trials, 10), Decide(newView(st, ReadHistory(st, trials, 10), r), Rules()).Model, r.Warm, 7)
	if err != nil || len(after.Models) != 1 || after.Used != "effects.power" || after.Champion != after.Used || after.Models["effects.power"].Hyper["relative.effects.all"] == 0 {
		t.Errorf("%v, the record is %+v", err, after)
	}
}

// What suits a space: names have effects of their own where the other settings leave room
// for them.
func TestKernelName(t *testing.T) {
	x, k, o := studytest.Number("x"), studytest.Category("k", "a", "b"), space.Parameter{Name: "o", Kind: space.Ordinal, Values: []string{"s", "m"}}
	for _, c := range []struct {
		want string
		set  func(*study.Study)
		of   []space.Parameter
	}{
		{"matern52", nil, []space.Parameter{x}},
		{"box", nil, []space.Parameter{x, o}},
		{"effects", nil, []space.Parameter{o, k, x}},
		{"effects", func(st *study.Study) { // as a study file that names nothing is read
			st.Surrogate.Kernel.Combine, st.Surrogate.Kernel.AlwaysActive, st.Surrogate.Kernel.Constant = "joint", "plain", -1
		}, []space.Parameter{k, x}},
		{"box", nil, []space.Parameter{k, studytest.When(studytest.Number("x"), 0, 1)}},
		{"box", func(st *study.Study) { st.Surrogate.Form = "kriging" }, []space.Parameter{k, x}},
		{"box", func(st *study.Study) { st.Surrogate.Kernel.Combine = "product" }, []space.Parameter{k, x}},
		{"box", func(st *study.Study) { st.WarmStart = &study.WarmStart{} }, []space.Parameter{k, x}},
	} {
		st := studytest.NewStudy(t, c.of...)
		if c.set != nil {
			c.set(st)
		}
		if got := KernelName(st); got != c.want {
			t.Errorf("%d parameters, %s: want %s", len(c.of), got, c.want)
		} else if err := CheckKernel(st); err != nil {
			t.Errorf("%s: %v", got, err)
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
