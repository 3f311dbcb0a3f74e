package report

import (
	"fmt"
	"strings"
	"testing"

	"bohier/internal/study"
)

func TestRegionWords(t *testing.T) {
	best := 0.25
	rival := &Mention{ID: "3-k3f9", Value: &best}
	all := study.BaselineAll
	for _, c := range []struct {
		g    *Region
		want string
	}{
		{nil, ""},
		{&Region{Part: "branch", Holds: []string{"a == x"}, Fails: []string{"b == y", "c > 1"}, Tried: 1, Baseline: &all, Incumbent: rival},
			"This was a coverage check: only the branch where a == x, but none of: b == y; c > 1 was considered, the one tried least (once).\n" +
				"Improvement was measured against the best of all trials.\n"},
		{&Region{Part: "branch", Fails: []string{"a == x"}},
			"This was a coverage check: only the branch where not a == x was considered, the one tried least (never).\n"},
		{&Region{Part: "branch", Fails: strings.Split("abcdefgh", ""), Tried: 2},
			"This was a coverage check: only the branch where none of these holds: a; b; c; d; e; f; 2 more conditions was considered, the one tried least (2 times).\n"},
		{&Region{Part: "values", Values: []study.RegionValues{{Name: "k", Values: []string{"x", "y"}}, {Name: "m", Values: []string{"z"}}}, Tried: 3, Baseline: &all, Incumbent: rival},
			"This was a coverage check: only configurations with k = x or y or m = z were considered, the values tried least (3 times each).\n" +
				"Improvement was measured against the best of all trials.\n"},
		{&Region{Part: "values", Values: []study.RegionValues{{Name: "k", Values: []string{"x"}}}, Tried: 1},
			"This was a coverage check: only configurations with k = x were considered, the value tried least (once).\n"},
	} {
		var got strings.Builder
		c.g.say(func(format string, args ...any) { fmt.Fprintf(&got, format+"\n", args...) })
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
