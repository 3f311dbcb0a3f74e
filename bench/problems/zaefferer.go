package problems

import (
	"fmt"
	"math"
)

// The test function of Zaefferer and Horn 2018, "A first analysis of kernels for
// kriging-based optimization in hierarchical search spaces":
//
//	f(x) = (x1 − d)² + [x1 > c] · ((x2 − ½)² + b),   x2 active iff x1 > c.

// zaefferer registers one setting; the paper's 40 are b ∈ {0, 0.1}, c ∈ {.2, .4, .6, .8} and d ∈ {.1, .3, .5, .7, .9}.
// Where x2 is inactive the best x1 is min(c, d); where it is active, d (when d > c) with x2 = ½.
func zaefferer(name string, b, c, d float64, tags ...string) {
	best := Optimum{Value: sq(pos(d - c)), At: at{"x1": math.Min(c, d)}}
	if d > c && b < best.Value {
		best = Optimum{Value: b, At: at{"x1": d, "x2": 0.5}}
	}
	register(Problem{
		Name: name, Budget: 10, Tags: append([]string{"conditional", "continuous-parent"}, tags...),
		Params:  []Param{float("x1", 0, 1), float("x2", 0, 1, above("x1", c))},
		Optimum: best,
		Note: fmt.Sprintf("Zaefferer and Horn 2018, b = %g, c = %g, d = %g; the paper's budget is 3 random points and 7 "+
			"more", b, c, d),
	}, func(x Point) float64 {
		v := sq(x["x1"] - d)
		if x.Has("x2") {
			v += sq(x["x2"]-0.5) + b
		}
		return v
	})
}

// ZaeffererName is the name under which a setting of the paper is found.
func ZaeffererName(b, c, d float64) string { return fmt.Sprintf("zaefferer_b%g_c%g_d%g", b, c, d) }

func init() {
	zaefferer("zaefferer_A", 0, 0.6, 0.1)
	zaefferer("zaefferer_B", 0.1, 0.6, 0.1)
	zaefferer("zaefferer_C", 0, 0.4, 0.7)
	zaefferer("zaefferer_D", 0.1, 0.4, 0.9)
	zaefferer("zaefferer_E", 0.1, 0.4, 0.7)
	for _, b := range []float64{0, 0.1} {
		for _, c := range []float64{.2, .4, .6, .8} {
			for _, d := range []float64{.1, .3, .5, .7, .9} {
				zaefferer(ZaeffererName(b, c, d), b, c, d, "zaefferer")
			}
		}
	}
}
