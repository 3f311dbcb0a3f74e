package versus

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"bohier/bench/problems"
	"bohier/bench/statistics"
)

// Checkpoints are the numbers of evaluations that Table reports.
var Checkpoints = []int{20, 30, 50, 100}

// Table writes, for every variant of runs, the mean log10 normalised regret after each of Checkpoints, and of those
// beside base its difference from base on the same problems and seeds with its standard error over runs.
func Table(w io.Writer, runs []Run, base string) error {
	type at struct {
		problem string
		seed    uint64
		n       int
	}
	best, variants, optimum := map[string]map[at][]float64{}, []string{base}, map[string]float64{}
	ten := map[string][]float64{} // of base after ten evaluations, by problem
	for _, r := range runs {
		if best[r.Variant] == nil {
			best[r.Variant] = map[at][]float64{}
		}
		best[r.Variant][at{r.Problem, r.Seed, r.N}] = r.Best
		if !slices.Contains(variants, r.Variant) {
			variants = append(variants, r.Variant)
		}
		if r.Variant == base && len(r.Best) >= reference {
			ten[r.Problem] = append(ten[r.Problem], r.Best[reference-1])
		}
		low, known := optimum[r.Problem]
		if !known {
			low = problems.Least(r.Problem)
		}
		optimum[r.Problem] = min(low, r.Best[len(r.Best)-1])
	}
	if len(ten) == 0 {
		return fmt.Errorf("no run of %s has %d evaluations", base, reference)
	}
	regret := func(problem string, y float64) float64 {
		unit := statistics.Mean(ten[problem]) - optimum[problem]
		if unit <= 0 { // ten evaluations always find the optimum
			return math.NaN()
		}
		return math.Log10(max((y-optimum[problem])/unit, floor))
	}
	fmt.Fprint(w, "| variant | runs |")
	for _, n := range Checkpoints {
		fmt.Fprintf(w, " after %d |", n)
	}
	fmt.Fprint(w, "\n|---|---|", "---|---|---|---|\n")
	for _, v := range variants {
		paired := 0
		columns := make([][2][]float64, len(Checkpoints)) // regrets, and differences from base
		for _, key := range slices.SortedFunc(maps.Keys(best[v]), func(a, b at) int {
			return cmp.Or(cmp.Compare(a.problem, b.problem), cmp.Compare(a.seed, b.seed), a.n-b.n)
		}) {
			own, other := best[v][key], best[base][key]
			if other == nil {
				continue
			}
			paired++
			for k, n := range Checkpoints {
				if n > len(own) || n > len(other) {
					continue
				}
				if y := regret(key.problem, own[n-1]); y == y {
					columns[k][0] = append(columns[k][0], y)
					columns[k][1] = append(columns[k][1], y-regret(key.problem, other[n-1]))
				}
			}
		}
		fmt.Fprintf(w, "| %s | %d |", v, paired)
		for _, c := range columns {
			switch {
			case len(c[0]) == 0:
				fmt.Fprint(w, " |")
			case v == base:
				fmt.Fprintf(w, " %.2f |", statistics.Mean(c[0]))
			default:
				fmt.Fprintf(w, " %.2f (%+.2f ± %.2f) |", statistics.Mean(c[0]), statistics.Mean(c[1]),
					statistics.StandardError(c[1]))
			}
		}
		fmt.Fprintln(w)
	}
	return nil
}
