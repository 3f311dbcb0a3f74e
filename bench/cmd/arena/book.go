package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"bohier/bench/results"
	"bohier/bench/runs"
	"bohier/bench/statistics"
)

// A key tells runs apart.
type key struct {
	problem, variant string
	seed             uint64
	n                int
}

func (k key) String() string { return fmt.Sprintf("%s, %s, seed %d", k.problem, k.variant, k.seed) }

// A book collects runs.
type book struct{ *results.File[key, *runs.Run] }

func openBook(path string) (book, error) {
	f, err := results.Open(path, "", func(r *runs.Run) key { return key{r.Problem, r.Variant, r.Seed, r.N} })
	return book{f}, err
}

// table prints mean and median of the best value at every checkpoint.
func (b book) table(w io.Writer) error {
	groups := map[[2]string][]*runs.Run{}
	for _, r := range b.Results {
		k := [2]string{r.Problem, r.Variant}
		groups[k] = append(groups[k], r)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "problem\tvariant\truns\ts/run\t")
	for _, n := range checkpoints {
		fmt.Fprintf(t, "mean@%d\tmedian\t", n)
	}
	fmt.Fprintln(t)
	for _, k := range sortedGroups(groups) {
		g := groups[k]
		seconds := 0.0
		for _, r := range g {
			seconds += r.Seconds / float64(len(g))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.1f\t", k[0], k[1], len(g), seconds)
		for _, n := range checkpoints {
			var at []float64
			for _, r := range g {
				if n <= len(r.Best) {
					at = append(at, r.Best[n-1])
				}
			}
			if len(at) == 0 {
				fmt.Fprint(t, "\t\t")
				continue
			}
			fmt.Fprintf(t, "%.5g\t%.5g\t", statistics.Mean(at), statistics.Median(at))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// sortedGroups are the problems and variants in order.
func sortedGroups(groups map[[2]string][]*runs.Run) [][2]string {
	return slices.SortedFunc(maps.Keys(groups), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
}
