package policy

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"bohier/internal/fidelity"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// busyView is a view in which every rule has its say in some turn: a mixed space, a
// stalled objective with failures, a constraint near its edge.
func busyView(t *testing.T) *View {
	t.Helper()
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	st.Objective.Transform, st.Surrogate.Warping, st.Surrogate.Mean = "auto", "auto", "auto"
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	return &View{
		Noisy: true,
		Study: st, Number: 30, Seed: 3, Observed: 20, Infeasible: 4, Feasible: 18,
		Fit: &study.FitRecord{Used: "box.power", Models: map[string]study.ModelFit{
			"box.power": {Density: -1},
		}, Compared: map[string]study.Comparison{"model.warping": {Challenger: true, Observations: 18}}},
		Best: 7, Floor: 3,
		Branches: []Branch{
			{Active: []string{}, Tried: 9, Best: 7, Rank: 1},
			{Active: []string{"y"}, Tried: 5, Best: 4, Rank: 2},
			{Active: []string{"z"}, Tried: 6, Rank: 3},
		},
		Margins: map[string]float64{"constraint.c": 0.5},
	}
}

// neglects is a view in which the branch of rank 2 has less than its share.
func (v View) neglects() *View {
	v.Branches = slices.Clone(v.Branches)
	v.Branches[1].Tried = 3
	return &v
}

// chooses is a view of a space with choices and no conditions, without noise.
func (v View) chooses(t *testing.T) *View {
	st := *v.Study
	st.Space = studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x")).Space
	v.Study, v.Branches, v.Noisy = &st, nil, false
	v.Unseen = []study.RegionValues{{Name: "k", Values: []string{"b"}}}
	return &v
}

// misses is a view of three trials in a space of numbers, without noise and failures, whose
// predictions came out off.
func (v View) misses(t *testing.T) *View {
	st := *v.Study
	st.Space = studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y")).Space
	st.Constraints = nil
	v.Study, v.Branches, v.Noisy, v.Observed, v.Infeasible, v.Misses = &st, nil, false, 3, 0, 1.7
	return &v
}

// several is a view of two objectives, each as v has its one.
func (v View) several() *View {
	st, own := *v.Study, v
	st.Objectives = []study.Objective{st.Objective, {Name: "g", Direction: study.Minimize, Transform: "auto"}}
	v.Study = &st
	for k := range st.Objectives {
		g := own
		g.Study = st.For(k)
		v.Goals = append(v.Goals, &g)
	}
	return &v
}

// plansOf are the plans of numbers from 1 to n, all from the same view.
func plansOf(v *View, rules []Rule, n int) []*study.Plan {
	out := make([]*study.Plan, n)
	for k := range out {
		w := *v
		w.Number = k + 1
		out[k] = Decide(&w, rules)
	}
	return out
}

func used(p *study.Plan, rule string) bool {
	return slices.ContainsFunc(p.Rules, func(r study.RuleUse) bool { return r.Name == rule })
}

// Without rules a plan is what the study names; each rule acts somewhere, says so under
// its name, and is silent once it is left out.
func TestEveryRuleActsAndCanBeLeftOut(t *testing.T) {
	v := busyView(t)
	for _, p := range plansOf(v, nil, 12) {
		want := study.Plan{
			Model: study.ModelPlan{Spec: study.ModelSpec{Kernel: "box", Transform: "power"}}, Acquisition: "logei",
			Factors: []study.Factor{{Name: "constraint.c", Weight: 1}}, Baseline: study.BaselineAll, Incumbent: 7,
		}
		got, _ := json.Marshal(p)
		if w, _ := json.Marshal(want); string(got) != string(w) {
			t.Errorf("without rules: %s, want %s", got, w)
		}
	}
	names := map[string]bool{}
	for _, rule := range Rules() {
		if names[rule.Name] || !strings.Contains(rule.Name, ".") || !strings.HasSuffix(rule.Doc, ".") {
			t.Errorf("rule %q: %q", rule.Name, rule.Doc)
		}
		names[rule.Name] = true
		w := *v
		w.Study.Policy.Without = nil
		views := func() []*study.Plan {
			choices, numbers, several := w.chooses(t), w.misses(t), w.several()
			return slices.Concat(plansOf(several, InForce(several.Study), reachPeriod), plansOf(numbers, InForce(numbers.Study), missesPeriod), plansOf(&w, InForce(w.Study), 60), plansOf(w.neglects(), InForce(w.Study), 2), plansOf(choices, InForce(choices.Study), 4))
		}
		all := views()
		acts := slices.ContainsFunc(all, func(p *study.Plan) bool { return used(p, rule.Name) })
		onPlans := !slices.Contains([]string{"design.prior", fidelity.ContinueRule}, rule.Name)
		if acts != onPlans {
			t.Errorf("%s acts: %v", rule.Name, acts)
		}
		w.Study.Policy.Without = []string{rule.Name}
		all = views()
		if slices.ContainsFunc(all, func(p *study.Plan) bool { return used(p, rule.Name) }) {
			t.Errorf("%s acts though it is left out", rule.Name)
		}
	}
	v.Study.Policy = study.Policy{Plain: true}
	if n := len(InForce(v.Study)); n != 0 {
		t.Errorf("%d rules act in a plain study", n)
	}
}

