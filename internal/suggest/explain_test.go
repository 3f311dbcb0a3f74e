package suggest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bohier/internal/pareto"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// chosenBy is the score by which the search of today chooses for a trial, and whether it looks at a region.
func chosenBy(ctx context.Context, t *testing.T, st *study.Study, trials []study.Trial, r Request) (score float64,
	check bool) {
	t.Helper()
	s, err := fitSurrogates(ctx, st, trials, r)
	must(t, err)
	found, _, err := choice{scoring{s}}.search(ctx)
	must(t, err)
	in := s.plan.Region
	return found[0].Score, in != nil && regionOf(space.NewDomain(st.Space, nil), st.Space, in).holds(found[0].Point, 0)
}

// An explanation gives the score that chose the trial, and says in which region it was sought.
func TestExplainRegion(t *testing.T) {
	t.Parallel()
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	seen := 0
	trials, fits := simulateWarm(t, st, 7, 17, studytest.Value(studytest.Tree))
	ctx, kept := t.Context(), new(Kept) // the same fit is made once
	for k, trial := range trials {
		if trial.Source != "model" {
			continue
		}
		known, r := trials[:k], Request{Number: k + 1, Seed: 7, Warm: fits[k], Kept: kept}
		why, err := explained(ctx, st, known, r, trial.Config)
		must(t, err)
		want, check := chosenBy(ctx, t, st, known, r)
		if d := math.Abs(*why.Score - want); d > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("trial %d was chosen by %v, explained by %v", trial.Number, want, *why.Score)
		}
		g := why.Region
		if (g != nil) != check {
			t.Errorf("trial %d: a region %v, explained as %+v", trial.Number, check, g)
		}
		if g == nil {
			continue
		}
		seen++
		sp := st.Space
		same := func(o space.Configuration) bool { return sp.BranchKey(o) == sp.BranchKey(trial.Config) }
		if n := tried(known, same); n != g.Tried {
			t.Errorf("trial %d: its branch was tried %d times, not %d", trial.Number, n, g.Tried)
		}
		holds := 0
		for _, active := range trial.Config.Active[2:] {
			if active {
				holds++
			}
		}
		if len(g.Holds) != holds || len(g.Fails) != 2-holds {
			t.Errorf("trial %d: branch %+v of %v", trial.Number, g, trial.Config)
		}
		if *g.Baseline != study.BaselineRegion || !same(known[g.Incumbent.Trial-1].Config) ||
			g.Incumbent.Trial == why.Incumbent.Trial {
			t.Errorf("trial %d: rival %+v", trial.Number, g)
		}
	}
	if seen == 0 {
		t.Error("no branch was explained")
	}
	// A plan of an older journal looked at the values that were tried least.
	r := Request{Number: 18, Seed: 7, Warm: fits[16]}
	r.Plan = policy.Decide(newView(readHistory(st, trials, Request{Number: 18}), r), nil)
	r.Plan.Region = &study.Region{Values: []study.RegionValues{{Name: "k", Values: []string{"b"}}}, Tried: 4}
	s := mustNext(t, st, trials, r)
	why := mustExplain(t, st, trials, r, s.Config)
	want, _ := chosenBy(t.Context(), t, st, trials, r)
	if g := why.Region; g == nil || g.Values[0].Name != "k" || g.Tried != 4 || s.Config.Value[0] != 1 ||
		math.Abs(*why.Score-want) > 1e-9*max(1, math.Abs(want)) ||
		g.Incumbent.Trial != why.Incumbent.Trial {
		t.Errorf("of the value %v: %+v, score %v, chosen by %v", s.Config.Value[0], g, *why.Score, want)
	}
}

func explained(ctx context.Context, st *study.Study, trials []study.Trial, r Request,
	conf space.Configuration) (*study.Explanation, error) {
	why := &study.Explanation{}
	return why, Explain(ctx, st, trials, r, conf, why)
}

