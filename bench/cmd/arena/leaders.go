package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"bohier/bench/problems"
	"bohier/bench/runs"
	"bohier/bench/statistics"
)

// leaders prints, for the runs with noise, the true value of the leader, in how many runs it is the
// optimum (of a finite space), and how many fits ended with less than a third of the true noise.
func (b book) leaders(w io.Writer, sd float64) error {
	groups := map[[2]string][]*runs.Run{}
	for _, r := range b.Results {
		if r.Leader != nil {
			k := [2]string{r.Problem, r.Variant}
			groups[k] = append(groups[k], r)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "problem\tvariant\truns\tleader: mean\tmedian\tworst tenth\toptimum\tnoise too small\t\n")
	for _, k := range sortedGroups(groups) {
		g := groups[k]
		var values []float64
		small, right := 0, 0
		for _, r := range g {
			values = append(values, r.Leader.Value)
			if r.Leader.Value-problems.Least(r.Problem) <= 1e-9 {
				right++
			}
			if r.Leader.Noise < sd/3 {
				small++
			}
		}
		slices.Sort(values)
		fmt.Fprintf(t, "%s\t%s\t%d\t%.4f\t%.4f\t%.4f\t%d\t%d\t\n", k[0], k[1], len(g), statistics.Mean(values),
			statistics.Median(values), values[len(g)*9/10], right, small)
	}
	return t.Flush()
}
