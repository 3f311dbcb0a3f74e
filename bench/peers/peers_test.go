package peers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bohier/bench/problems"
	"bohier/bench/runs"
)

// TestMain lets the test program be a peer of its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "serve" {
		if err := Serve(context.Background(), os.Args[2], "1", strings.Join(os.Args[3:], ""), os.Stdin,
			os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func problem(t *testing.T, name string) *problems.Problem {
	t.Helper()
	p, err := problems.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The program and random search are peers like others, and the report has them.
func TestOwn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var list []*Run
	for _, name := range []string{"func2c", "coupled_tree"} {
		for _, who := range Own() {
			r, err := Peer{Name: who, Command: []string{self, "serve", who}}.Run(t.Context(), problem(t, name), 1, 20,
				time.Minute)
			if err != nil || r.Failed != "" || len(r.Best) != 20 || r.Space != "native" {
				t.Fatalf("%+v, %v", r, err)
			}
			if !slices.IsSortedFunc(r.Best, func(a, b float64) int { return cmp.Compare(b, a) }) {
				t.Errorf("the best so far is %v", r.Best)
			}
			if same, err := runs.Random(t.Context(), problem(t, name),
				runs.Options{Seed: 1, Evaluations: 20}); who == "random" && (err != nil || !slices.Equal(r.Best, same.Best)) {
				t.Errorf("%v, in this process %v, %v", r.Best, same.Best, err)
			}
			list = append(list, r)
		}
	}
	again, err := Peer{Name: "bohier", Command: []string{self, "serve", "bohier"}}.Run(t.Context(), problem(t, "func2c"),
		1, 20, time.Minute)
	if err != nil || again.Best[19] != list[0].Best[19] {
		t.Errorf("the same seed again: %v, before %v, %v", again.Best[19], list[0].Best[19], err)
	}
	list = append(list, &Run{Problem: "func2c", Variant: "broken",
		Failed: "it ended before its next configuration: no module"})
	// A peer that ten evaluations always take to the optimum has no regret to be a share of.
	list = append(list, &Run{Problem: "func2c", Variant: "lucky", Seed: 1, N: 20, Best: slices.Repeat([]float64{-1}, 20)})
	var references []Reference
	for _, name := range []string{"func2c", "coupled_tree"} {
		e, err := Expect(problem(t, name))
		if err != nil {
			t.Fatal(err)
		}
		references = append(references, e)
		mean := [2]float64{} // best of one and of ten
		for seed := range uint64(100) {
			r, err := runs.Random(t.Context(), problem(t, name), runs.Options{Seed: seed, Evaluations: 10})
			if err != nil {
				t.Fatal(err)
			}
			mean[0], mean[1] = mean[0]+r.Best[0]/100, mean[1]+r.Best[9]/100
		}
		if !(math.Abs(e.E10-mean[1]) <= 0.2*(mean[0]-mean[1])) {
			t.Errorf("%s: %v is expected of ten random points, here it was %v, and %v of one", name, e.E10, mean[1], mean[0])
		}
	}
	// A peer that ran on too little to be ranked leaves the others their ranks.
	few := *list[0]
	few.Variant, few.Seed = "few", 2
	if o := gather(append(slices.Clone(list), &few), references).order(20,
		func(string) bool { return true }); o.Blocks != 2 {
		t.Errorf("%d blocks are ranked, not 2", o.Blocks)
	}
	var out bytes.Buffer
	pictures := t.TempDir()
	if err := Report(&out, list, references, pictures); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"### Where a peer is ahead", "| bohier | native | 2 | 0 |", "| broken |  | 1 | 1 |",
		"| random | all | 20 | 2 |", "| lucky | all | 20 | | no verdict: func2c: ten evaluations of lucky always find the " +
			"optimum |", "mean rank after 20", "regret after 20\n", "- broken: it ended", "### Conditional"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "| random | mixed |") {
		t.Error("one problem of a set has a verdict, which cannot be significant")
	}
	if ranks, err := os.ReadFile(filepath.Join(pictures, "compare-ranks.svg")); err != nil ||
		!strings.Contains(string(ranks), "all problems, after 20 evaluations") {
		t.Errorf("%s, %v", ranks, err)
	}
	if files, err := os.ReadDir(pictures); err != nil || len(files) != 1 {
		t.Errorf("%d pictures, %v", len(files), err)
	}
}