func mustExplain(t *testing.T, st *study.Study, trials []study.Trial, r Request,
	c space.Configuration) *study.Explanation {
	t.Helper()
	why, err := explained(t.Context(), st, trials, r, c)
	must(t, err)
	return why
}

func tried(trials []study.Trial, in func(space.Configuration) bool) (n int) {
	for k := range trials {
		if in(trials[k].Config) {
			n++
		}
	}
	return n
}

// Conditions on parameters that the branch does not have go without saying.
func TestExplainNestedBranch(t *testing.T) {
	deep := studytest.Number("z")
	deep.Condition = space.Compare{Op: space.Gt, Left: space.Ref{Param: 1}, Right: space.Const(0.5)}
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 1), deep)
	for _, c := range []struct{ params, holds, fails string }{
		{`{"k":"a"}`, "[]", "[k in [b]]"},
		{`{"k":"b","x":0.2}`, "[k in [b]]", "[x > 0.5]"},
		{`{"k":"b","x":0.7,"z":0}`, "[k in [b] x > 0.5]", "[]"},
	} {
		conf, err := st.Space.ParseJSON([]byte(c.params))
		must(t, err)
		g := describe(st.Space, &study.Region{Branch: &[]string{}}, conf)
		if fmt.Sprint(g.Holds) != c.holds || fmt.Sprint(g.Fails) != c.fails {
			t.Errorf("%s: %v hold, %v fail", c.params, g.Holds, g.Fails)
		}
	}
}

// Where nothing new is left of a region, it does not take the credit.
func TestExplainExhaustedRegion(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.When(studytest.Number("x"), 0, 0))
	trials, fits := simulateWarm(t, st, 7, 16,
		studytest.Value(func(c space.Configuration) float64 { return c.Value[0] + studytest.Sq(c.Value[1]-0.3) }))
	r := exhaustedRegion(st, trials[:15], Request{Number: 16, Seed: 7, Warm: fits[15]})
	want, _ := chosenBy(t.Context(), t, st, trials[:15], r)
	s, err := Next(t.Context(), st, trials[:15], r)
	if err != nil || s.Config.Value[0] != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	why := mustExplain(t, st, trials[:15], r, s.Config)
	if why.Region != nil || math.Abs(*why.Score-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("region %+v, score %v, chosen by %v", why.Region, *why.Score, want)
	}
}

// exhaustedRegion asks for the branch without conditional parameters, which has one configuration.
func exhaustedRegion(st *study.Study, trials []study.Trial, r Request) Request {
	r.Plan = policy.Decide(newView(readHistory(st, trials, Request{Number: r.Number}), r), nil)
	r.Plan.Region = &study.Region{Branch: &[]string{}}
	return r
}

// An explanation names what the score multiplies.
func TestExplainFactors(t *testing.T) {
	x := studytest.Number("x")
	x.Prior = &space.Prior{Mode: 0.5, Strength: "weak"}
	st := studytest.NewStudy(t, x, studytest.Number("y"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1.8}, {Name: "c", AtLeast: true, Bound: 0.1}}
	st.Cost = &study.Cost{Name: "s", Exponent: 1}
	seconds, measured := 2.0, 0
	trials, fits := simulateWarm(t, st, 7, 7, func(conf space.Configuration) (study.Observation, study.Failure) {
		if measured++; conf.Value[0] > 0.8 || measured == 2 {
			return study.Observation{}, study.Infeasible
		}
		o, _ := constrained(conf)
		seconds++
		cost := seconds
		o.Cost = &cost
		return o, ""
	})
	why := mustExplain(t, st, trials[:6], Request{Number: 7, Seed: 7, Warm: fits[6]}, trials[6].Config)
	if got, want := why.Factors, []string{"logei", "constraint.c", "cost", "feasibility", "prior"}; !slices.Equal(got,
		want) {
		t.Errorf("factors %v, want %v", got, want)
	}
	if *why.Infeasible == 0 {
		t.Error("no failures are counted")
	}
}

