package peers

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"bohier/bench/problems"
	"bohier/bench/runs"
	"bohier/bench/statistics"
)

// Typical is the median of a thousand random values.
func Typical(p *problems.Problem) (float64, error) {
	const n = 1000
	var all []float64
	watched := p.With(func(x problems.Point) (float64, error) {
		y, err := p.Value(x)
		all = append(all, y)
		return y, err
	})
	_, err := runs.Random(context.Background(), watched, runs.Options{Seed: 1000, Evaluations: n})
	if err != nil {
		return 0, err
	}
	return statistics.Median(all), nil
}

// NoisyReport prints, for runs with noise, the regret without it of what each peer recommends and of its luckiest
// configuration, as a share of the distance from the median of random values to the optimum: medians over seeds.
func NoisyReport(w io.Writer, all []*Run) error {
	groups := map[[2]string][]*Run{}
	for _, r := range all {
		if r.Recommended != nil && r.Failed == "" {
			k := [2]string{r.Problem, r.Variant}
			groups[k] = append(groups[k], r)
		}
	}
	keys := slices.SortedFunc(maps.Keys(groups), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "problem\tpeer\truns\trecommended\tluckiest\tCPU s\t\n")
	for _, k := range keys {
		p, err := problems.Get(k[0])
		if err != nil {
			return err
		}
		typical, err := Typical(p)
		if err != nil {
			return err
		}
		var recommended, luckiest []float64
		cpu := 0.0
		for _, r := range groups[k] {
			scale := typical - p.Optimum.Value
			recommended = append(recommended, (*r.Recommended-p.Optimum.Value)/scale)
			luckiest = append(luckiest, (*r.Luckiest-p.Optimum.Value)/scale)
			cpu += r.CPU / float64(len(groups[k]))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.4f\t%.4f\t%.1f\t\n", k[0], k[1], len(recommended), statistics.Median(recommended),
			statistics.Median(luckiest), cpu)
	}
	return t.Flush()
}