// A peer at fault is a failed run with its reason; the evaluations before count.
func TestFaults(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	const greeting = `read task; echo '{"peer":"x","version":"1","space":"native"}'; `
	const good = `echo '{"h1":"0","h2":"0","x1":0,"x2":0}'; read y; `
	for script, want := range map[string]string{
		"read task; echo nothing is installed >&2; exit 3":    "it ended before its next configuration: nothing is installed",
		greeting + good + "echo '{\"h1\":\"7\"}'; read y":     "evaluation 2 is outside the space: h1",
		greeting + good + "head -c 2000000 /dev/zero; read y": "bytes without a line's end",
		greeting + good + "echo hello; read y":                `it wrote "hello`,
		greeting + good + "exec sleep 60":                     "no answer within",
		`read task; echo '{"space":"round"}'; read y`:         `the space is "round"`,
		greeting + good + "echo oh >&2; exit 1":               "it ended before its next configuration: oh",
		greeting + good + "exit 3":                            "configuration: exit status 3",
		greeting + good + "kill -9 $$":                        "configuration: signal: killed",
		greeting + `echo '{"h1":"0","h2":"0","x1":9,"x2":0}'`: "x1: 9 is outside",
	} {
		r, err := Peer{Name: "x", Command: []string{"sh", "-c", script}}.Run(t.Context(), problem(t, "func2c"), 1, 5,
			500*time.Millisecond)
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		if !strings.Contains(r.Failed, want) || strings.Contains(script, good) != (len(r.Best) == 1) {
			t.Errorf("%s: %q after %d evaluations, want %q", script, r.Failed, len(r.Best), want)
		}
	}
	if r, err := (Peer{Name: "x", Command: []string{"/no/such/program"}}).Run(t.Context(), problem(t, "func2c"), 1, 5,
		time.Second); err != nil || r.Failed == "" {
		t.Errorf("a peer that is not installed: %+v, %v", r, err)
	}
	// An interrupt is no fault of the peer's.
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := (Peer{Name: "x", Command: []string{"sh", "-c", "sleep 60"}}).Run(ctx, problem(t, "func2c"), 1, 5,
		time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	// Nor is one with a cause of its own, as signals have, or before the peer began.
	stopped, stop := context.WithCancelCause(t.Context())
	signal := errors.New("signal")
	time.AfterFunc(50*time.Millisecond, func() { stop(signal) })
	for range 2 {
		if _, err := (Peer{Name: "x", Command: []string{"sh", "-c", "sleep 60"}}).Run(stopped, problem(t, "func2c"), 1, 5,
			time.Minute); !errors.Is(err, signal) {
			t.Errorf("interrupted by a signal: %v", err)
		}
	}
}

// The limit is one for each answer, not for all.
func TestLimitOfAnAnswer(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	t.Parallel()
	script := `read task; echo '{"peer":"x","version":"1","space":"native"}'
for k in 1 2 3; do sleep 0.6; echo '{"h1":"0","h2":"0","x1":0,"x2":0}'; read y; done`
	r, err := Peer{Name: "x", Command: []string{"sh", "-c", script}}.Run(t.Context(), problem(t, "func2c"), 1, 3,
		1500*time.Millisecond)
	if err != nil || r.Failed != "" || len(r.Best) != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A peer of the flat space gives every parameter a value; those of inactive ones do not count.
func TestFlatPeer(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	p := problem(t, "zaefferer_E")
	script := `read task; echo '{"peer":"x","version":"1","space":"flat"}'
echo '{"x1":0.3,"x2":0.9}'; read y; echo '{"x1":0.3,"x2":0.1}'; read z; echo '{"x1":0.3}'; read y`
	r, err := Peer{Name: "x", Command: []string{"sh", "-c", script}}.Run(t.Context(), p, 1, 3, time.Minute)
	if err != nil || len(r.Best) != 2 || r.Best[0] != r.Best[1] ||
		!strings.Contains(r.Failed, "x2 is active but has no value") {
		t.Errorf("%+v, %v", r, err)
	}
}

// The shared part of the adapters decides activity as the problems do.
func TestActivity(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	dir, err := filepath.Abs("adapters")
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`
import random, sys
sys.dont_write_bytecode = True
sys.path.insert(0, %q)
from peer import active, hello, n, params, seed, typed, value
hello("x", "1", "native")
random.seed(seed)
for _ in range(n):
    config = {}
    for p in params:
        if active(p, config):
            draw = random.choice(p["choices"]) if "choices" in p else random.uniform(p["low"], p["high"])
            config[p["name"]] = typed(p, draw)
    value(config)
`, dir)
	for _, name := range []string{"coupled_tree", "zaefferer_E", "hier_nn", "cond_layers", "jenatton", "tree_2",
		"speed_reducer"} {
		r, err := Peer{Name: "x", Command: []string{python, "-c", script}}.Run(t.Context(), problem(t, name), 1, 20,
			time.Minute)
		if err != nil || r.Failed != "" || len(r.Best) != 20 {
			t.Errorf("%s: %d evaluations, %q, %v", name, len(r.Best), r.Failed, err)
		}
	}
}

// With noise a run says what the luckiest configuration is worth, and what the peer
// recommends: bohier its leader, another its luckiest one, unless it names an evaluation.
func TestNoise(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := problem(t, "branin_mixed")
	best := func(r *Run) float64 { return r.Best[len(r.Best)-1] }
	for name, command := range map[string][]string{
		"bohier": {self, "serve", "bohier"},
		"random": {self, "serve", "random"},
		"named":  {"sh", "-c", self + " serve random; echo '{\"recommend\": 1}'"},
	} {
		r, err := Peer{Name: name, Command: command, Noise: 20}.Run(t.Context(), p, 1, 12, time.Minute)
		if err != nil || r.Failed != "" || r.Luckiest == nil || r.Recommended == nil {
			t.Fatalf("%s: %+v %v", name, r, err)
		}
		if *r.Luckiest <= best(r) { // with this much noise the luckiest is not the best
			t.Errorf("%s: the luckiest is worth %v, the best %v", name, *r.Luckiest, best(r))
		}
		want := map[string]float64{"random": *r.Luckiest, "named": r.Best[0]}
		if v, ok := want[name]; ok && *r.Recommended != v {
			t.Errorf("%s recommends %v, want %v", name, *r.Recommended, v)
		}
	}
}

// A problem is listed once for each peer that is ahead at some time, the largest difference first.
func TestBehind(t *testing.T) {
	run := func(problem, variant string, at20, at30 float64) *Run {
		r := &Run{Problem: problem, Variant: variant, N: 30}
		for k := range 30 {
			r.Best = append(r.Best, at20)
			if k >= 20 {
				r.Best[k] = at30
			}
		}
		return r
	}
	optimum, other := problems.Least("func2c"), problems.Least("branin_mixed")
	e := gather([]*Run{
		run("func2c", "bohier", optimum+1, optimum+0.01), run("func2c", "x", optimum+0.1, optimum+0.1),
		run("func2c", "worse", optimum+2, optimum+1),
		run("branin_mixed", "bohier", other+10, other+10), run("branin_mixed", "x", other+0.1, other+0.1),
	}, []Reference{{"func2c", optimum + 10}, {"branin_mixed", other + 100}})
	var b strings.Builder
	e.behind(&b)
	rows := strings.Split(b.String(), "|---|\n")[1]
	if want := "| func2c | x | -1.00 | +1.00 | | | 1 |\n"; !strings.HasSuffix(strings.TrimSpace(rows)+"\n", want) ||
		!strings.HasPrefix(rows, "| branin_mixed | x |") || strings.Contains(rows, "worse") {
		t.Errorf("%s", b.String())
	}
}

// Problems of a file of -spec that is not given are counted among all, in no other set, and the report says so.
func TestUnknownProblem(t *testing.T) {
	list := []*Run{{Problem: "elsewhere", Variant: "bohier", Seed: 1, N: 20, Best: make([]float64, 20)}}
	var b strings.Builder
	if err := Report(&b, list, []Reference{{"elsewhere", 1}}, ""); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.HasPrefix(text, "1 problems are not known here") ||
		!strings.Contains(text, "### All") || strings.Contains(text, "### Mixed") {
		t.Errorf("%s", text)
	}
}
