package fm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/bench/claims"
	"bohier/bench/statistics"
)

var judged = []claims.Claim[evidence]{
	{
		Says:      "ModLap is best on Func2C and Func3C",
		Rule:      "the least mean of the six kernels in the end, on both",
		Published: "func2c: modlap -0.2063, then prodlap and proddif -0.2060; func3c: modlap -0.7215, then prodlap -0.7213",
		Judge: func(e evidence) (bool, string) {
			holds, parts := true, []string{}
			for _, p := range []string{"func2c", "func3c"} {
				order := slices.Clone(Kernels)
				n := e.length(p)
				slices.SortStableFunc(order, func(a, b string) int { return sign(e.mean(p, a, n) - e.mean(p, b, n)) })
				holds = holds && order[0] == "modlap"
				parts = append(parts, fmt.Sprintf("%s: %s %.5f, then %s %.5f", p, order[0], e.mean(p, order[0], n), order[1],
					e.mean(p, order[1], n)))
			}
			return holds, strings.Join(parts, "; ")
		},
	},
	{
		Says:      "ModDif, which does not respect the frequency modulation principle, sometimes degrades severely",
		Rule:      "on a problem it is worse than ModLap by five standard errors of the difference",
		Published: "func2c +3.0, func3c +8.4, ackley5c -3.1, nusvr +0.6, xgboost +2.5",
		Judge: func(e evidence) (bool, string) {
			holds, parts := false, []string{}
			for _, p := range e.present() {
				n := e.length(p)
				z := distance(e.at(p, "moddif", n), e.at(p, "modlap", n))
				holds = holds || z > 5
				parts = append(parts, fmt.Sprintf("%s %+.1f", p, z))
			}
			return holds, "standard errors: " + strings.Join(parts, ", ")
		},
	},
	{
		Says:      "Products are usually better than sums",
		Rule:      "the mean in the end is less in more than half of the pairs of problem and graph kernel",
		Published: "8 of 10 pairs",
		Judge: func(e evidence) (bool, string) {
			better, pairs := 0, 0
			for _, p := range e.present() {
				n := e.length(p)
				for _, k := range []string{"lap", "dif"} {
					a, b := e.mean(p, "prod"+k, n), e.mean(p, "add"+k, n)
					if math.IsNaN(a + b) {
						continue
					}
					if pairs++; a < b {
						better++
					}
				}
			}
			return 2*better > pairs, fmt.Sprintf("%d of %d pairs", better, pairs)
		},
	},
	{
		Says: "ModLap ends as well as ProdLap and gets there sooner, the more so the larger the space",
		Rule: "on every problem within two standard errors or better, with more area above the mean curve, and most " +
			"of all on Ackley5C of the synthetic three",
		Published: "func2c -3.0 s.e., func3c -0.3, ackley5c +0.1, nusvr +0.4, xgboost -1.9; areas as pictures",
		Judge: func(e evidence) (bool, string) {
			holds, parts, gaps := true, []string{}, map[string]float64{}
			for _, p := range e.present() {
				n := e.length(p)
				z := distance(e.at(p, "modlap", n), e.at(p, "prodlap", n))
				gaps[p] = e.area(p, "modlap") - e.area(p, "prodlap")
				holds = holds && z < 2 && gaps[p] > 0
				parts = append(parts, fmt.Sprintf("%s %+.1f s.e., area %+.4f", p, z, gaps[p]))
			}
			holds = holds && gaps["ackley5c"] > gaps["func2c"] && gaps["ackley5c"] > gaps["func3c"]
			return holds, strings.Join(parts, "; ")
		},
	},
	{
		Says: "On Func2C, the smallest space, ModLap lags behind ProdLap until about evaluation 90 and is ahead of it " +
			"afterwards",
		Rule:      "the last evaluation at which its mean is worse lies between 60 and 120",
		Published: "about 90",
		Judge: func(e evidence) (bool, string) {
			last := 0
			for k := 10; k <= e.length("func2c"); k++ {
				if e.mean("func2c", "modlap", k) > e.mean("func2c", "prodlap", k)+1e-9 {
					last = k
				}
			}
			return last >= 60 && last <= 120, fmt.Sprintf("worse for the last time at evaluation %d", last)
		},
	},
}

// present are the problems with runs of ModLap.
func (e evidence) present() (out []string) {
	for _, p := range all() {
		if e.length(p) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// distance is mean(a) − mean(b) in standard errors of the difference.
func distance(a, b []float64) float64 {
	if len(a) < 2 || len(b) < 2 {
		return math.NaN()
	}
	d, se := statistics.Mean(a)-statistics.Mean(b), math.Hypot(statistics.StandardError(a), statistics.StandardError(b))
	if d == 0 {
		return 0
	}
	return d / se
}

func sign(x float64) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}
