package fm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bohier/bench/problems"
	"bohier/bench/statistics"
)

// The initial points are the authors': the objectives there are those computed
// independently.
func TestInitialPoints(t *testing.T) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(designsFile, &file); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"func2c", "func3c", "ackley5c"} {
		var want struct{ Runs []struct{ Y []float64 } }
		if err := json.Unmarshal(file[name], &want); err != nil {
			t.Fatal(err)
		}
		p, err := find(name)
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		for run, r := range want.Runs {
			for i, x := range initial(p, uint64(run)) {
				got, err := p.Value(x)
				if err != nil || math.Abs(got-r.Y[i]) > 1e-6*(1+math.Abs(r.Y[i])) {
					t.Errorf("%s, run %d, point %d: %v, want %v, %v", name, run, i, got, r.Y[i], err)
				}
				checked++
			}
		}
		if checked != 50 {
			t.Errorf("%s: %d points checked", name, checked)
		}
	}
	// Beyond the published runs they are uniform, and differ from run to run.
	p, _ := find("xgboost")
	if a, b := initial(p, 7), initial(p, 8); len(a) != 10 || a[0]["eta"] == b[0]["eta"] {
		t.Errorf("%d points; two runs begin alike", len(a))
	}
}

// The space is the paper's: 8,153,726,976 cells, input graphs of 1, 3, 6 and 9 vertices
// with 0, 2, 6 and 11 edges; its function is finite everywhere and worst where training
// diverges.
func TestArchitecture(t *testing.T) {
	p := architecture()
	cells := 1
	for _, q := range p.Params {
		if q.Kind == problems.Categorical {
			cells *= len(q.Choices)
		}
	}
	if cells != 8_153_726_976 {
		t.Errorf("%d cells", cells)
	}
	for state, want := range map[int][2]int{1: {1, 0}, 2: {3, 2}, 3: {6, 6}, 4: {9, 11}} {
		list := pairs(state)
		if len(list) != want[0] || len(neighbours(list)) != want[1] {
			t.Errorf("state %d: %d vertices, %d edges, want %v", state, len(list), len(neighbours(list)), want)
		}
	}
	g := random("architecture", 1)
	low, high, moved := math.Inf(1), 0.0, 0.0
	for range 2000 {
		x := uniform(g, p)
		y, err := p.Value(x)
		if err != nil || !(y > 0 && y < 1) {
			t.Fatalf("%v at %v, %v", y, x, err)
		}
		low, high = min(low, y), max(high, y)
		x["lr"], x["momentum"] = 0.1, 1
		if worse, _ := p.Value(x); worse < y-0.05 {
			t.Errorf("the largest rate is better: %v, %v", worse, y)
		}
		m := mutate(g, p, x)
		changed := 0
		for name, v := range m {
			if v != x[name] {
				changed++
			}
			var state int
			if n, _ := fmt.Sscanf(name, "in%d", &state); n == 1 {
				a, b := pairs(state)[int(x[name])], pairs(state)[int(v)]
				if a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] {
					t.Errorf("%s: %v became %v", name, a, b)
				}
			}
		}
		x["first"], x["second"], x["factor"] = 0.5, 0.5, 0.5 // far from the ends
		for _, name := range []string{"first", "second", "factor"} {
			i := slices.IndexFunc(p.Params, func(q problems.Param) bool { return q.Name == name })
			moved += sq(p.Params[i].To(mutate(g, p, x)[name]) - p.Params[i].To(x[name]))
		}
		if changed == 0 || changed > 2 {
			t.Errorf("a mutation changed %d parameters", changed)
		}
	}
	if high < 1.5*low {
		t.Errorf("the function is flat: %v … %v", low, high)
	}
	// One of six numbers moves, by a deviation of a hundredth of its range.
	if sd := math.Sqrt(moved / 1000); sd < 0.008 || sd > 0.012 {
		t.Errorf("a mutation moves a number by %v of its range", sd)
	}
	// Each activation of eight costs a share of 0.02.
	x := uniform(g, p)
	for s := 1; s <= 4; s++ {
		x[fmt.Sprintf("op%d_1", s)], x[fmt.Sprintf("op%d_2", s)] = 1, 1
	}
	cheap, _ := p.Value(x)
	operations[1].cost += 20
	dear, _ := p.Value(x)
	operations[1].cost -= 20
	if !(math.Abs(dear-cheap-0.02*20/25) <= 1e-12) {
		t.Errorf("eight operations that cost 20 more cost %v", dear-cheap)
	}
}

// Evolution descends from the best: later points are better than random ones.
func TestEvolution(t *testing.T) {
	p, err := find("ackley5c")
	if err != nil {
		t.Fatal(err)
	}
	value := p.Value
	var seen []float64
	p = p.With(func(x problems.Point) (float64, error) {
		y, err := value(x)
		seen = append(seen, y)
		return y, err
	})
	if _, err := evolve(t.Context(), p, 1, 400); err != nil {
		t.Fatal(err)
	}
	if first, last := statistics.Mean(seen[:50]), statistics.Mean(seen[300:]); last > first-0.5 {
		t.Errorf("the first 50 points have a mean of %v, the last 100 of %v", first, last)
	}
}

// A name that is none is refused, and so is a problem that no program serves.
func TestNames(t *testing.T) {
	for want, o := range map[string]Options{
		`no problem "func9"; there are func2c`:   {Problems: []string{"func2c", "func9"}},
		`no method "modlab"; there are modlap`:   {Methods: []string{"modlab"}},
		"nusvr needs the program that serves it": {Problems: []string{"nusvr"}},
	} {
		if _, _, err := Tasks(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}

// Every method runs on a problem of its own kind, finds the same initial points, and
// none does worse than they.
func TestMethods(t *testing.T) {
	tasks, stop, err := Tasks(Options{Runs: 1, Evaluations: 12})
	defer stop()
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != len(Synthetic)*(len(Kernels)+len(Others)) {
		t.Errorf("%d tasks", len(tasks))
	}
	start := map[string]float64{}
	for _, task := range tasks {
		k := task.Key
		if k.Problem == "func3c" && k.Method != "modlap" || k.Problem == "ackley5c" {
			continue
		}
		if k.Problem == "architecture" && k.Method != "auto" && k.Method != "evolution" {
			continue
		}
		r, err := task.Run(t.Context())
		if err != nil {
			t.Errorf("%v: %v", k, err)
			continue
		}
		if first, ok := start[k.Problem]; ok && r.Best[9] != first {
			t.Errorf("%v: %v after the initial points, others %v", k, r.Best[9], first)
		}
		if start[k.Problem] = r.Best[9]; len(r.Best) != k.N {
			t.Errorf("%v: %d evaluations", k, len(r.Best))
		}
	}
}