// What every rule makes of a plan, in one that all of them have a say in.
func TestDecide(t *testing.T) {
	v := busyView(t)
	for _, p := range plansOf(v, InForce(v.Study), 60) {
		if p.Model.Spec.Name() != "box.power.warped" || !p.Model.Spec.Winsorise {
			t.Errorf("the model is %+v", p.Model)
		}
		if c := p.Model.Challenger; c != nil {
			t.Errorf("nothing is open, and the model is compared with %+v", c)
		}
		if p.Pessimism != pessimismQuantile {
			t.Errorf("pessimism %v", p.Pessimism)
		}
		if f, ok := p.Factor("constraint.c"); !ok || f.Margin != 0.5 {
			t.Errorf("factor %+v", f)
		}
		if f, ok := p.Factor("feasibility"); !ok || f.Weight != 3 {
			t.Errorf("factor %+v", f)
		}
		if p.Baseline != study.BaselineAll || p.Incumbent != 7 {
			t.Errorf("against %s, trial %d", p.Baseline, p.Incumbent)
		}
		if p.Region != nil {
			t.Errorf("region %+v", p.Region)
		}
	}
	v.Feasible, v.Best = 0, 0
	for _, p := range plansOf(v, InForce(v.Study), 30) {
		if p.Baseline != study.BaselineNone {
			t.Errorf("while nothing is feasible: baseline %s", p.Baseline)
		}
	}
}

func TestCostIsAFactorOnlyWithAnExponent(t *testing.T) {
	for exponent, want := range map[float64]bool{0: false, 0.5: true} {
		v := busyView(t)
		v.Study.Cost = &study.Cost{Name: "s", Exponent: exponent}
		if f, ok := Decide(v, nil).Factor("cost"); ok != want || f.Weight != exponent {
			t.Errorf("exponent %v: %v, %v", exponent, f, ok)
		}
	}
}

// Branches are tried in proportion to 1/r, r the rank of the best value of each: the one
// with the fewest trials for its rank is next, against its own best; the leader's turn is
// the whole space's.
func TestBranchShare(t *testing.T) {
	v := busyView(t)
	if p := Decide(v, []Rule{{Name: branchRule, Apply: branchShare}}); p.Region != nil || p.Baseline != study.BaselineAll {
		t.Errorf("in the leader's turn: %+v", p)
	}
	w := v.neglects()
	for w.Number = 1; !w.turn(branchRule, branchPeriod); w.Number++ {
	}
	p := Decide(w, InForce(w.Study))
	if r := p.Region; r == nil || r.Branch == nil || !slices.Equal(*r.Branch, []string{"y"}) || r.Tried != 3 || r.Rank != 2 ||
		p.Baseline != study.BaselineRegion || p.Incumbent != 4 {
		t.Errorf("where the second branch has less than its share: %+v", p)
	}
	few := *w
	few.Branches = slices.Clone(w.Branches)
	few.Branches[1].Tried, few.Branches[2].Tried = 1, 1
	least := branchTrials * slopes(w.Study.Space)
	for _, trials := range []int{least - 1, least} {
		few.Branches[0].Tried = trials - 2
		if p := Decide(&few, InForce(w.Study)); (p.Region != nil) != (trials == least) {
			t.Errorf("with %d trials: %+v", trials, p.Region)
		}
	}
	w.Branches[2].Tried = 1
	if p := Decide(w, InForce(w.Study)); p.Region == nil || p.Region.Rank != 3 || p.Baseline != study.BaselineAll || p.Incumbent != 7 {
		t.Errorf("in a branch without a feasible trial: %+v", p)
	}
	shares := []Branch{{Rank: 3, Tried: 1}, {Rank: 1, Tried: 1}, {Rank: 2, Tried: 1}, {Rank: 4, Tried: 1}}
	for k := range shares {
		shares[k].Active = []string{strings.Repeat("x", k+1)}
	}
	v.Branches = shares
	for k := range 1000 {
		chosen := 1
		v.Number = k + 1
		if p := Decide(v, InForce(v.Study)); p.Region != nil {
			chosen = len((*p.Region.Branch)[0]) - 1
		}
		shares[chosen].Tried++
	}
	for _, b := range shares { // half for the leader, for the others in proportion to 1/2, 1/3 and 1/4
		want := 500
		if b.Rank > 1 {
			want = 500 * 12 / 13 / b.Rank
		}
		if max(b.Tried-want, want-b.Tried) > 6 {
			t.Errorf("the branch of rank %d was tried %d times of 1000, want %d", b.Rank, b.Tried, want)
		}
	}
}

