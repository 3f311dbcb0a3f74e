package fm

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// The initial points are the authors': the objectives there are those computed independently.
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

// Every method runs on a problem of its own kind, finds the same initial points, and none does worse than they.
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
