package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"bohier/bench/statistics"
)

// at is the best value after so many units; +Inf before the first.
func (r result) at(units float64) float64 {
	v := math.Inf(1)
	for _, s := range r.Steps {
		if s[0] <= units {
			v = s[1]
		}
	}
	return v
}

// reached is the units after which the median of runs reaches a value; +Inf: never. It is read from the median curve:
// the median of the runs' own units would be a mean with the next slower run where their number is even.
func reached(runs []result, v float64) float64 {
	var at []float64
	for _, r := range runs {
		for _, s := range r.Steps {
			at = append(at, s[0])
		}
	}
	slices.Sort(at)
	for _, u := range at {
		if statistics.Median(each(runs, func(r result) float64 { return r.at(u) })) <= v {
			return u
		}
	}
	return math.Inf(1)
}

// summarise prints, for every mode and problem, the median units to the median value of n full trainings without a
// fidelity (R12, R25, R50) as a share of theirs, and the median regret after some units.
func summarise(w io.Writer, list []result) {
	var names, modes []string
	byMode := map[string]map[string][]result{}
	for _, r := range list {
		if byMode[r.Problem] == nil {
			byMode[r.Problem] = map[string][]result{}
			names = append(names, r.Problem)
		}
		if !slices.Contains(modes, r.Mode) {
			modes = append(modes, r.Mode)
		}
		byMode[r.Problem][r.Mode] = append(byMode[r.Problem][r.Mode], r)
	}
	slices.Sort(modes)
	trainings, marks := []float64{12, 25, 50}, []float64{325, 650, 1300, 2600}
	for _, mode := range modes {
		fmt.Fprintf(w, "%s\n%-14s %5s %6s %6s %6s   regret at %v units\n", mode, "problem", "seeds", "R12", "R25", "R50",
			marks)
		logs, counted := make([]float64, len(trainings)), make([]float64, len(trainings))
		for _, name := range names {
			runs, plain := byMode[name][mode], byMode[name]["without"]
			if len(runs) == 0 {
				continue
			}
			fmt.Fprintf(w, "%-14s %5d", name, len(runs))
			for k, n := range trainings {
				goal := each(plain, func(r result) float64 { return r.at(n * full) })
				share := math.NaN()
				if len(plain) > 0 {
					share = reached(runs, statistics.Median(goal)) / (n * full)
				}
				fmt.Fprintf(w, " %6.2f", share)
				if !math.IsNaN(share) {
					logs[k] += math.Log(min(share, 2)) // never reached counts as twice the units
					counted[k]++
				}
			}
			for _, u := range marks {
				fmt.Fprintf(w, " %9.4g", statistics.Median(each(runs, func(r result) float64 { return r.at(u) - r.Optimum })))
			}
			fmt.Fprintf(w, "   %.0f trials, %.0f s\n",
				statistics.Median(each(runs, func(r result) float64 { return float64(r.Trials) })),
				statistics.Median(each(runs, func(r result) float64 { return r.Seconds })))
		}
		fmt.Fprintf(w, "%-14s %5s", "geometric mean", "")
		for k := range trainings {
			fmt.Fprintf(w, " %6.2f", math.Exp(logs[k]/counted[k]))
		}
		fmt.Fprintln(w)
	}
}

func each(list []result, of func(result) float64) []float64 {
	out := make([]float64, len(list))
	for i, r := range list {
		out[i] = of(r)
	}
	return out
}
