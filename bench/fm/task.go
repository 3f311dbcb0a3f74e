package fm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/bench/problems"
	"bohier/bench/results"
	"bohier/bench/runs"
	"bohier/bench/statistics"
)

// Version names the protocol.
const Version = "fm 1"

// Kernels are the paper's six: frequency modulation, products and sums of a kernel on
// numbers and one on graphs, each with the regularised Laplacian and with diffusion.
var Kernels = []string{"modlap", "prodlap", "addlap", "moddif", "proddif", "adddif"}

// Others are the methods beside them: the program's default, CoCaBO with its three
// weights of the product, regularised evolution, random points, ModLap when, as in the
// authors' code, the choices of the trial before are forbidden, and when the priors are in
// force, too, that the code declares (they have no effect there).
var Others = []string{"auto", "cocabo-0.0", "cocabo-0.5", "cocabo-1.0", "evolution", "random", "modlap-fresh", "modlap-code"}

// A Key tells runs apart.
type Key struct {
	Problem, Method string
	Seed            uint64
	N               int
}

func (k Key) String() string { return fmt.Sprintf("%s, %s, run %d", k.Problem, k.Method, k.Seed) }

// Open opens the file of results, one for each of the two searches (Options.Recipe).
func Open(path string, recipe bool) (*results.File[Key, *runs.Run], error) {
	version := Version
	if recipe {
		version += ", the paper's search"
	}
	return results.Open(path, version, func(r *runs.Run) Key { return Key{r.Problem, r.Variant, r.Seed, r.N} })
}

// Task is one run.
type Task = results.Task[Key, *runs.Run]

// Options choose among the runs of the study.
type Options struct {
	// Runs is the number of runs of a method on a problem: the authors' five first.
	Runs int
	// Evaluations is the length of a run: 200 in the paper. On the architecture,
	// evolution has three times as many.
	Evaluations int
	// Candidates and starts of the search for the next point as in the paper, 100,000
	// and 40, where Recipe is set; the program's own otherwise.
	Recipe bool
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
				return nil, stop, fmt.Errorf("%s needs the program that serves it: set DATA to the directory with boston_house_prices.csv", name)
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
				n := o.Evaluations
				if p.Name == "architecture" && m == "evolution" {
					n *= 3
				}
				k := Key{p.Name, m, seed, n}
				tasks = append(tasks, Task{Key: k, Run: func(ctx context.Context) (*runs.Run, error) {
					r, err := o.run(ctx, p, k)
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
func (o Options) run(ctx context.Context, p *problems.Problem, k Key) (*runs.Run, error) {
	var weight float64
	switch k.Method {
	case "evolution":
		return evolve(ctx, p, k.Seed, k.N)
	case "random":
		return sampleAll(p, k.Seed, k.N)
	}
	if _, err := fmt.Sscanf(k.Method, "cocabo-%f", &weight); err == nil {
		return cocabo(ctx, p, k.Seed, k.N, weight)
	}
	kernel, more, _ := strings.Cut(k.Method, "-")
	first := initial(p, k.Seed)
	fit := "inference: mle"
	if more == "code" {
		var err error
		if fit, err = priors(p, first); err != nil {
			return nil, err
		}
	}
	return runs.Optimize(ctx, p, runs.Options{Seed: k.Seed, Evaluations: k.N, Lines: o.lines(p, kernel, fit), Initial: lines(p, first), Fresh: more != ""})
}

// priors are those that the authors' code declares, as log-normal densities with the same
// modes: an inverse gamma that keeps the noise near 1/300 of the values' variance, a
// half-horseshoe for β and one so narrow for α that with theirs for the lengthscales, again
// an inverse gamma, numbers a third of their range apart count (α is 1 here and the
// lengthscale takes its part).
func priors(p *problems.Problem, first []problems.Point) (string, error) {
	var y []float64
	for _, x := range first {
		v, err := p.Value(x)
		if err != nil {
			return "", err
		}
		y = append(y, v)
	}
	noise := math.Log(sq(statistics.StandardError(y)) * float64(len(y)) / 300)
	return fmt.Sprintf(`inference: map, hyperparameters: {prior: {noise: {lognormal: [%.3f, 0.7]}, "fm.lengthscale[*]": {lognormal: [-1.1, 1]}, "fm.alpha[*]": {lognormal: [0, 1]}, "fm.beta[*]": {lognormal: [-0.7, 2]}}}`, noise), nil
}

// lines are those of a study file for a kernel: the paper's algorithm (section 5: largest
// marginal likelihood of ten starts, expected improvement), or the program's default; fit
// are settings of the surrogate. The paper models the logarithm of the architecture's
// objective.
func (o Options) lines(p *problems.Problem, kernel, fit string) string {
	if kernel == "auto" {
		return ""
	}
	transform, search := "none", ""
	if p.Name == "architecture" {
		transform = "log"
	}
	if o.Recipe {
		search = ", search: {candidates: 100000, starts: 40}"
	}
	return fmt.Sprintf(`objective: {name: f, direction: minimize, transform: %s}
policy: plain
surrogate: {kernel: %s, %s, fit: {starts: 10}}
acquisition: {name: ei%s}
`, transform, kernel, fit, search)
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
