package policy_test

import (
	"strings"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/study"
)

// Where a surrogate says which trials go on, a new one is first judged where the surrogate
// prefers it, as far as the budget pays for that, and else at the first look.
func TestPreferredStart(t *testing.T) {
	c := newCase([]float64{1, 3, 9, 27})
	for _, test := range []struct{ budget, preferred, start float64 }{
		{0, 0, 3}, {0, 9, 9}, {0, 27, 27}, {20, 27, 9}, {5, 27, 3},
	} {
		c.st.Budget.Resource = test.budget
		d := policy.NextLeg(c.st, c.trials, policy.Wish{Chosen: []int{}, Preferred: test.preferred})
		if d.Trial > 0 || d.Start != test.start || d.To != test.start {
			t.Errorf("with %v units, of which a trial is to have %v before it is judged: %+v; want %v", test.budget,
				test.preferred, d, test.start)
		}
	}
}

// Straight trials have a share of the units that grows whenever one of them, beyond the probes, becomes the best at
// full resource, and shrinks whenever a promoted trial does.
func TestStraightTrialsHaveAShare(t *testing.T) {
	for _, c := range []struct {
		arrivals string // at the full resource: p of a promoted trial, s of a straight one, S of a straight one that is worse
		probes   int
		want     string
	}{
		{"", 0, "straight trials have 0 of 20 units, less than the share of 0.5"},
		{"s", 0, "straight trials have 9 of 29 units, less than the share of 0.75"},
		{"s", 1, "straight trials have 9 of 29 units, less than the share of 0.5"},
		{"sS", 0, "straight trials have 18 of 38 units, less than the share of 0.75"},
		{"ss", 0, "straight trials have 18 of 38 units, less than the share of 0.9"},
		{"p", 0, "straight trials have 0 of 29 units, less than the share of 0.333"},
		{"pp", 0, "straight trials have 0 of 38 units, less than the share of 0.25"},
	} {
		b := newCase([]float64{1, 9})
		b.st.Policy.Without = []string{policy.ContinueRule}
		b.st.Fidelity.Probes = c.probes
		for k, arrival := range c.arrivals {
			value := -float64(k)
			if arrival == 'S' {
				value = 100
			}
			if arrival != 'p' {
				b.report(b.add(9, 9), 9, value)
				continue
			}
			i := b.add(1, 1)
			b.report(i, 1, value)
			b.report(b.give(study.Task{Trial: i + 1, To: 9}), 9, value)
		}
		for range 20 {
			b.add(1, 1)
		}
		if d := policy.NextLeg(b.st, b.trials, policy.Wish{OnlyNew: true}); d.Start != 9 || !strings.Contains(d.Why, c.want) {
			t.Errorf("after %q with %d probes a new trial starts at %v, for %s; want %s", c.arrivals, c.probes, d.Start,
				d.Why, c.want)
		}
	}
}
