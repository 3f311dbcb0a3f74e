package zaefferer

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"bohier/bench/problems"
	"bohier/bench/results"
	"bohier/bench/runs"
	"bohier/internal/gp"
)

// Version names the protocol: results of another are of no use.
const Version = "zaefferer 2"

// A Key tells fits and searches apart.
type Key struct {
	Study       string // quality or search
	Model       Model
	Setting     Setting
	Replication int
}

func (k Key) String() string {
	return fmt.Sprintf("%s, %v, %v, replication %d", k.Study, k.Model, k.Setting, k.Replication)
}

// A Result is what a fit or a search gave.
type Result struct {
	Key
	RMSE float64 `json:"rmse,omitempty"` // of a model, on 1000 uniform points
	// Rho is the value that imp imputes for x2, Rejected how many matrices were not positive definite while it was fitted.
	Rho      float64 `json:"rho,omitempty"`
	Rejected int     `json:"rejected,omitempty"`
	// Gap is the best of ten evaluations minus the optimum.
	Gap     float64 `json:"gap,omitempty"`
	Seconds float64 `json:"seconds"`
}

// Open opens the file of results; an empty path keeps them in memory.
func Open(path string) (*results.File[Key, *Result], error) {
	return results.Open(path, Version, func(r *Result) Key { return r.Key })
}

// Task is one fit or search.
type Task = results.Task[Key, *Result]

// Tasks lists, for every replication in turn, the fits and searches of the study: the paper's protocol first, then
// models by the program's own optimizer, of which there are half as many replications.
func Tasks(replications int) []Task {
	main, more := models()
	var out []Task
	for pass, list := range [][]Model{main, more} {
		for r := range max(1, replications>>pass) {
			for _, s := range settings() {
				for _, m := range list {
					k := Key{Study: "quality", Model: m, Setting: s, Replication: r}
					out = append(out, Task{Key: k, Run: func(ctx context.Context) (*Result, error) { return quality(ctx, k) }})
				}
				if pass > 0 {
					continue
				}
				for _, m := range main {
					k := Key{Study: "search", Model: m, Setting: s, Replication: r}
					out = append(out, Task{Key: k, Run: func(ctx context.Context) (*Result, error) { return search(ctx, k) }})
				}
			}
		}
	}
	return out
}

// models are those of the paper's protocol and the variants.
func models() (main, more []Model) {
	for _, k := range Kernels {
		main, more = append(main, Model{k, "direct"}), append(more, Model{k, "lbfgs"})
	}
	return main, more
}

// quality fits a model to 10 uniform points and tests it on 1000, the same for every
// model of a setting and replication.
func quality(ctx context.Context, k Key) (*Result, error) {
	began := time.Now()
	g := rand.New(rand.NewPCG(k.seed(), 1))
	train, test := uniform(g, 10), uniform(g, 1000)
	s, h := k.Setting, k.Model.hierarchy()
	x, q := s.encode(train, h), s.encode(test, h)
	y, want, mean := s.values(train), s.values(test), make([]float64, len(test))
	r := &Result{Key: k}
	fit, rep, err := k.Model.fit(ctx, x, y, k.seed())
	var none *gp.FallbackError
	switch {
	case errors.As(err, &none):
		// No hyperparameters give a definite matrix: the mean is all there is.
		sum := 0.0
		for _, v := range y {
			sum += v / float64(len(y))
		}
		for i := range mean {
			mean[i] = sum
		}
	case err != nil:
		return nil, err
	default:
		fit.Predict(mean, make([]float64, len(mean)), q)
		r.Rho, r.Rejected = rep.Hyper["imp.rho[x2]"], rep.Rejected
	}
	r.RMSE, r.Seconds = rmse(mean, want), time.Since(began).Seconds()
	return r, nil
}

// search minimizes by the textbook algorithm with the model.
func search(ctx context.Context, k Key) (*Result, error) {
	s := k.Setting
	p, err := problems.Get(problems.ZaeffererName(s.B, s.C, s.D))
	if err != nil {
		return nil, err
	}
	if !k.Model.hierarchy() {
		p = p.Flat()
	}
	lines := k.Model.Lines() + k.initial()
	r, err := runs.Optimize(ctx, p, runs.Options{Seed: k.seed() >> 1, Evaluations: 10, Lines: lines})
	if err != nil {
		return nil, err
	}
	return &Result{Key: k, Gap: max(0, r.Best[9]-p.Optimum.Value), Seconds: r.Seconds}, nil
}

// initial is the section of a study file that begins with three uniform points, the same for every model.
func (k Key) initial() string {
	lines := "initial:\n  count: 3\n  points:\n"
	for _, x := range uniform(rand.New(rand.NewPCG(k.seed(), 2)), 3) {
		lines += fmt.Sprintf("    - {x1: %v", x[0])
		if x[0] > k.Setting.C || !k.Model.hierarchy() {
			lines += fmt.Sprintf(", x2: %v", x[1])
		}
		lines += "}\n"
	}
	return lines
}

// seed belongs to a setting and replication.
func (k Key) seed() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, k.Setting, k.Replication)
	return h.Sum64()
}

func uniform(g *rand.Rand, n int) [][2]float64 {
	out := make([][2]float64, n)
	for i := range out {
		out[i] = [2]float64{g.Float64(), g.Float64()}
	}
	return out
}

func (s Setting) values(x [][2]float64) []float64 {
	out := make([]float64, len(x))
	for i, p := range x {
		out[i] = s.value(p[0], p[1])
	}
	return out
}
