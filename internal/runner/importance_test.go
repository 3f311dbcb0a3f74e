package runner

import (
	"math"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/space"
)

// Importance finds the parameters that matter, and none in those that do not.
func TestImportance(t *testing.T) {
	st := newStudy(t, category("k", "a", "b", "c"), number("x"), number("idle"), when(number("y"), 0, 1))
	f := value(func(c space.Configuration) float64 {
		v := 3 * c.Value[1] // x: variance 9/12
		if c.Active[3] {
			v += c.Value[3] // y, in a third of the space
		}
		return v
	})
	trials := simulate(t, st, 40, f)
	a, err := Cycle{Study: st}.Analyse(t.Context(), &journal.State{Trials: trials, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := a.Importance(1)
	if len(got) != 4 || got["x"] < 0.75 || got["idle"] > 0.05 || got["y"] < 0.02 || got["y"] > 0.3 || got["k"] < 0.02 {
		t.Errorf("%v", got)
	}
	again := a.Importance(1)
	for name, v := range got {
		if again[name] != v || math.IsNaN(v) {
			t.Errorf("%s: %v, then %v", name, v, again[name])
		}
	}
}

func TestExplained(t *testing.T) {
	y := []float64{1, 1, 1, 5, 5, 5}
	if v := explained(y, []int{0, 0, 0, 1, 1, 1}); v != 1 {
		t.Errorf("a group for each value explains %v, not all", v)
	}
	if v := explained(y, []int{0, 1, 2, 0, 1, 2}); v != 0 {
		t.Errorf("groups alike explain %v", v)
	}
	if v := explained([]float64{2, 2, 2}, []int{0, 1, 0}); v != 0 {
		t.Errorf("nothing to explain, yet %v", v)
	}
	if v := explained([]float64{1e300, -1e300, 0, 1}, []int{0, 1, 0, 1}); v != 0 {
		t.Errorf("beyond squares: %v", v)
	}
}