// Fixed values leave no region to choose; a study without trials enough has none.
func TestNoRegion(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	st.Initial.Count = 8
	leader := slices.DeleteFunc(studytest.Sampled(t, st, 40), func(c space.Configuration) bool { return c.Value[0] != 0 })[:8]
	trials := studytest.Completed(leader, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	for _, c := range []struct {
		trials int
		fixed  space.Assignment
		want   bool
	}{{8, nil, true}, {7, nil, false}, {8, space.Assignment{0: 0}, false}} {
		v := newView(ReadHistory(st, trials[:c.trials], 9), Request{Number: 9, Fixed: c.fixed})
		region := slices.ContainsFunc(plansOf(v, InForce(st), 30), func(p *study.Plan) bool { return p.Region != nil })
		if region != c.want {
			t.Errorf("%d trials, fixed %v: a region: %v", c.trials, c.fixed, region)
		}
	}
}

// A rule that acts now and then has exactly its share of the turns, also among processes
// that ask at once, and the turns of two rules do not depend on one another.
func TestTurns(t *testing.T) {
	v := &View{Seed: 3}
	one, both := 0, 0
	for k := range 3000 {
		v.Number = k + 1
		if v.turn("one", 5) {
			one++
			if v.turn("another", 5) {
				both++
			}
		}
		if (k+1)%5 == 0 && one != (k+1)/5 {
			t.Fatalf("%d turns in the first %d suggestions", one, k+1)
		}
	}
	if both < 80 || both > 160 { // 120 of 600 by chance
		t.Errorf("two rules have %d of 600 turns together", both)
	}
}

// A view counts the trials of branches.
func TestView(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b", "c"), studytest.Category("j", "p", "q", "r"),
		studytest.When(studytest.Category("m", "u", "v"), 0, 2), studytest.Number("x"))
	trial := func(f, k, j, m float64) study.Trial {
		return study.Trial{State: study.Complete, Observation: study.Observation{Values: map[string]float64{"f": f}},
			Config: space.Configuration{Value: []float64{k, j, m, 0.5}, Active: []bool{true, true, k == 2, true}}}
	}
	var trials []study.Trial
	for range 12 {
		trials = append(trials, trial(9, 2, 1, 0), trial(8, 2, 2, 0))
	}
	for n := range 12 {
		trials = append(trials, trial(1-float64(n)/10, 0, 0, 0), trial(5, 1, 0, 0), trial(6, 0, 2, 0))
	}
	trials = studytest.Numbered(trials, 1)
	view := func() *View {
		return newView(ReadHistory(st, trials, len(trials)+1), Request{Number: len(trials) + 1, Seed: 1})
	}
	v := view()
	if v.Best != 58 || v.Observed != 60 {
		t.Errorf("%+v", v)
	}
	if b := v.Branches; len(b) != 2 || b[0].Tried != 36 || b[0].Best != 58 || b[0].Rank != 1 ||
		b[1].Tried != 24 || b[1].Best != 2 || b[1].Rank != 2 {
		t.Errorf("branches %+v", b)
	}
	for k := range trials { // a study whose parameters were changed
		trials[k].Outside = true
	}
	if b := view().Branches; b[0].Tried != 0 || b[1].Tried != 0 || b[0].Best != 0 || b[1].Best != 0 || b[0].Rank != 1 || b[1].Rank != 1 {
		t.Errorf("where no trial fits the space: %+v", b)
	}
}

