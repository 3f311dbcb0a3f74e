package report

import (
	"fmt"
	"strings"
	"testing"
)

func TestGuardWords(t *testing.T) {
	st := svm(t)
	best := 0.25
	rival := &Mention{ID: "3-k3f9", Value: &best}
	branch, all, median := "branch", "all", "median"
	for _, c := range []struct {
		g    *Guard
		want string
	}{
		{nil, ""},
		{&Guard{Part: "branch", Holds: []string{"a == x"}, Fails: []string{"b == y", "c > 1"}, Tried: 1, Against: &branch, Rival: rival},
			"It was a turn to look only at what was tried least: the branch where a == x, but none of: b == y; c > 1, tried once before.\n" +
				"It had to beat the best of that branch, loss 0.25 (trial 3-k3f9), not the best of all.\n"},
		{&Guard{Part: "branch", Fails: []string{"a == x"}, Against: &median},
			"It was a turn to look only at what was tried least: the branch where not a == x, not tried before.\n" +
				"It had to beat the median of all trials, because that branch had none to beat.\n"},
		{&Guard{Part: "branch", Fails: strings.Split("abcdefgh", ""), Tried: 2},
			"It was a turn to look only at what was tried least: the branch where none of these holds: a; b; c; d; e; f; 2 more conditions, tried 2 times before.\n"},
		{&Guard{Part: "values", Values: []RareValues{{"k", []string{"x", "y"}}, {"m", []string{"z"}}}, Tried: 3, Against: &all, Rival: rival},
			"It was a turn to look only at the rarest values of a choice: k = x, y; m = z, tried 3 times before each.\n" +
				"It had to beat the best of all trials.\n"},
		{&Guard{Part: "values", Values: []RareValues{{"k", []string{"x"}}}, Tried: 1, Beside: true},
			"It was a turn to look only at the rarest values of a choice beside the best: k = x, tried once there before.\n"},
		{&Guard{Part: "branch", Holds: []string{"a == x"}, Against: &branch},
			"It was a turn to look only at what was tried least: the branch where a == x, not tried before.\n" +
				"It had to beat what was expected of the pending trials of that branch, not the best of all.\n"},
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
		"logei with a pull to the middle of the ranges":                               {"logei", "middle"},
		"logei with the constraint on c, the cost, the chance not to fail, the prior": {"logei", "constraint.c", "cost", "feasibility", "prior"},
		"of feasibility alone: the constraint on c, the prior":                        {"constraint.c", "prior"},
	} {
		if got := (&Explanation{Acquisition: &name, Factors: factors}).scored(); got != want {
			t.Errorf("%v: %q, want %q", factors, got, want)
		}
	}
}
