package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// No observation that was accepted ends a study: whatever values, costs and standard errors were reported, every
// command that asks about the study does its work or refuses for a stated reason, and none fails unexpectedly.
func TestNoObservationEndsAStudy(t *testing.T) {
	t.Parallel()
	studies, until := uint64(len(settings)), time.Time{}
	if os.Getenv("BOHIER_SOAK") != "" {
		studies, until = math.MaxInt, time.Now().Add(3*time.Minute)
	}
	for seed := uint64(0); seed < studies; seed++ {
		if !until.IsZero() && time.Now().After(until) {
			return
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { misuse(t, seed) })
	}
}

// extremes are numbers that upset arithmetic.
var extremes = []float64{
	0, 1, -1, 0.5, 3, 1e155, -1e155, 1e300, -1e300, 1.7e308, -1.7e308, math.MaxFloat64, -math.MaxFloat64,
	5e-324, -5e-324, 1e-300, 1e-155, 1 + 0x1p-52, 1e9, 1e-9, 1e16,
}

// settings are parts of study files that treat numbers in their own way.
var settings = []string{
	"", "  transform: log\n", "  transform: none\n", "  transform: copula\n", "  transform: power\n",
	"  transform: none\nsurrogate: {form: kriging}\n", "  transform: none\nsurrogate: {inference: mle}\n",
	"surrogate: {hyperparameters: {bounds: {noise: [0.001, 1]}}}\n",
	"surrogate: {hyperparameters: {fixed: {noise: 0.01}}}\n",
	"surrogate: {hyperparameters: {prior: {noise: {lognormal: [-4, 1]}}}}\n",
	"surrogate: {hyperparameters: {prior: {noise: {uniform: [0.001, 1]}}}}\n",
	"acquisition: {name: lcb, search: {candidates: 64, starts: 2}}\n",
	"constraints: [g <= 0.5]\n", "cost: {name: s, exponent: 1}\n",
	"stop: {regret: 0.001}\n", "  target: 0.001\n",
}

// misuse tells a study anything and asks it everything.
func misuse(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x0b5))
	pick := func(v []float64) string { return strconv.FormatFloat(v[r.IntN(len(v))], 'g', -1, 64) }
	setting := settings[int(seed)%len(settings)]
	file := "objective:\n  name: f\n  direction: " + []string{"minimize", "maximize"}[r.IntN(2)] + "\n"
	file += setting + "space: {x: {type: float, low: 0, high: 1}, k: [a, b], y: {type: float, low: 1, high: 9, " +
		"active_if: {k: b}}}\nseed: 5\ninitial: {count: 2}\n"
	if !strings.Contains(file, "acquisition:") {
		file += "acquisition: {search: {candidates: 64, starts: 2}}\n"
	}
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, "bohier.yaml"), file)
	var said []string
	ask := func(args ...string) string {
		code, out, errs := inProcessUnder(t.Context(), dir, args...)
		said = append(said, fmt.Sprintf("%d  bohier %s", code, strings.Join(args, " ")))
		if code == 1 {
			t.Fatalf("%s\n%s\n%s", file, strings.Join(said, "\n"), errs)
		}
		if code == 0 && (strings.Contains(out, "NaN") || strings.Contains(out, "Inf")) && args[len(args)-1] == "json" {
			t.Errorf("%s\n%s\n%s", file, strings.Join(said, "\n"), out)
		}
		return out
	}
	if code, _, errs := inProcess(dir, "check"); code != 0 {
		t.Fatalf("%s\n%s", file, errs)
	}
	tell := func() []string {
		args := []string{"f=" + pick(extremes)}
		if strings.Contains(setting, "constraints") {
			args = append(args, "g="+pick(extremes))
		}
		if r.IntN(2) == 0 {
			args = append(args, "--cost", pick(extremes))
		}
		if r.IntN(2) == 0 {
			args = append(args, "--stderr", pick(extremes))
		}
		return args
	}
	for k := range 6 {
		where := []string{"k=a"}
		if r.IntN(2) == 0 {
			where = []string{"k=b", "y=" + strconv.FormatFloat(1+8*r.Float64(), 'g', 4, 64)}
		}
		ask(append(append([]string{"add", "x=" + strconv.FormatFloat(r.Float64(), 'g', 4, 64)}, where...), tell()...)...)
		if k > 2 {
			if id := strings.TrimSpace(ask("suggest", "-o", "id")); id != "" {
				ask(append([]string{"observe", id}, tell()...)...)
				if r.IntN(3) == 0 {
					ask(append([]string{"observe", id, "--replicate"}, tell()...)...)
				}
			}
		}
	}
	ask("suggest", "-n", "2")
	for _, args := range [][]string{
		{"model", "-o", "json"}, {"model"}, {"report", "-o", "json"}, {"report", "-o", "html"}, {"report"},
		{"best", "-o", "json"}, {"best", "--by", "posterior"}, {"status", "-o", "json"},
		{"predict", "x=0.5", "k=a"}, {"plot", "calibration", "--out", "c.svg"}, {"explain", "8"},
	} {
		ask(args...)
	}
}
