package suggest

import (
	"math"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study/studytest"
)

// Defaults fill in what is not given, as far as they leave a valid configuration.
func TestWithDefaults(t *testing.T) {
	two, half := 2.0, 0.5
	k, x, y := studytest.Category("k", "a", "b", "c"), studytest.Number("x"), studytest.Number("y")
	k.Default, y.Default = &two, &half
	s := studytest.NewStudy(t, k, x, studytest.When(y, 0, 1)).Space
	for _, c := range []struct{ given, want space.Assignment }{
		{space.Assignment{}, space.Assignment{0: 2}}, // y is inactive where k is c
		{space.Assignment{0: 1}, space.Assignment{0: 1, 2: 0.5}},
		{space.Assignment{0: 1, 1: 0.25, 2: 0.75}, space.Assignment{0: 1, 1: 0.25, 2: 0.75}},
	} {
		got := withFitting(s, c.given, func(p *space.Parameter) *float64 { return p.Default })
		if len(got) != len(c.want) {
			t.Errorf("%v with defaults is %v, want %v", c.given, got, c.want)
			continue
		}
		for i, v := range c.want {
			if got[i] != v {
				t.Errorf("%v with defaults is %v, want %v", c.given, got, c.want)
			}
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct{ v, mean, std, want float64 }{
		{1, 0, 1, 0.8413447460685429}, {5, 3, 2, 0.8413447460685429}, {3, 5, 2, 0.15865525393145705}, // Φ(±1)
		{1, 0, 0, 1}, {0, 0, 0, 0},
	} {
		if got := below(c.v, c.mean, c.std); !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("N(%g, %g²) is below %g with probability %g, want %g", c.mean, c.std, c.v, got, c.want)
		}
	}
}
