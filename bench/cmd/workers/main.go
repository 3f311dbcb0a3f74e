// Workers shows what many workers on one study cost and what they give:
//
//	workers -part regret -problems func2c,… -seeds 1-3 -n 128 -o DIR   1, 8 and 64 trials under way at once, in memory
//	workers -part load -o DIR [-journal postgres://…]                  64 to 1,000 workers on one journal at once
//	workers -part draw -o DIR                                          tables, and pictures in DIR
//
// Problems of other programs as with arena: -spec and -serve. What DIR has already is
// not computed again.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"bohier/bench/problems"
	"bohier/bench/results"
	"bohier/bench/runs"
)

// atOnce are the numbers of workers whose regret is compared.
var atOnce = []int{1, 8, 64}

type options struct {
	dir, journal   string
	only           string // loads, as WHAT-STORE-PENDING-WORKERS
	names          []string
	spec, serve    string
	first, last, n int
	sizes          []int // of the load: told trials
	trials         int   // of a thousand workers that live
	trial          time.Duration
}

func main() {
	var o options
	part := flag.String("part", "all", "regret, load, draw or all")
	flag.StringVar(&o.dir, "o", "workers", "`directory` of results and pictures")
	flag.StringVar(&o.journal, "journal", "", "a `location` in PostgreSQL for the load, beside a file")
	names := flag.String("problems", "func2c,func3c,ackley5c,coupled_tree,jenatton,cond_layers", "comma-separated names")
	seeds := flag.String("seeds", "1-3", "first-last")
	flag.IntVar(&o.n, "n", 128, "trials of a study")
	flag.StringVar(&o.spec, "spec", "", "JSON `file` of problems that the command of -serve evaluates")
	flag.StringVar(&o.serve, "serve", "", "that `command`")
	flag.StringVar(&o.only, "only", "", "of the load comma-separated WHAT-STORE-PENDING-WORKERS, such as ask-database-0-64")
	flag.IntVar(&o.trials, "trials", 0, "trials that a thousand workers run, of -trial each, some of whom die")
	flag.DurationVar(&o.trial, "trial", time.Minute, "how long a trial takes, give or take half")
	told := flag.String("told", "300", "results that the journal of the load has, comma-separated")
	flag.Parse()
	o.names = strings.Split(*names, ",")
	err := os.MkdirAll(o.dir, 0o777)
	if _, scanned := fmt.Sscanf(*seeds, "%d-%d", &o.first, &o.last); err == nil {
		err = scanned
	}
	for text := range strings.SplitSeq(*told, ",") {
		size, bad := strconv.Atoi(text)
		if err == nil {
			err = bad
		}
		o.sizes = append(o.sizes, size)
	}
	ctx := context.Background()
	for _, p := range []struct {
		name string
		run  func(context.Context, options) error
	}{{"load", load}, {"regret", regret}, {"draw", draw}} {
		if err == nil && (*part == p.name || *part == "all") {
			err = p.run(ctx, o)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "workers:", err)
		os.Exit(1)
	}
}

// A study is one simulated study.
type simulated struct {
	*runs.Run
	Workers int     `json:"workers"`
	Optimum float64 `json:"optimum"`
	CPU     float64 `json:"cpu"` // seconds
}

type runKey struct {
	problem    string
	workers, n int
	seed       uint64
}

func openRuns(dir string) (*results.File[runKey, simulated], error) {
	return results.Open(filepath.Join(dir, "regret.jsonl"), "", func(r simulated) runKey { return runKey{r.Problem, r.Workers, r.N, r.Seed} })
}

// regret simulates studies whose trials take a minute, give or take a half.
func regret(ctx context.Context, o options) error {
	file, err := openRuns(o.dir)
	if err != nil {
		return err
	}
	defer file.Close()
	known := map[string]*problems.Problem{}
	if o.spec != "" {
		list, err := problems.Read(o.spec)
		if err != nil {
			return err
		}
		for _, p := range list {
			known[p.Name] = p
		}
	}
	var tasks []results.Task[runKey, simulated]
	for seed := o.first; seed <= o.last; seed++ {
		for _, name := range o.names {
			for _, workers := range atOnce {
				key := runKey{name, workers, o.n, uint64(seed)}
				tasks = append(tasks, results.Task[runKey, simulated]{Key: key, Run: func(ctx context.Context) (simulated, error) {
					p, served := known[name]
					if served {
						stop, err := p.Serve(strings.Fields(o.serve)...)
						if err != nil {
							return simulated{}, err
						}
						defer stop() //nolint:errcheck // its answers were all read
					} else if p, err = problems.Get(name); err != nil {
						return simulated{}, err
					}
					before := cpuSeconds()
					r, err := runs.Optimize(ctx, p, runs.Options{Seed: key.seed, Evaluations: o.n, Workers: workers})
					if err != nil {
						return simulated{}, fmt.Errorf("%s, %d workers, seed %d: %w", name, workers, seed, err)
					}
					return simulated{r, workers, p.Optimum.Value, cpuSeconds() - before}, nil
				}})
			}
		}
	}
	return file.Run(ctx, tasks, 1, func(r simulated, n int, left time.Duration) { // one at a time: CPU time is the process's
		line, _ := json.Marshal(r.Best[len(r.Best)-1])
		fmt.Fprintf(os.Stderr, "%d of %d: %s, %d workers, seed %d: %s; %v left\n", n, len(tasks), r.Problem, r.Workers, r.Seed, line, left.Round(time.Second))
	})
}
