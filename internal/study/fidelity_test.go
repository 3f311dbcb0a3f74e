package study_test

import (
	"slices"
	"testing"

	"bohier/internal/study"
)

func TestLadderHasPlainNumbers(t *testing.T) {
	for _, c := range []struct {
		low, high, eta, unit float64
		want                 []float64
	}{
		{0.1, 0.9, 3, 0, []float64{0.1, 0.3, 0.9}},
		{0.1, 2.7, 3, 0.1, []float64{0.1, 0.3, 0.9, 2.7}},
		{1, 52, 3, 1, []float64{1, 3, 7, 19, 52}},
		{1, 10, 3, 0, []float64{1, 3.16227766016838, 10}},
	} {
		if got := study.Ladder(c.low, c.high, c.eta, c.unit); !slices.Equal(got, c.want) {
			t.Errorf("from %v to %v by %v, in units of %v: %v, want %v", c.low, c.high, c.eta, c.unit, got, c.want)
		}
	}
}