// A plan with a method of another version is told, not fitted.
func TestExplainUnknownPlan(t *testing.T) {
	for missing, p := range map[string]study.Plan{
		"acquisition function ucb9": {Acquisition: "ucb9", Model: study.ModelPlan{Spec: study.ModelSpec{Kernel: "box"}}},
		"kernel tube":               {Acquisition: "logei", Model: study.ModelPlan{Spec: study.ModelSpec{Kernel: "tube"}}},
		"rule model.oracle": {Acquisition: "logei", Model: study.ModelPlan{Spec: study.ModelSpec{Kernel: "box"}},
			Rules: []study.RuleUse{{Name: "model.oracle"}}},
	} {
		_, err := explained(t.Context(), nil, nil, Request{Plan: &p}, space.Configuration{})
		if !study.HasCode(err, study.Mismatch) || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s: %v", missing, err)
		}
	}
}

// A configuration is placed among others by how many are expected to be worse and how
// many are vaguer; where half of them are vaguer, it is not there to explore.
func TestCompare(t *testing.T) {
	worse := func(i int) bool { return i >= 2 }
	for _, c := range []struct {
		std     []float64
		beats   bool
		vaguer  float64
		purpose string
	}{
		{[]float64{1, 0.5, 2, 3, 1}, false, 0.5, "exploitation"},
		{[]float64{1, 0.5, 2, 3, 1}, true, 0.5, "exploitation"},
		{[]float64{1, 0.5, 0.9, 3, 1}, true, 0.25, "both"},
		{[]float64{1, 0.5, 0.9, 3, 1}, false, 0.25, "exploration"},
	} {
		why := &study.Explanation{}
		compare(why, worse, c.std, c.beats)
		if *why.MeanPercentile != 0.75 || *why.StdPercentile != c.vaguer || *why.Purpose != c.purpose {
			t.Errorf("%v, beats %v: %v, %v, %s", c.std, c.beats, *why.MeanPercentile, *why.StdPercentile, *why.Purpose)
		}
	}
}

// Where the surrogate is vague and expects more than the best trial has, a suggestion explores and exploits.
func TestExplainBoth(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	var confs []space.Configuration
	var values []float64
	for k := range 8 {
		x := float64(k) / 10
		confs, values = append(confs, space.Configuration{Value: []float64{x}, Active: []bool{true}}), append(values, -x)
	}
	trials := studytest.Completed(confs, values)
	conf := space.Configuration{Value: []float64{0.85}, Active: []bool{true}}
	why := mustExplain(t, st, trials, Request{Number: 9, Seed: 1}, conf)
	if *why.Purpose != "both" || why.Incumbent.Trial != 8 || !(*why.Mean < -0.7) {
		t.Errorf("%s at a mean of %v, the best trial is %d", *why.Purpose, *why.Mean, why.Incumbent.Trial)
	}
}

// The probability to be on a front is that of the boxes which nothing dominates.
func TestProbabilityOnFront(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, m := range []int{2, 3} {
		for range 20 {
			known := make([][]float64, 6)
			for k := range known {
				for range m {
					known[k] = append(known[k], rng.NormFloat64())
				}
			}
			mean, std := make([]float64, m), make([]float64, m)
			for j := range mean {
				mean[j], std[j] = rng.NormFloat64(), rng.Float64()
			}
			exact, drawn := 0.0, onFront(known, mean, std)
			for _, b := range pareto.Boxes(known, slices.Repeat([]float64{math.Inf(1)}, m)) {
				p := 1.0
				for j := range m {
					p *= below(b.Upper[j], mean[j], std[j]) - below(b.Lower[j], mean[j], std[j])
				}
				exact += p
			}
			if !(math.Abs(exact-drawn) <= 0.04) { // five standard deviations of the draws
				t.Errorf("%d quantities: %v by boxes, %v by draws", m, exact, drawn)
			}
		}
	}
}
