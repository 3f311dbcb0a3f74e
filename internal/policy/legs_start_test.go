package policy_test

import (
	"testing"

	"bohier/internal/policy"
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
