package policy

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// busyView is a view in which every rule has its say in some turn: a mixed space, a
// stalled objective with failures, a constraint near its edge.
func busyView(t *testing.T) *View {
	t.Helper()
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	st.Objectives[0].Transform, st.Surrogate.Warping, st.Surrogate.Mean = "auto", "auto", "auto"
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	return &View{
		Noisy: true,
		Study: st, Number: 30, Seed: 3, Observed: 20, Infeasible: 4, Penalised: 1,
		Fit: &study.FitRecord{Used: "box.power", Models: map[string]study.ModelFit{
			"box.power": {Density: -1},
		}, Compared: map[string]study.Comparison{
			study.WarpingComparison: {Challenger: true, Observations: 18}, study.TransformComparison: {Observations: 18},
		}},
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
	v.Values = map[int][]Branch{0: {value("a", 2, 7, 1), value("b", 0, 0, 2)}}
	return &v
}

// value is a value of the choice k.
func value(s string, tried, best, rank int) Branch {
	return Branch{Values: []study.RegionValues{{Name: "k", Values: []string{s}}}, Tried: tried, Best: best, Rank: rank}
}

// numbers is a view of three trials in a space of numbers, without noise and failures.
func (v View) numbers(t *testing.T) *View {
	st := *v.Study
	st.Space = studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y")).Space
	st.Constraints = nil
	v.Study, v.Branches, v.Noisy, v.Observed, v.Infeasible = &st, nil, false, 3, 0
	return &v
}

// several is a view of two objectives, each as v has its one.
func (v View) several() *View {
	st, own := *v.Study, v
	st.Objectives = []study.Objective{st.Objective(), {Name: "g", Direction: study.Minimize, Transform: "auto"}}
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

// Without rules a plan is what the study names; each rule acts somewhere, says so under
// its name, and is silent once it is left out.
func TestEveryRuleActsAndCanBeLeftOut(t *testing.T) {
	v := busyView(t)
	for _, p := range plansOf(v, nil, 12) {
		want := study.Plan{
			Model:       study.ModelPlan{Spec: study.ModelSpec{Kernel: "box", Transform: "power", Winsorise: true}},
			Acquisition: "logei",
			Factors:     []study.Factor{{Name: "constraint.c", Weight: 1}}, Baseline: study.BaselineAll, Incumbent: 7,
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
			choices, numbers, several := w.chooses(t), w.numbers(t), w.several()
			settled := *numbers
			settled.Ends, settled.Gain = branchTrials*2, math.Log(littleGain)-1
			return slices.Concat(plansOf(&settled, InForce(settled.Study), elsewherePeriod), plansOf(several, InForce(several.Study), reachPeriod),
				plansOf(&w, InForce(w.Study), 60),
				plansOf(w.neglects(), InForce(w.Study), 2), plansOf(choices, InForce(choices.Study), 4))
		}
		all := views()
		acts := slices.ContainsFunc(all, func(p *study.Plan) bool { return studytest.Uses(p, rule.Name) })
		onPlans := !slices.Contains([]string{"design.prior", ContinueRule}, rule.Name)
		if acts != onPlans {
			t.Errorf("%s acts: %v", rule.Name, acts)
		}
		w.Study.Policy.Without = []string{rule.Name}
		all = views()
		if slices.ContainsFunc(all, func(p *study.Plan) bool { return studytest.Uses(p, rule.Name) }) {
			t.Errorf("%s acts though it is left out", rule.Name)
		}
	}
	v.Study.Policy = study.Policy{Plain: true}
	if n := len(InForce(v.Study)); n != 0 {
		t.Errorf("%d rules act in a plain study", n)
	}
}

// A plan asks for a point of the design or searches a region, not both.
func TestDesignOrRegion(t *testing.T) {
	v := busyView(t).neglects()
	v.Ends, v.Gain = 1000, math.Log(littleGain)-1
	designs, regions := 0, 0
	for _, p := range plansOf(v, InForce(v.Study), 60) {
		if p.Design {
			designs++
		}
		if p.Region != nil {
			regions++
		}
		if p.Design && p.Region != nil {
			t.Errorf("a point of the design in %+v", p.Region)
		}
	}
	if designs == 0 || regions == 0 || designs < regions {
		t.Errorf("%d points of the design, %d regions", designs, regions)
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
	v.Best = 0
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

// Branches are tried in proportion to 1/r, r the rank of the best value of each: the one with the fewest trials for its
// rank is next, against its own best; the leader's turn is the whole space's.
func TestBranchShare(t *testing.T) {
	v := busyView(t)
	if p := Decide(v, []Rule{{Name: branchRule, Apply: branchShare}}); p.Region != nil || p.Baseline != study.BaselineAll {
		t.Errorf("in the leader's turn: %+v", p)
	}
	w := v.neglects()
	for w.Number = 1; !w.turn(branchRule, branchPeriod); w.Number++ {
	}
	p := Decide(w, InForce(w.Study))
	if r := p.Region; r == nil || r.Branch == nil || !slices.Equal(*r.Branch, []string{"y"}) || r.Tried != 3 ||
		r.Rank != 2 ||
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
	even := *w
	even.Branches = []Branch{{Active: []string{"y"}, Tried: 9, Rank: 2}, {Active: []string{}, Tried: 19, Rank: 1}}
	if p := Decide(&even, InForce(w.Study)); p.Region != nil {
		t.Errorf("where the leader and the second have what is theirs: %+v, not the leader's turn", p.Region)
	}
	w.Branches[2].Tried = 1
	if p := Decide(w, InForce(w.Study)); p.Region == nil || p.Region.Rank != 3 || p.Baseline != study.BaselineAll ||
		p.Incumbent != 7 {
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

// The values of a choice share the suggestions as branches do, but where more than three
// choices are active at once or objectives are several.
func TestValueShare(t *testing.T) {
	v := busyView(t).chooses(t)
	v.Values[0] = []Branch{value("a", 12, 7, 1), value("b", 5, 4, 2)}
	for v.Number = 1; !v.turn(branchRule, branchPeriod); v.Number++ {
	}
	p := Decide(v, InForce(v.Study))
	if r := p.Region; r == nil || r.Branch != nil || r.Values[0].Values[0] != "b" || r.Tried != 5 || r.Rank != 2 ||
		p.Baseline != study.BaselineRegion || p.Incumbent != 4 {
		t.Errorf("where b has less than its share: %+v", p)
	}
	v.Values[0][1].Tried = 6
	if p := Decide(v, InForce(v.Study)); p.Region != nil {
		t.Errorf("where b has its share: %+v", p.Region)
	}
	v.Study.Space = studytest.NewStudy(t, studytest.Category("k", "a", "b")).Space
	if v.Values = nil; Decide(v, InForce(v.Study)).Region != nil { // before the initial design is over
		t.Error("a region of a study without regions")
	}
	if got := sharedChoices(v.Study); !slices.Equal(got, []int{0}) {
		t.Errorf("shared: %v, want the choice alone", got)
	}
	if branching(v.several().Study) {
		t.Error("values of several objectives have shares")
	}
	many := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Category("l", "a", "b"),
		studytest.Category("m", "a", "b"), studytest.Category("n", "a", "b"))
	if got := sharedChoices(many); got != nil {
		t.Errorf("of four choices: %v", got)
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

// While a value of a choice was never tried, one suggestion in four is sought among the configurations that have one.
func TestUnseen(t *testing.T) {
	v := busyView(t).chooses(t)
	n := 0
	for _, p := range plansOf(v, InForce(v.Study), 40) {
		if p.Region != nil && len(p.Region.Values) > 0 {
			n++
		}
	}
	if n != 10 {
		t.Errorf("%d of 40 suggestions have a value that was never tried, want 10", n)
	}
}

// A value whose trials all failed is sought as an untried one is, the less often the more they are; one with a pending
// trial, too, is not.
func TestFailedValuesAreSought(t *testing.T) {
	for failed, want := range map[int]int{3: 10, 2: 0, 0: 0} {
		v := busyView(t).chooses(t)
		for i, values := range v.Values {
			v.Values[i] = slices.Clone(values)
			for k := range values {
				if v.Values[i][k].Tried == 0 {
					v.Values[i][k].Tried, v.Values[i][k].Failed = 3, failed
				}
			}
		}
		acts := lists.Only(plansOf(v, InForce(v.Study), 70), func(p *study.Plan) bool {
			return studytest.Uses(p, unseenRule)
		})
		if len(acts) != want {
			t.Errorf("%d of three trials failed: %d of 70 suggestions seek the value, want %d", failed, len(acts), want)
		}
	}
}

// A bound that needs no margin has none, and the rule does not claim one.
func TestNoMargin(t *testing.T) {
	v := busyView(t)
	v.Margins = map[string]float64{"constraint.c": 0}
	if p := Decide(v, InForce(v.Study)); studytest.Uses(p, "constraint.margin") {
		t.Errorf("without a margin: %+v", p.Rules)
	}
}

// Up to eight pending trials count as they are; of more the joint draws get fewer. Beside very many results any
// have one.
func TestDrawsOfPending(t *testing.T) {
	if p := countPending(&View{Pending: manyPending}); p != nil {
		t.Errorf("%d pending: %+v", manyPending, p)
	}
	if p := countPending(&View{Observed: muchTold}); p != nil {
		t.Errorf("nothing pending: %+v", p)
	}
	if p := countPending(&View{Pending: 1, Observed: muchTold}); p == nil || p.Draws != 1 {
		t.Errorf("beside %d results: %+v", muchTold, p)
	}
	for pending, want := range map[int]int{9: 7, 16: 4, 64: 1, 65: 1} {
		if p := countPending(&View{Pending: pending}); p.Draws != want {
			t.Errorf("%d pending: %d draws, want %d", pending, p.Draws, want)
		}
	}
}

// Branches have shares from three trials for each number active at once on.
func TestTrialsBeforeShares(t *testing.T) {
	v := *busyView(t).neglects()
	st := *v.Study
	st.Space = studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"), studytest.Number("w"),
		studytest.When(studytest.Number("y"), 0, 0)).Space
	v.Study = &st
	for v.Number = 1; !v.turn(branchRule, branchPeriod); v.Number++ {
	}
	for trials, want := range map[int]bool{8: false, 9: true} { // of three numbers
		v.Branches = []Branch{{Active: []string{}, Tried: trials - 1, Rank: 1}, {Active: []string{"y"}, Tried: 1, Rank: 2}}
		if p := Decide(&v, InForce(&st)); (p.Region != nil) != want {
			t.Errorf("with %d trials: %+v", trials, p.Region)
		}
	}
}

// A branch that holds nothing new has no share, but the leader keeps its turn, which is the whole space's.
func TestDoneBranches(t *testing.T) {
	v := busyView(t).neglects()
	for v.Number = 1; !v.turn(branchRule, branchPeriod); v.Number++ {
	}
	for _, leader := range []bool{false, true} {
		v.Branches = []Branch{
			{Active: []string{}, Tried: 10, Rank: 1, Done: func() bool { return leader }},
			{Active: []string{"y"}, Tried: 1, Rank: 2, Done: func() bool { return !leader }},
			{Active: []string{"z"}, Tried: 20, Rank: 3},
		}
		if leader {
			v.Branches[0].Tried, v.Branches[1].Tried = 1, 10
		}
		if p := Decide(v, InForce(v.Study)); p.Region != nil {
			t.Errorf("the leader is done: %v; region %+v", leader, p.Region)
		}
	}
}

// Noise counts from a hundredth of the variance of the values on; beside a model of ends theirs alone.
func TestNoisyFit(t *testing.T) {
	fit := func(noise float64) study.HyperSet {
		return study.HyperSet{Values: map[string]float64{"relative.noise": noise}}
	}
	for _, c := range []struct {
		curves, ends float64 // negative: there is no model of ends
		want         bool
	}{{materialNoise, -1, true}, {0.009, -1, false}, {0.5, 0, false}, {0, 0.5, true}} {
		f := &study.FitRecord{Used: "m", Models: map[string]study.ModelFit{"m": {Hyper: fit(c.curves)}}}
		if c.ends >= 0 {
			f.Outcomes = map[string]study.HyperSet{study.EndsFit: fit(c.ends)}
		}
		if NoisyFit(f) != c.want {
			t.Errorf("%+v: noisy %v", c, !c.want)
		}
	}
}

// The design follows a prior where there is one, unless the study leaves the rule out.
func TestPriorGuidesDesign(t *testing.T) {
	for _, prior := range []bool{false, true} {
		for _, without := range [][]string{nil, {priorRule}} {
			st := studytest.NewStudy(t, studytest.Number("x"))
			if prior {
				st.Space.Param(0).Prior = &space.Prior{Mode: 0.5, Strength: "weak"}
			}
			st.Policy.Without = without
			if got := PriorGuidesDesign(st); got != (prior && without == nil) {
				t.Errorf("prior %v, without %q: %v", prior, without, got)
			}
		}
	}
}

// Only constraints leave nothing to compare with: a study without trials of its own, which
// knows of earlier ones, compares with those.
func TestBaselineWithoutConstraints(t *testing.T) {
	v := busyView(t).numbers(t)
	v.Observed, v.Best = 0, 0
	if p := Decide(v, nil); p.Baseline != study.BaselineAll {
		t.Errorf("against %s", p.Baseline)
	}
}

// At least 32 pending trials count, half as many as there are observed ones, 128 at most.
func TestCountedPending(t *testing.T) {
	for observed, want := range map[int]int{0: 32, 50: 32, 100: 50, 2000: 128} {
		p := countPending(&View{Observed: observed, Pending: 1000})
		if p.Most != want || p.Draws != 1 {
			t.Errorf("%d observed, 1000 pending: %+v, want %d of them", observed, p, want)
		}
	}
}
