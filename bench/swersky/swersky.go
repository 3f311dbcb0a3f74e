// Package swersky adds to the regression study of Swersky, Duvenaud, Snoek, Hutter and
// Osborne 2013, "Raiders of the lost architecture" (package regression), what the paper
// leaves to later work: optimization with the arc kernel on the space
// of its networks.
package swersky

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"bohier/bench/orders"
	"bohier/bench/problems"
	"bohier/bench/regression"
	"bohier/bench/results"
	"bohier/bench/runs"
	"bohier/bench/statistics"
	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// depthName is the column of the number of layers.
const depthName = "depth_true"

// layers is the largest number of hidden layers.
const layers = 5

// teachers are the models whose mean prediction of the logarithm of the error is the
// black box: with inactivity as a constant, imputed, on a cylinder, and a model for every
// number of layers, so that none of the kernels that are compared is the truth.
var teachers = []struct {
	kernel   kernels.Spec
	separate bool
}{
	{kernel: kernels.Spec{Name: "const", Base: "matern52", Constant: -1, ARD: true}},
	{kernel: kernels.Spec{Name: "imp", Base: "matern52", ARD: true}},
	{kernel: kernels.Spec{Name: "arc", Base: "matern52", ARD: true}},
	{kernel: kernels.Spec{Name: "matern52", ARD: true}, separate: true},
}

// Network is the tuning of the paper's networks as a problem: the number of layers, three
// numbers of the input and four of every layer there is, unit coordinates all. Its
// function is what models of the 951 results in dir predict of the validation error.
func Network(ctx context.Context, dir string) (*problems.Problem, error) {
	d, err := regression.Load(dir, "nn")
	if err != nil {
		return nil, err
	}
	d = d.Distinct()
	y := make([]float64, len(d.Y))
	for i, v := range d.Y {
		y[i] = math.Log(v)
	}
	var models []gp.Predictor
	for _, t := range teachers {
		k, err := kernels.New(t.kernel, d.Coords)
		if err != nil {
			return nil, err
		}
		m, _, err := gp.Fit(ctx, k, d.X, y, gp.Options{Starts: 1, Separate: t.separate, Evaluations: 60})
		if err != nil {
			return nil, err
		}
		models = append(models, m.Predictor())
	}
	p := &problems.Problem{
		Name: "networks", Budget: 50, Tags: []string{"conditional"},
		Note:    "mean prediction of four models of the 951 networks of Swersky et al. 2013",
		Optimum: problems.Optimum{Kind: "unknown"},
	}
	depth := -1
	for c, co := range d.Coords {
		if co.Name == depthName {
			depth = c
			p.Params = append([]problems.Param{{Name: co.Name, Kind: problems.Int, High: layers}}, p.Params...)
			continue
		}
		q := problems.Param{Name: co.Name, Kind: problems.Float, High: 1}
		var layer int
		if n, _ := fmt.Sscanf(co.Name, "L%d_", &layer); n == 1 {
			q.When = []problems.Cond{{Name: depthName, Op: "ge", Bound: float64(layer)}}
		}
		p.Params = append(p.Params, q)
	}
	if depth < 0 {
		return nil, fmt.Errorf("the data have no column of the number of layers")
	}
	var mu sync.Mutex
	return p.With(func(x problems.Point) (float64, error) {
		q := points.New(1, len(d.Coords))
		for c, co := range d.Coords {
			v, ok := x[co.Name]
			switch {
			case !ok:
				q.Set(c, 0, 0.5, false)
			case c == depth:
				q.Set(c, 0, v/layers, true)
			default:
				q.Set(c, 0, v, true)
			}
		}
		sum, mean, variance := 0.0, make([]float64, 1), make([]float64, 1)
		mu.Lock() // a predictor has scratch memory, and several runs share it
		defer mu.Unlock()
		for _, m := range models {
			m.PredictBatch(mean, variance, q)
			sum += mean[0] / float64(len(models))
		}
		return math.Exp(sum), nil
	}), nil
}

// Methods are the kernels of the textbook algorithm with expected improvement, the
// program's default and random search; the first is the paper's. All have the same six
// uniform initial points.
var Methods = []string{"arc", "poor man's", "separate", "imp", "box", "auto", "random"}

func lines(method string) string {
	kernel, more := method, ""
	switch method {
	case "auto":
		return "initial: {design: uniform, count: 6}\n"
	case "poor man's":
		kernel = "{name: const, constant: -1}"
	case "separate":
		kernel, more = "matern52", ", separate: true"
	}
	return fmt.Sprintf("objective: {name: f, direction: minimize, transform: log}\npolicy: plain\ninitial: {design: uniform, count: 6}\nsurrogate: {kernel: %s%s}\nacquisition: ei\n", kernel, more)
}

// A Key tells runs apart.
type Key struct {
	Method string
	Seed   uint64
}

// Version names the protocol.
const Version = "swersky 1"

// Open opens the file of results.
func Open(path string) (*results.File[Key, *runs.Run], error) {
	return results.Open(path, Version, func(r *runs.Run) Key { return Key{r.Variant, r.Seed} })
}

// Task is one run.
type Task = results.Task[Key, *runs.Run]

// Tasks lists n runs of every method of 50 evaluations.
func Tasks(p *problems.Problem, n int) (out []Task) {
	for seed := range uint64(n) {
		for _, m := range Methods {
			out = append(out, Task{Key: Key{m, seed}, Run: func(ctx context.Context) (*runs.Run, error) {
				o := runs.Options{Seed: seed + 1, Evaluations: p.Budget, Lines: lines(m)}
				search := runs.Optimize
				if m == "random" {
					search = runs.Random
				}
				r, err := search(ctx, p, o)
				if err == nil {
					r.Variant, r.Seed = m, seed
				}
				return r, err
			}})
		}
	}
	return out
}

// Report writes the table of best predicted errors and the order of the methods.
func Report(w io.Writer, list []*runs.Run) error {
	by := map[string][]*runs.Run{}
	for _, r := range list {
		by[r.Variant] = append(by[r.Variant], r)
	}
	var b strings.Builder
	b.WriteString("### Optimization on the space of the networks\n\n| method | runs | after 10 | after 20 | after 30 | after 50 |\n|---|---|---|---|---|---|\n")
	for _, m := range Methods {
		if len(by[m]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d", m, len(by[m]))
		for _, n := range []int{10, 20, 30, 50} {
			var x []float64
			for _, r := range by[m] {
				x = append(x, r.Best[n-1])
			}
			fmt.Fprintf(&b, " | %.5f", statistics.Mean(x))
			if len(x) > 1 {
				fmt.Fprintf(&b, " ± %.5f", statistics.StandardError(x))
			}
		}
		b.WriteString(" |\n")
	}
	var blocks [][]float64
	for seed := range uint64(len(by["arc"])) {
		row := make([]float64, 0, len(Methods))
		for _, m := range Methods {
			if i := slices.IndexFunc(by[m], func(r *runs.Run) bool { return r.Seed == seed }); i >= 0 {
				row = append(row, by[m][i].Best[49])
			}
		}
		if len(row) == len(Methods) {
			blocks = append(blocks, row)
		}
	}
	if o := orders.New(Methods, blocks); o.Blocks > 1 {
		fmt.Fprintf(&b, "\nMean ranks after 50 over %d runs (Friedman's p %.2g; `<` is a significant difference of neighbours): %v\n", o.Blocks, o.P, o)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
