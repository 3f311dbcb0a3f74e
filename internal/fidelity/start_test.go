package fidelity_test

import (
	"testing"

	"bohier/internal/fidelity"
)

// Where a surrogate says which trials go on, every trial is looked at first until six full
// trainings are spent; of what is spent beyond, half goes to trials that nobody judges.
func TestStraightTrialsLater(t *testing.T) {
	c := newCase([]float64{1, 3, 9, 27})
	next := func() float64 {
		d := fidelity.Decide(c.st, c.trials, fidelity.Wish{Chosen: []int{}})
		if d.Kind != fidelity.New {
			t.Fatalf("%+v", d)
		}
		return d.Start
	}
	look := func(n int) {
		for range n {
			c.report(c.add(3, 9), 9, 1)
		}
	}
	if look(18); next() != 3 {
		t.Errorf("after 6 full trainings a trial starts at %v", next())
	}
	if look(6); next() != 27 { // 54 units beyond
		t.Errorf("after 8 full trainings a trial starts at %v", next())
	}
	if c.report(c.add(27, 27), 27, 1); next() != 27 { // of 81 it had 27
		t.Errorf("after one straight trial another starts at %v", next())
	}
	if c.report(c.add(27, 27), 27, 1); next() != 3 { // of 108 they had 54
		t.Errorf("after two straight trials another starts at %v", next())
	}
}
