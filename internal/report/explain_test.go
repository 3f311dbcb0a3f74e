package report

import (
	"slices"
	"strings"
	"testing"

	"bohier/internal/study"
)

func TestRegionWords(t *testing.T) {
	best := 0.25
	rival := &study.Mention{ID: "3-k3f9", Value: &best}
	all, one := study.BaselineAll, &study.Study{Objectives: []study.Objective{{Name: "loss"}}}
	for _, c := range []struct {
		g    *study.RegionReason
		want string
	}{
		{nil, ""},
		{&study.RegionReason{Part: "branch", Holds: []string{"a == x"}, Fails: []string{"b == y", "c > 1"}, Tried: 1, Baseline: &all,
			Incumbent: rival},
			"Only the branch where a == x, but none of: b == y; c > 1 was considered, with the fewest trials (1).\n"},
		{&study.RegionReason{Part: "branch", Fails: []string{"a == x"}},
			"Only the branch where not a == x was considered: no trial was there.\n"},
		{&study.RegionReason{Part: "branch", Fails: strings.Split("abcdef", ""), Tried: 2},
			"Only the branch where none of these holds: a; b; c; d; e; f was considered, with the fewest trials (2).\n"},
		{&study.RegionReason{Part: "branch", Fails: strings.Split("abcdefgh", ""), Tried: 2},
			"Only the branch where none of these holds: a; b; c; d; e; f; 2 more conditions was considered, with the fewest " +
				"trials (2).\n"},
		{&study.RegionReason{Part: "values", Values: []study.RegionValues{{Name: "k", Values: []string{"x", "y"}},
			{Name: "m", Values: []string{"z"}}}, Tried: 3, Baseline: &all, Incumbent: rival},
			"Only configurations with k = x or y or m = z were considered, with the fewest trials (3).\n"},
		{&study.RegionReason{Part: "values", Values: []study.RegionValues{{Name: "k", Values: []string{"x", "y"}}}},
			"Only configurations with k = x or y were considered: no trial was there.\n"},
		{&study.RegionReason{Part: "values", Values: []study.RegionValues{{Name: "k", Values: []string{"y"}}}, Tried: 4, Rank: 2},
			"Only configurations with k = y were considered: the best there is number 2 among those of all values, with 4 " +
				"trials there, less than its share.\n"},
		{&study.RegionReason{Part: "values", Values: []study.RegionValues{{Name: "k", Values: []string{"x"}}}, Tried: 1},
			"Only configurations with k = x were considered, with the fewest trials (1).\n"},
	} {
		got := passage("plan", told{Explanation: &study.Explanation{Plan: &study.Plan{Acquisition: "lcb"}, Region: c.g}, study: one})
		if _, got, _ = strings.Cut(got, "\n"); got != c.want { // below the model
			t.Errorf("%+v:\n%swant\n%s", c.g, got, c.want)
		}
	}
}

// Trials that the surrogate knew in part are counted.
func TestPartlyKnown(t *testing.T) {
	one := &study.Study{Objectives: []study.Objective{{Name: "loss"}}}
	e := told{&study.Explanation{Observed: new(7), Infeasible: new(0), Pending: new(1), Partial: 2, Mean: new(0.5),
		Std: new(0.1)}, one}
	const want = "The surrogate chose the configuration, knowing 7 trials (2 of them in part) and 1 pending.\n"
	if got := passage("model", e); !strings.HasPrefix(got, want) {
		t.Errorf("%swant\n%s", got, want)
	}
}

