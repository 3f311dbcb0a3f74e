// Versus compares two variants in files of runs that arena wrote, by the protocol of
// the project's experiments:
//
//	versus -a default -b random -ahead 2 runs.json more.json
//
// Runs are compared by normalised regret, (best − f*) / (E10 − f*): f* is the
// problem's optimum, or the best value in the files where that is lower or unknown,
// and E10 the mean of b's best after ten evaluations; below 1e-6 it counts as 1e-6.
// With -ahead k, a has b's evaluations divided by k.
//
// A beats b if (1) over the families of problems a's mean log10 normalised regret is
// lower, by Wilcoxon's signed ranks with p < 0.05, (2) in no family it is more than
// twice b's, where it is above 1e-3, and (3) at least two thirds of the regrets 0.1,
// 0.01 and 0.001, as far as the median run of either reaches them, are reached no later.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"bohier/bench/statistics"
)

// A run is a line of arena's files.
type run struct {
	Problem string    `json:"problem"`
	Variant string    `json:"variant"`
	N       int       `json:"n"`
	Best    []float64 `json:"best"` // best so far after every evaluation
}

func main() {
	a := flag.String("a", "default", "variant")
	b := flag.String("b", "random", "variant to compare it with")
	ahead := flag.Int("ahead", 1, "how many of b's evaluations count as one of a's")
	flag.Parse()
	runs, err := read(flag.Args())
	if err == nil {
		var c *comparison
		if c, err = compare(runs, *a, *b, *ahead); err == nil {
			err = c.print(os.Stdout)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "versus:", err)
		os.Exit(1)
	}
}

func read(files []string) ([]run, error) {
	var runs []run
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var r run
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			runs = append(runs, r)
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return runs, nil
}

func (c *comparison) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "family\t%s runs\t%s runs\tlog10 regret\t%s's\tdifference\t95 %%\ta run is better\tp (Holm)\t\n", c.a, c.b, c.b)
	for _, f := range c.families {
		fmt.Fprintf(t, "%s\t%d\t%d\t%.3f\t%.3f\t%+.3f\t[%+.3f, %+.3f]\t%.2f\t%.2g\t\n",
			f.name, len(f.a), len(f.b), statistics.Mean(f.a), statistics.Mean(f.b), f.difference, f.low, f.high, f.better, f.p)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	verdict := "does not beat"
	if c.beats() {
		verdict = "beats"
	}
	worst := "no regret above 1e-3"
	if c.worst != "" {
		worst = fmt.Sprintf("worst above 1e-3: %s, %.2f times the regret", c.worst, c.factor)
	}
	_, err := fmt.Fprintf(w, `
signed ranks over %d families: p = %.2g, mean difference %+.3f
%s
targets reached no later: %d of %d
%s %s %s
`, len(c.families), c.p, c.overall, worst, c.sooner, c.targets, c.a, verdict, c.b)
	return err
}
