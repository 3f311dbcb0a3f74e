// Versus compares two variants in files of runs that arena wrote, by the protocol of the project's experiments:
//
//	versus -a default -b random -ahead 2 runs.json more.json
//
// Runs are compared by normalised regret, (best − f*) / (E10 − f*): f* is the problem's optimum, or the best value in
// the files where that is lower or unknown, and E10 the mean of b's best after ten evaluations; below 1e-6 it counts as
// 1e-6. With -ahead k, a has b's evaluations divided by k.
//
// A beats b if (1) over the families of problems a's mean log10 normalised regret is lower, by Wilcoxon's signed ranks
// with p < 0.05, (2) in no family it is more than twice b's, where it is above 1e-3, and (3) at least two thirds of the
// regrets 0.1, 0.01 and 0.001, as far as the median run of either reaches them, are reached no later.
//
// With -table it prints what every variant in the files gains on b instead, run by run:
//
//	versus -table -b default runs.json
//
// With -worst it prints the median log10 regret of every variant by kind of problem and number of evaluations, the
// cells first in which -a is furthest behind the best other one; kinds with a star are held out:
//
//	versus -worst -a default families.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"bohier/bench/versus"
)

func main() {
	a := flag.String("a", "default", "variant")
	b := flag.String("b", "random", "variant to compare it with")
	ahead := flag.Int("ahead", 1, "how many of b's evaluations count as one of a's")
	table := flag.Bool("table", false, "print the difference of every variant in the files from -b instead")
	worst := flag.Bool("worst", false,
		"print the median regrets by kind of problem instead, the cells in which -a is furthest behind first")
	flag.Parse()
	runs, err := read(flag.Args())
	switch {
	case err != nil:
	case *worst:
		err = versus.Worst(os.Stdout, runs, *a)
	case *table:
		err = versus.Table(os.Stdout, runs, *b)
	default:
		var c *versus.Comparison
		if c, err = versus.Compare(runs, *a, *b, *ahead); err == nil {
			err = c.Print(os.Stdout)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "versus:", err)
		os.Exit(1)
	}
}

func read(files []string) ([]versus.Run, error) {
	var runs []versus.Run
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var r versus.Run
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if len(r.Best) > 0 { // neither the header of compare's files nor a run that failed
				runs = append(runs, r)
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return runs, nil
}
