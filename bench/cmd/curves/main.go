// Command curves compares studies that judge trials before their end with studies that
// train every trial out: the best value at full resource against units spent.
//
//	curves -modes with,without -problems fid_same -seeds 5 -out results.jsonl
//	curves -spec problems.json -serve "python yahpo.py serve" -problems lc_3945 …
//	curves -summary results.jsonl
//
// A mode is with or without, *N for N workers at once, and :KEYS for further keys of the
// study file's fidelity: "with*4:start: low".
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"bohier/bench/problems"
	"bohier/bench/results"
)

// A result is one study.
type result struct {
	Mode    string       `json:"mode"`
	Problem string       `json:"problem"`
	Seed    uint64       `json:"seed"`
	Optimum float64      `json:"optimum"`
	Steps   [][2]float64 `json:"steps"` // units spent, best value at full resource
	Trials  int          `json:"trials"`
	Seconds float64      `json:"seconds"`
}

// A key tells studies apart.
type key struct {
	mode, problem string
	seed          uint64
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "curves:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	spec := flag.String("spec", "", "`file` of problems that another program serves")
	serve := flag.String("serve", "", "that `command`, without the problem's name")
	names := flag.String("problems", strings.Join(syntheticNames(), ","), "problems, separated by commas")
	modes := flag.String("modes", "with;without", "ways to run a study, separated by semicolons")
	seeds := flag.Int("seeds", 3, "studies of each mode and problem")
	first := flag.Int("first", 1, "the first seed")
	units := flag.Float64("units", 2600, "units of each study")
	out := flag.String("out", "curves.jsonl", "append results to this `file`, and leave out what it has")
	summary := flag.String("summary", "", "summarise this `file` of results instead")
	flag.Parse()
	file, err := results.Open(cmp.Or(*summary, *out), "", func(r result) key { return key{r.Mode, r.Problem, r.Seed} })
	if err != nil {
		return err
	}
	defer file.Close()
	if *summary != "" {
		slices.SortStableFunc(file.Results, func(a, b result) int { return strings.Compare(a.Problem, b.Problem) })
		summarise(os.Stdout, file.Results)
		return nil
	}
	var known []*problems.Problem
	if *spec != "" {
		if known, err = problems.Read(*spec); err != nil {
			return err
		}
	}
	asked := map[string]*problem{}
	for name := range strings.SplitSeq(*names, ",") {
		if asked[name], err = find(name, known, strings.Fields(*serve)); err != nil {
			return err
		}
		defer asked[name].stop()
	}
	var tasks []results.Task[key, result]
	for seed := range uint64(*seeds) {
		for name := range strings.SplitSeq(*names, ",") {
			p := asked[name]
			for mode := range strings.SplitSeq(*modes, ";") {
				r := result{Mode: mode, Problem: name, Seed: uint64(*first) + seed, Optimum: p.optimum}
				tasks = append(tasks, results.Task[key, result]{Key: key{mode, name, r.Seed},
					Run: func(context.Context) (result, error) {
						began := time.Now()
						err := runMode(p, &r, *units)
						r.Seconds = time.Since(began).Seconds()
						return r, err
					}})
			}
		}
	}
	return file.Run(ctx, tasks, 1, func(r result, n int, left time.Duration) {
		fmt.Fprintf(os.Stderr, "%d of %d, %v left: %s, %s, seed %d\n", n, len(tasks), left.Round(time.Second), r.Problem,
			r.Mode, r.Seed)
	})
}
