package fm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bohier/bench/problems"
	"bohier/bench/results"
	"bohier/bench/runs"
)

// Version names the protocol.
const Version = "fm 1"

// Kernels are the paper's six: frequency modulation, products and sums of a kernel on
// numbers and one on graphs, each with the regularised Laplacian and with diffusion.
var Kernels = []string{"modlap", "prodlap", "addlap", "moddif", "proddif", "adddif"}

// Others are the methods beside them: the program's default and random points.
var Others = []string{"auto", "random"}

// reported are methods that are not run: the paper's peers, and, with runs in results/runs/fm.jsonl, regularised
// evolution, CoCaBO with three weights of its product and ModLap as the authors' code runs it.
var reported = []string{"evolution", "cocabo-0.0", "cocabo-0.5", "cocabo-1.0", "modlap-fresh", "modlap-code", "smac",
	"tpe"}

// A Key tells runs apart.
type Key struct {
	Problem, Method string
	Seed            uint64
	N               int
}

func (k Key) String() string { return fmt.Sprintf("%s, %s, run %d", k.Problem, k.Method, k.Seed) }

// Open opens the file of results.
func Open(path string) (*results.File[Key, *runs.Run], error) {
	return results.Open(path, Version, func(r *runs.Run) Key { return Key{r.Problem, r.Variant, r.Seed, r.N} })
}

// Task is one run.
type Task = results.Task[Key, *runs.Run]

// Options choose among the runs of the study.
type Options struct {
	// Runs is the number of runs of a method on a problem: the authors' five first.
	Runs int
	// Evaluations is the length of a run: 200 in the paper.
	Evaluations int
	// Command serves the learned problems; nil leaves them out.
	Command []string
	// Problems and Methods are names of those to run; nil: all.
	Problems, Methods []string
}

// Tasks lists the runs, and returns what ends the programs that serve problems.
func Tasks(o Options) (tasks []Task, stop func(), err error) {
	var stops []func() error
	stop = func() {
		for _, s := range stops {
			_ = s() // the process has nothing left to say
		}
	}
	names := o.Problems
	if names == nil {
		if names = Synthetic; o.Command != nil {
			names = all()
		}
	}
	methods := slices.Concat(Kernels, Others)
	if err := cmp.Or(known("problem", names, all()), known("method", o.Methods, methods)); err != nil {
		return nil, stop, err
	}
	var list []*problems.Problem
	for _, name := range names {
		p, err := find(name)
		if err != nil {
			return nil, stop, err
		}
		if slices.Contains(Learned, name) {
			if o.Command == nil {
				return nil, stop, fmt.Errorf("%s needs the program that serves it: set DATA to the directory with "+
					"boston_house_prices.csv", name)
			}
			s, err := p.Serve(o.Command...)
			if err != nil {
				return nil, stop, err
			}
			stops = append(stops, s)
		}
		list = append(list, p)
	}
	for seed := range uint64(o.Runs) {
		for _, p := range list {
			for _, m := range methods {
				if o.Methods != nil && !slices.Contains(o.Methods, m) {
					continue
				}
				k := Key{p.Name, m, seed, o.Evaluations}
				tasks = append(tasks, Task{Key: k, Run: func(ctx context.Context) (*runs.Run, error) {
					r, err := k.run(ctx, p)
					if err == nil {
						r.Variant = m
					}
					return r, err
				}})
			}
		}
	}
	return tasks, stop, nil
}

// known refuses a name that is not one of the valid ones.
func known(what string, names, valid []string) error {
	for _, n := range names {
		if !slices.Contains(valid, n) {
			return fmt.Errorf("no %s %q; there are %s", what, n, strings.Join(valid, ", "))
		}
	}
	return nil
}

// run is one run of a method.
func (k Key) run(ctx context.Context, p *problems.Problem) (*runs.Run, error) {
	if k.Method == "random" {
		return sampleAll(p, k.Seed, k.N)
	}
	first := lines(p, initial(p, k.Seed))
	return runs.Optimize(ctx, p, runs.Options{Seed: k.Seed, Evaluations: k.N, Lines: settings(k.Method), Initial: first})
}

// settings are lines of a study file for a kernel: the paper's algorithm (section 5: largest
// marginal likelihood of ten starts, expected improvement), or nothing, the program's default.
func settings(kernel string) string {
	if kernel == "auto" {
		return ""
	}
	return fmt.Sprintf(`objective: {name: f, direction: minimize, transform: none}
policy: plain
surrogate: {kernel: %s, inference: mle, fit: {starts: 10}}
acquisition: ei
`, kernel)
}

// sampleAll is random search behind the common initial points.
func sampleAll(p *problems.Problem, seed uint64, n int) (*runs.Run, error) {
	r, g := &runs.Run{Problem: p.Name, Seed: seed, N: n}, random(p.Name, seed+2000)
	for k, first := 0, initial(p, seed); k < n; k++ {
		var x problems.Point
		if k < len(first) {
			x = first[k]
		} else {
			x = uniform(g, p)
		}
		y, err := p.Value(x)
		if err != nil {
			return nil, err
		}
		r.Tell(y)
	}
	return r, nil
}
