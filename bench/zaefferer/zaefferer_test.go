package zaefferer

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bohier/bench/problems"
)

// The groups have the sizes of section 5 of the paper, and f is the problem's.
func TestSettings(t *testing.T) {
	count := map[string]int{}
	g := rand.New(rand.NewPCG(1, 1))
	for _, s := range settings() {
		count[s.Situation()]++
		p, err := problems.Get(problems.ZaeffererName(s.B, s.C, s.D))
		if err != nil {
			t.Fatal(err)
		}
		flat := p.Flat()
		if flat.Conditional() || !p.Conditional() {
			t.Fatal("the flat problem has conditions, or took the other's")
		}
		for _, x := range uniform(g, 20) {
			all, want := map[string]any{"x1": x[0], "x2": x[1]}, s.value(x[0], x[1])
			for _, q := range []*problems.Problem{p, flat} {
				if got, err := q.Eval(all); err != nil || math.Abs(got-want) > 1e-15 {
					t.Errorf("%v at %v: %v, want %v, %v", s, x, got, want, err)
				}
			}
		}
	}
	for at, want := range map[string]int{"A": 10, "B": 10, "C": 10, "D": 3, "E": 7} {
		if count[at] != want {
			t.Errorf("situation %s has %d settings, want %d", at, count[at], want)
		}
	}
}

// A few tasks of every kind run, resume, and give a report with every claim.
func TestStudy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	some := func(k Key) bool {
		return k.Setting == Setting{0, 0.4, 0.7} && k.Replication < 1 && (k.Study == "quality" || k.Model.Kernel == "stan")
	}
	var tasks []Task
	for _, task := range Tasks(4) {
		if some(task.Key) {
			tasks = append(tasks, task)
		}
	}
	if all := len(Tasks(100)); all != 40*(100*(8+8)+50*8) {
		t.Errorf("%d tasks", all)
	}
	for round := range 2 {
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		if err := f.Run(context.Background(), tasks, 2, func(*Result, int, time.Duration) { ran++ }); err != nil ||
			ran != len(tasks)*(1-round) {
			t.Fatalf("round %d ran %d of %d: %v", round, ran, len(tasks), err)
		}
		var out strings.Builder
		pictures := filepath.Join(t.TempDir(), "pictures")
		if err := Report(&out, f.Results, pictures); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"| stan | direct | 1 |", "| 19 |", "too few results"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, out.String())
			}
		}
		if files, err := os.ReadDir(pictures); err != nil || len(files) != 1 {
			t.Errorf("%d pictures, %v", len(files), err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The claims are judged by what was measured: results made so that the paper holds
// confirm it, and the reverse refutes it.
func TestClaims(t *testing.T) {
	errs := map[string]float64{"stan": 6, "ico": 3.05, "icocor": 5.5, "arc": 3, "imp": 4, "imparc": 2.8}
	ranks := map[string]map[string]float64{
		"A": {"imp": 1, "imparc": 2, "arc": 3, "ico": 3, "icocor": 4, "stan": 5},
		"B": {"imparc": 2, "arc": 1, "ico": 1, "imp": 3, "icocor": 4, "stan": 5},
		"C": {"imp": 1, "imparc": 2, "arc": 3, "ico": 3.5, "icocor": 4, "stan": 5},
	}
	for _, paperIsRight := range []bool{true, false} {
		var list []*Result
		for _, s := range settings() {
			for r := range 12 {
				for k, v := range errs {
					if k == "imp" && s.B == 0 {
						v = 2.7
					}
					if strings.HasPrefix(k, "icocor") && s.C == 0.2 && s.D == 0.1 {
						v = 6.5
					}
					if v /= 100; s.C == 0.8 {
						v = 0.03 + v/10
					}
					gap := ranks[map[bool]string{true: s.Situation(), false: "A"}[ranks[s.Situation()] != nil]][k]
					if !paperIsRight {
						v, gap = 1-v, 9-gap
					}
					for _, optimizer := range []string{"direct", "lbfgs"} {
						key := Key{"quality", Model{k, optimizer}, s, r}
						list = append(list, &Result{Key: key, RMSE: v, Rho: map[bool]float64{true: 0.5, false: 3}[paperIsRight]})
					}
					list = append(list, &Result{Key: Key{"search", Model{k, "direct"}, s, r}, Gap: gap})
				}
			}
		}
		e := gather(list)
		for i, c := range judged[:12] {
			if i == 4 || i == 6 && !paperIsRight {
				continue // five situations alike are not the paper's; reversal keeps ranges
			}
			if holds, figure := c.Judge(e); holds != paperIsRight && i != 3 && i != 8 {
				t.Errorf("paper right: %v; claim %d, %s: %v, %s", paperIsRight, i+1, c.Says, holds, figure)
			}
		}
	}
}
