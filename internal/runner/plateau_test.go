package runner

import (
	"math"
	"testing"

	"bohier/internal/space"
)

// terrace falls in wide steps towards (0.2, 0.2).
func terrace(c space.Configuration) float64 {
	return math.Floor(4 * math.Hypot(c.Value[0]-0.2, c.Value[1]-0.2))
}

// Trials do not pile up on a plateau that is known.
func TestPlateau(t *testing.T) {
	st := newStudy(t, number("x"), number("y"))
	again := 0
	for seed := range uint64(8) {
		trials := simulateSeed(t, st, seed, 25, value(terrace))
		best := math.Inf(1)
		for k := range trials {
			v := trials[k].Values["f"]
			if trials[k].Source == "model" && v == best {
				again++
			}
			best = min(best, v)
		}
	}
	if again > 70 {
		t.Errorf("%d of 160 suggestions fall on the best plateau", again)
	}
}

// What a suggestion has to gain grows with the configurations that share the best
// value, and only with them.
func TestRequired(t *testing.T) {
	st := newStudy(t, number("x"))
	trials := simulate(t, st, 7, value(func(c space.Configuration) float64 { return c.Value[0] }))
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, 2, 3, 4, 5, 6, 7}, 0},
		{[]float64{2, 2, 2, 1, 3, 3, 3}, 0},
		{[]float64{1, 2, 1, 4, 5, 5, 5}, climb},
		{[]float64{1, 1, 1, 1, 1, 1, 1}, highest},
	} {
		for k, v := range c.values {
			trials[k].Values["f"] = v
		}
		if got := required(st, readHistory(st, trials, 8).told); got != c.want {
			t.Errorf("values %v: a gain of %v is required, want %v", c.values, got, c.want)
		}
	}
}
