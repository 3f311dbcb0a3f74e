package zaefferer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/bench/claims"
	"bohier/bench/statistics"
)

func all(Setting) bool          { return true }
func profitable(s Setting) bool { return s.B == 0 }
func misleading(s Setting) bool { return s.B != 0 }
func in(at string) func(Setting) bool {
	return func(s Setting) bool { return strings.Contains(at, s.Situation()) }
}

// judged are the claims of sections 6 and 7 of the paper, in its order: the first eight on
// the errors of models, the others on searches.
var judged = []claims.Claim[*evidence]{
	{
		Says: "stan fits worse than most kernels in almost all settings",
		Rule: "its median error is above those of three of the other five in at least 80 % of the settings",
		Judge: func(e *evidence) (bool, string) {
			n, count := 0, 0
			for _, s := range settings() {
				worse := 0
				for _, k := range paper[1:] {
					if e.median(Model{"stan", protocol}, s) > e.median(Model{k, protocol}, s) {
						worse++
					}
				}
				if n++; worse >= 3 {
					count++
				}
			}
			return float64(count) >= 0.8*float64(n), fmt.Sprintf("%d of %d settings", count, n)
		},
	},
	{
		Says: "b = 0: imp and imparc fit best",
		Rule: "they have the two least errors",
		Judge: func(e *evidence) (bool, string) {
			by, order := e.errors(paper, profitable)
			best := order[:2]
			return slices.Contains(best, "imp") && slices.Contains(best, "imparc"), listed(by, order)
		},
	},
	{
		Says: "b = 0.1: imp is second or third worst",
		Rule: "its error is fourth or fifth of six",
		Judge: func(e *evidence) (bool, string) {
			by, order := e.errors(paper, misleading)
			place := slices.Index(order, "imp") + 1
			return place == 4 || place == 5, listed(by, order)
		},
	},
	{
		Says: "arc and ico fit alike, and near the best where b = 0.1",
		Rule: "their errors differ by less than a tenth in all settings, and at b = 0.1 exceed the least by less than a " +
			"quarter",
		Judge: func(e *evidence) (bool, string) {
			by, _ := e.errors(paper, all)
			ratio := by["ico"] / by["arc"]
			high, order := e.errors(paper, misleading)
			best := high[order[0]]
			return math.Abs(ratio-1) < 0.1 && high["arc"] < 1.25*best && high["ico"] < 1.25*best,
				fmt.Sprintf("ico / arc %.2f; at b = 0.1 arc %.2f and ico %.2f times the least", ratio, high["arc"]/best,
					high["ico"]/best)
		},
	},
	{
		Says: "imparc fits well in every situation, sometimes best",
		Rule: "its error is among the three least in each of A to E",
		Judge: func(e *evidence) (bool, string) {
			good, places := true, []string{}
			for _, at := range Situations {
				_, order := e.errors(paper, in(string(at)))
				place := slices.Index(order, "imparc") + 1
				good = good && place <= 3
				places = append(places, fmt.Sprintf("%c %d", at, place))
			}
			return good, "place in " + strings.Join(places, ", ")
		},
	},
	{
		Says: "icocor fits poorly in several cases, sometimes worse than stan",
		Rule: "its error is fifth or sixth of six in all settings, and above stan's in one at least",
		Judge: func(e *evidence) (bool, string) {
			by, order := e.errors(paper, all)
			worse := 0
			for _, s := range settings() {
				if e.median(Model{"icocor", protocol}, s) > e.median(Model{"stan", protocol}, s) {
					worse++
				}
			}
			place := slices.Index(order, "icocor") + 1
			return place >= 5 && worse > 0,
				fmt.Sprintf("place %d, error %.4f, worse than stan in %d settings", place, by["icocor"], worse)
		},
	},
	{
		Says: "differences vanish for large c",
		Rule: "the range of the six errors at c = 0.8 is below half of that at c = 0.2",
		Judge: func(e *evidence) (bool, string) {
			spread := func(c float64) float64 {
				by, order := e.errors(paper, func(s Setting) bool { return s.C == c })
				return by[order[len(order)-1]] - by[order[0]]
			}
			return spread(0.8) < spread(0.2)/2, fmt.Sprintf("%.4f at 0.8, %.4f at 0.2", spread(0.8), spread(0.2))
		},
	},
	{
		Says: "b = 0: imp learns to impute ρ = ½",
		Rule: "the quartiles of ρ by our optimizer lie within ½ ± 0.1 (DIRECT begins at the centre of ρ's range, which is " +
			"½, and proves nothing)",
		Judge: func(e *evidence) (bool, string) {
			var rho []float64
			for s, r := range e.rho[Model{"imp", "lbfgs"}] {
				if profitable(s) {
					rho = append(rho, r...)
				}
			}
			if len(rho) == 0 {
				return false, "no fits"
			}
			low, mid, high := statistics.Quantile(rho, 0.25), statistics.Median(rho), statistics.Quantile(rho, 0.75)
			return low > 0.4 && high < 0.6, fmt.Sprintf("quartiles %.3f, %.3f, %.3f of %d fits", low, mid, high, len(rho))
		},
	},
	{
		Says: "searches differ: Friedman's p below 1e-16",
		Rule: "so it is over all settings",
		Judge: func(e *evidence) (bool, string) {
			o := e.order(paper, Situations)
			return o.P < 1e-16, fmt.Sprintf("p = %.2g, %d blocks", o.P, o.Blocks)
		},
	},
	{
		Says: "every kernel searches better than stan",
		Rule: "significantly, over all settings",
		Judge: func(e *evidence) (bool, string) {
			o := e.order(paper, Situations)
			var behind []string
			for _, k := range paper[1:] {
				if !o.Ahead(k, "stan") {
					behind = append(behind, k)
				}
			}
			if len(behind) > 0 {
				return false, "not " + strings.Join(behind, ", ")
			}
			return true, fmt.Sprintf("mean rank of stan %.2f of 6", o.Ranks[len(o.Ranks)-1])
		},
	},
	{
		Says: "imp and imparc search better than arc, ico and icocor",
		Rule: "significantly, all six pairs",
		Judge: func(e *evidence) (bool, string) {
			o := e.order(paper, Situations)
			n := 0
			for _, a := range []string{"imp", "imparc"} {
				for _, b := range []string{"arc", "ico", "icocor"} {
					if o.Ahead(a, b) {
						n++
					}
				}
			}
			return n == 6, fmt.Sprintf("%d of 6 pairs: %s", n, o)
		},
	},
	{
		Says: "A and C: imp searches best, in C by a large margin",
		Rule: "its mean rank is the least in both, in C significantly so against arc and ico",
		Judge: func(e *evidence) (bool, string) {
			a, c := e.order(paper, "A"), e.order(paper, "C")
			return a.Place("imp") == 1 && c.Place("imp") == 1 && c.Ahead("imp", "arc") && c.Ahead("imp", "ico"),
				fmt.Sprintf("A %s; C %s", a, c)
		},
	},
	{
		Says: "B and E: imp is inferior",
		Rule: "it is in the worse half in both",
		Judge: func(e *evidence) (bool, string) {
			b, x := e.order(paper, "B"), e.order(paper, "E")
			return b.Place("imp") >= 4 && x.Place("imp") >= 4, fmt.Sprintf("B %s; E %s", b, x)
		},
	},
	{
		Says: "imparc is never top, usually in the second-best group",
		Rule: "never first in A to E, second or third in three of them at least",
		Judge: func(e *evidence) (bool, string) {
			never, second, places := true, 0, []string{}
			for _, at := range Situations {
				place := e.order(paper, string(at)).Place("imparc")
				never = never && place > 1
				if place == 2 || place == 3 {
					second++
				}
				places = append(places, fmt.Sprintf("%c %d", at, place))
			}
			return never && second >= 3, "place in " + strings.Join(places, ", ")
		},
	},
	{
		Says: "icocor searches poorly in A, B and C and best in E",
		Rule: "in the worse half in the first three, first in E",
		Judge: func(e *evidence) (bool, string) {
			poor, places := true, []string{}
			for _, at := range "ABCE" {
				place := e.order(paper, string(at)).Place("icocor")
				if at == 'E' {
					poor = poor && place == 1
				} else {
					poor = poor && place >= 4
				}
				places = append(places, fmt.Sprintf("%c %d", at, place))
			}
			return poor, "our repair, place in " + strings.Join(places, ", ")
		},
	},
	{
		Says: "D: few differences, stan is not in the worst group, imp beats arc",
		Rule: "at most five of 15 pairs differ, another kernel is last or does not differ from stan, imp is significantly " +
			"ahead of arc",
		Judge: func(e *evidence) (bool, string) {
			o := e.order(paper, "D")
			if o.Blocks < 2 {
				return false, "no searches"
			}
			last := o.Names[len(o.Names)-1]
			worst := last == "stan"
			if worst {
				for _, k := range o.Names[:len(o.Names)-1] {
					worst = worst && o.Ahead(k, "stan")
				}
			}
			return o.Differences() <= 5 && !worst && o.Ahead("imp", "arc"),
				fmt.Sprintf("%d pairs differ: %s", o.Differences(), o)
		},
	},
	{
		Says: "definiteness hardly matters",
		Rule: "ico, whose matrices may be indefinite, and arc do not differ in searches over all settings, and the errors " +
			"of their models by less than a tenth with our optimizer too",
		Judge: func(e *evidence) (bool, string) {
			o := e.order(paper, Situations)
			ratio := e.error(Model{"ico", "lbfgs"}, all) / e.error(Model{"arc", "lbfgs"}, all)
			m := Model{"ico", "lbfgs"}
			fits := 0
			for _, x := range e.rmse[m] {
				fits += len(x)
			}
			return !o.Differ("ico", "arc") && math.Abs(ratio-1) < 0.1,
				fmt.Sprintf("searches: %s; errors, our optimizer: ico / arc %.2f; %d of %d fits of ico met an indefinite matrix",
					o, ratio, e.rejected[m], fits)
		},
	},
	{
		Says: "arc and ico search alike except in C",
		Rule: "they differ significantly in C and in no other situation",
		Judge: func(e *evidence) (bool, string) {
			var differ []string
			for _, at := range Situations {
				if e.order(paper, string(at)).Differ("arc", "ico") {
					differ = append(differ, string(at))
				}
			}
			return slices.Equal(differ, []string{"C"}),
				"they differ in " + strings.Join(append(differ, map[bool]string{true: "none", false: ""}[len(differ) == 0]), " ")
		},
	},
	{
		Says: "within {imp, imparc} and within {arc, ico, icocor} searches do not differ",
		Rule: "no significant pair over all settings",
		Judge: func(e *evidence) (bool, string) {
			o := e.order(paper, Situations)
			var pairs []string
			for _, group := range [][]string{{"imp", "imparc"}, {"arc", "ico", "icocor"}} {
				for i, a := range group {
					for _, b := range group[i+1:] {
						if o.Differ(a, b) {
							pairs = append(pairs, a+" and "+b)
						}
					}
				}
			}
			if len(pairs) > 0 {
				return false, strings.Join(pairs, ", ") + " differ"
			}
			return true, "none differs"
		},
	},
}

// listed are values in order.
func listed(by map[string]float64, order []string) string {
	parts := make([]string, len(order))
	for i, k := range order {
		parts[i] = fmt.Sprintf("%s %.4f", k, by[k])
	}
	return strings.Join(parts, ", ")
}
