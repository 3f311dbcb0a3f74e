package swersky

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bohier/bench/runs"
)

// trueError is that of a network in the data.
func trueError(depth int, in float64) float64 { return 0.05 + 0.02*float64(depth) + 0.05*in }

// data writes a small file of the form of the authors' results.
func data(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	names := []string{"row", "depth_true", "depth_ceil_bin", "in_a", "in_b", "in_c"}
	for _, k := range "abcd" {
		for l := 1; l <= layers; l++ {
			names = append(names, fmt.Sprintf("L%d_%c", l, k))
		}
	}
	fmt.Fprintln(&b, strings.Join(append(names, "validation_error"), ","))
	g := rand.New(rand.NewPCG(1, 1))
	for row := range 24 {
		depth := row % (layers + 1)
		in := g.Float64()
		fmt.Fprintf(&b, "%d,%d,0,%.3f,%.3f,%.3f", row, depth, in, g.Float64(), g.Float64())
		for range 4 {
			for l := 1; l <= layers; l++ {
				b.WriteString(",")
				if l <= depth {
					fmt.Fprintf(&b, "%.3f", g.Float64())
				}
			}
		}
		fmt.Fprintf(&b, ",%.4f\n", trueError(depth, in))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "swersky_mnist_bo_951x24.csv"), []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The space has four numbers for every layer there is, the function is an error, every
// method runs on it, and those that begin with a design begin alike.
func TestNetworks(t *testing.T) {
	p, err := Network(t.Context(), data(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Params) != 24 || p.Params[0].Name != depthName || !p.Conditional() {
		t.Fatalf("%d parameters, the first %s", len(p.Params), p.Params[0].Name)
	}
	x := map[string]any{"depth_true": 1, "in_a": 0.1, "in_b": 0.2, "in_c": 0.3}
	for _, k := range "abcd" {
		x[fmt.Sprintf("L1_%c", k)] = 0.5
	}
	for _, in := range []float64{0.1, 0.9} {
		x["in_a"] = in
		if y, err := p.Eval(x); err != nil || math.Abs(y/trueError(1, in)-1) > 0.1 {
			t.Errorf("an error of %v at %v, want %v, %v", y, in, trueError(1, in), err)
		}
	}
	x["depth_true"] = 2
	if _, err := p.Eval(x); err == nil {
		t.Error("two layers pass without the settings of the second")
	}
	p.Budget = 8
	f, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Run(t.Context(), Tasks(p, 1), 1, func(_ *runs.Run, _ int, _ time.Duration) {}); err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Results {
		if r.Variant != "random" && r.Best[5] != f.Results[0].Best[5] {
			t.Errorf("%s begins with %v, arc with %v", r.Variant, r.Best[5], f.Results[0].Best[5])
		}
	}
	if len(f.Results) != len(Methods) {
		t.Errorf("%d runs", len(f.Results))
	}
}

// Runs share the function: what it gives does not depend on who else asks.
func TestConcurrentEvaluations(t *testing.T) {
	p, err := Network(t.Context(), data(t))
	if err != nil {
		t.Fatal(err)
	}
	value := func(k int) float64 {
		y, err := p.Eval(map[string]any{"depth_true": 0, "in_a": float64(k%10) / 10, "in_b": 0.2, "in_c": 0.3})
		if err != nil {
			t.Error(err)
		}
		return y
	}
	var want [10]float64
	for k := range want {
		want[k] = value(k)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for k := range 300 {
				if y := value(k); y != want[k%10] {
					t.Errorf("evaluation %d: %v, alone %v", k, y, want[k%10])
					return
				}
			}
		})
	}
	wg.Wait()
}

// The report has the mean of each method after so many evaluations, and the order of all.
func TestReport(t *testing.T) {
	var list []*runs.Run
	for seed := range uint64(3) {
		for k, m := range Methods {
			r := &runs.Run{Variant: m, Seed: seed}
			for n := range 50 {
				r.Best = append(r.Best, float64(k+1)/float64(n+1))
			}
			list = append(list, r)
		}
	}
	var b strings.Builder
	if err := Report(&b, list); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| arc | 3 | 0.10000 ± 0.00000 | 0.05000 ± 0.00000 | 0.03333 ± 0.00000 | 0.02000 ± 0.00000 |", "| random | 3 | 0.70000", "over 3 runs"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