// A plan's region is the part of the space that it names.
func TestRegionOf(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	domain := space.NewDomain(st.Space, nil)
	for _, active := range st.Space.Branches() {
		names := activeNames(st.Space, active)
		sample := regionOf(domain, st.Space, &study.Region{Branch: &names}).Sample(generator(Request{}, streamSearch), 20)
		if sample.Len() == 0 {
			t.Errorf("the branch of %v is empty", names)
		}
		for i := range sample.Len() {
			if c := st.Space.Decode(sample, i); !slices.Equal(activeNames(st.Space, c.Active), names) {
				t.Errorf("%v lies in the branch of %v", c, names)
			}
		}
	}
	values := []study.RegionValues{{Name: "k", Values: []string{st.Space.Param(0).Values[1]}}}
	sample := regionOf(domain, st.Space, &study.Region{Values: values}).Sample(generator(Request{}, streamSearch), 20)
	for i := range sample.Len() {
		if c := st.Space.Decode(sample, i); c.Value[0] != 1 {
			t.Errorf("%v lies in the region of %v", c, values)
		}
	}
	if sample.Len() == 0 {
		t.Error("the region of a value is empty")
	}
}

// `design: lhs` is one Latin hypercube of exactly as many points as there are trials of
// the design, those that the study asks for, or the one of its defaults, come before it.
func TestLatinDesign(t *testing.T) {
	for own := range 3 {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Initial.Design, st.Initial.Count = "lhs", 9
		if own == 1 {
			st.Space.Param(0).Default = ptr(0.1)
		}
		for k := range own / 2 * 2 {
			st.Initial.Points = append(st.Initial.Points, space.Assignment{0: 0.1 * float64(k), 1: 0.5})
		}
		trials := simulate(t, st, 9, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] }))
		n, parts := 9-own, map[int]bool{}
		for k, tr := range trials {
			if (tr.Source == "initial") != (k < own) {
				t.Errorf("trial %d comes from %s", k+1, tr.Source)
			}
			if k >= own {
				parts[int(tr.Config.Value[0]*float64(n))] = true
			}
		}
		if len(parts) != n {
			t.Errorf("after %d points of its own %d points lie in %d parts of the range", own, n, len(parts))
		}
	}
}

// A hypercube stays whole where trials of the design fail for no fault of theirs or are
// abandoned: their parts come again after all others, once.
func TestLatinDesignIsWhole(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	st.Initial.Design, st.Initial.Count = "lhs", 7
	ctx, trials := context.Background(), []study.Trial(nil)
	next := func(told []study.Trial) *study.Suggestion {
		t.Helper()
		s, err := Next(ctx, st, told, Request{Number: len(told) + 1, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	parts, complete := map[int]bool{}, 0
	for complete < 7 {
		s := next(trials)
		if s.Source != "design" {
			t.Fatalf("trial %d comes from %s", len(trials)+1, s.Source)
		}
		tr := study.Trial{Number: len(trials) + 1, Config: s.Config, Source: s.Source, State: study.Complete,
			Observation: study.Observation{Values: map[string]float64{"f": s.Config.Value[0]}}}
		switch tr.Number {
		case 2:
			tr.State, tr.Failure, tr.Values = study.Failed, study.Transient, nil
		case 4:
			tr.State, tr.Values = study.Abandoned, nil
		default:
			parts[int(7*s.Config.Value[0])], complete = true, complete+1
		}
		trials = append(trials, tr)
	}
	if len(parts) != 7 {
		t.Errorf("7 points lie in %d parts of the range", len(parts))
	}
	// Who asks at once gets different points, and the one lost twice comes no more.
	reserved := append(slices.Clone(trials[:7]), study.Trial{Number: 8, State: study.Reserved})
	one, other := next(trials[:7]), next(reserved)
	if one.Config.Value[0] == other.Config.Value[0] {
		t.Errorf("two who ask at once get %v", one.Config.Value)
	}
	lost := trials[1]
	lost.Number = 8
	if s := next(append(slices.Clone(trials[:7]), lost)); s.Config.Value[0] == lost.Config.Value[0] {
		t.Errorf("lost twice, suggested again: %v", s.Config.Value)
	}
}

// Less is not better where the objective is maximised, what is infeasible does not count,
// and of equals the first is the best.
func TestBestOf(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	number := 0
	trial := func(x, f, c float64) *study.Trial {
		number++
		return &study.Trial{Number: number, State: study.Complete, Config: space.Configuration{Value: []float64{x}, Active: []bool{true}},
			Observation: study.Observation{Values: map[string]float64{"f": f, "c": c}}}
	}
	told := []*study.Trial{trial(0.1, 1, 0), trial(0.2, 1, 0), trial(0.3, 2, 0), trial(0.4, 0, 2), trial(0.5, 1, 2)}
	if got := bestOf(st, told); got != 1 {
		t.Errorf("minimised: %d", got)
	}
	st.Objective.Direction = study.Maximize
	if got := bestOf(st, told); got != 3 {
		t.Errorf("maximised: %d", got)
	}
	if got := bestOf(st, told[3:]); got != 0 {
		t.Errorf("nothing feasible: %d", got)
	}
}
