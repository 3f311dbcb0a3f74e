package report

import (
	"fmt"
	"strings"
	"testing"

	"bohier/internal/study"
)

func TestRegionWords(t *testing.T) {
	st := svm(t)
	best := 0.25
	rival := &Mention{ID: "3-k3f9", Value: &best}
	region, all, median := study.BaselineRegion, study.BaselineAll, study.BaselineMedian
	for _, c := range []struct {
		g    *Region
		want string
	}{
		{nil, ""},
		{&Region{Part: "branch", Holds: []string{"a == x"}, Fails: []string{"b == y", "c > 1"}, Tried: 1, Baseline: &region, Incumbent: rival},
			"This was a coverage check: only the branch where a == x, but none of: b == y; c > 1 was considered, the one tried least (once).\n" +
				"Improvement was measured against the best of that branch, loss 0.25 (trial 3-k3f9), not against the best of all.\n"},
		{&Region{Part: "branch", Fails: []string{"a == x"}, Baseline: &median},
			"This was a coverage check: only the branch where not a == x was considered, the one tried least (never).\n" +
				"Improvement was measured against the median of all trials, because the branch had none with a value.\n"},
		{&Region{Part: "branch", Fails: strings.Split("abcdefgh", ""), Tried: 2},
			"This was a coverage check: only the branch where none of these holds: a; b; c; d; e; f; 2 more conditions was considered, the one tried least (2 times).\n"},
		{&Region{Part: "values", Values: []study.RegionValues{{Name: "k", Values: []string{"x", "y"}}, {Name: "m", Values: []string{"z"}}}, Tried: 3, Baseline: &all, Incumbent: rival},
			"This was a coverage check: only configurations with k = x or y or m = z were considered, the values tried least (3 times each).\n" +
				"Improvement was measured against the best of all trials.\n"},
		{&Region{Part: "values", Values: []study.RegionValues{{Name: "k", Values: []string{"x"}}}, Tried: 1, NearBest: true},
			"This was a coverage check: only configurations with k = x were considered, the value tried least (once) among trials that differ from the best one in at most one category.\n"},
		{&Region{Part: "branch", Holds: []string{"a == x"}, Baseline: &region},
			"This was a coverage check: only the branch where a == x was considered, the one tried least (never).\n" +
				"Improvement was measured against what was expected of the pending trials of that branch, not against the best of all.\n"},
	} {
		var got strings.Builder
		c.g.say(st, func(format string, args ...any) { fmt.Fprintf(&got, format+"\n", args...) })
		if got.String() != c.want {
			t.Errorf("%+v:\n%swant\n%s", c.g, got.String(), c.want)
		}
	}
}

func TestScored(t *testing.T) {
	name := "logei"
	for want, factors := range map[string][]string{
		"logei": {"logei"},
		"logei with the constraint on c, the cost, the chance not to fail, the prior": {"logei", "constraint.c", "cost", "feasibility", "prior"},
		"of feasibility alone: the constraint on c, the prior":                        {"constraint.c", "prior"},
	} {
		if got := (&Explanation{Acquisition: &name, Factors: factors}).scored(); got != want {
			t.Errorf("%v: %q, want %q", factors, got, want)
		}
	}
}