// What a plan says is said: models, region, baseline, ξ, pending trials and rules.
// Inactive parameters that need the same are named in one line.
func TestIdleWords(t *testing.T) {
	e := study.Explanation{Inactive: []study.Inactive{{Name: "a", Condition: "k == x"}, {Name: "b", Condition: "k == y"},
		{Name: "c", Condition: "k == x"}}}
	var got []string
	for _, g := range (told{Explanation: &e}).Idle() {
		got = append(got, strings.Join(g.Names, " ")+": "+g.Condition)
	}
	if want := []string{"a c: k == x", "b: k == y"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}

func TestPlanWords(t *testing.T) {
	one, two := &study.Study{Objectives: []study.Objective{{Name: "loss"}}},
		&study.Study{Objectives: make([]study.Objective, 2)}
	box := study.ModelPlan{Spec: study.ModelSpec{Kernel: "box", Transform: "none", Warping: study.WarpingLog}}
	warped := study.ModelPlan{Spec: study.ModelSpec{Kernel: "effects", Transform: "power", Warping: study.WarpingOn,
		Mean: "linear", Fidelity: "decay"}}
	region := &study.RegionReason{Part: "branch", Holds: []string{"a == x"}, Tried: 1, Rank: 2}
	for _, c := range []struct {
		e    study.Explanation
		st   *study.Study
		want string
	}{
		{study.Explanation{}, one, ""},
		{study.Explanation{Region: region, Plan: &study.Plan{
			Model: warped, Acquisition: "logei", Baseline: study.BaselineRegion, Xi: 0.25,
			Pending: &study.PendingPlan{Draws: 2, Most: 40},
			Rules:   []study.RuleUse{{Name: "region.branch", Why: "because"}},
		}}, one, "loss was modelled with the kernel effects, the model decay of what resources tell, the power transform, " +
			"warped axes and a linear mean.\n" +
			"Only the branch where a == x was considered: the best there is number 2 among those of all branches, with 1 " +
			"trial there, less than its share.\n" +
			"Improvement was measured against the best trial there.\n" +
			"Improvement counted from 0.25 standard deviations on.\n" +
			"Pending trials counted with 2 joint draws of their outcomes, 40 trials at most.\n" +
			"Rules that decided:\n  region.branch: because\n"},
		{study.Explanation{Plan: &study.Plan{Model: box, Acquisition: "ei", Baseline: study.BaselineAll}}, one,
			"loss was modelled with the kernel box, no transform and logarithmic axes.\nImprovement was measured against the best of all " +
				"trials.\n"},
		{study.Explanation{Plan: &study.Plan{Model: box, Acquisition: "logei", Baseline: study.BaselineNone}}, one,
			"loss was modelled with the kernel box, no transform and logarithmic axes.\nNo trial was feasible, so there was nothing to improve " +
				"on.\n"},
		{study.Explanation{Plan: &study.Plan{Model: box, Acquisition: "logei", Baseline: study.BaselineAll, Design: true}}, one,
			"loss was modelled with the kernel box, no transform and logarithmic axes.\n"},
		{study.Explanation{Plan: &study.Plan{Model: box, Acquisition: "lcb", Baseline: study.BaselineAll}}, one,
			"loss was modelled with the kernel box, no transform and logarithmic axes.\n"},
		{study.Explanation{Plan: &study.Plan{
			Objectives: []study.ObjectivePlan{{Name: "a", Model: box}, {Name: "b", Model: box}}, Acquisition: "logehvi",
			Baseline: study.BaselineAll,
		}}, two, "a was modelled with the kernel box, no transform and logarithmic axes.\nb was modelled with the kernel box, no " +
			"transform and logarithmic axes.\n" +
			"Improvement was measured against the front of all trials.\n"},
		{study.Explanation{Plan: &study.Plan{
			Objectives: []study.ObjectivePlan{{Name: "a", Model: box}, {Name: "b", Model: box, Xi: 0.4}}, Acquisition: "parego",
			Baseline: study.BaselineAll,
		}}, two, "a was modelled with the kernel box, no transform and logarithmic axes.\nb was modelled with the kernel box, no " +
			"transform and logarithmic axes.\n" +
			"Improvement was measured against the best of all trials, by weights drawn for the suggestion.\n" +
			"Of b improvement counted from 0.4 standard deviations on.\n"},
	} {
		if got := passage("plan", told{Explanation: &c.e, study: c.st}); got != c.want {
			t.Errorf("%+v:\n%swant\n%s", c.e.Plan, got, c.want)
		}
	}
}

func TestScored(t *testing.T) {
	name := "logei"
	for want, factors := range map[string][]string{
		"logei": {"logei"},
		"logei with the constraint on c, the cost, the chance not to fail, the prior": {"logei", "constraint.c", "cost",
			"feasibility", "prior"},
		"of feasibility alone: the constraint on c, the prior": {"constraint.c", "prior"},
	} {
		if got := (told{Explanation: &study.Explanation{Acquisition: &name, Factors: factors}}).Scored(); got != want {
			t.Errorf("%v: %q, want %q", factors, got, want)
		}
	}
}
