// Regrets of the optimizer on small problems with constraints, failures and priors:
// tables of bench/notes. Nothing here can fail.
//
//	go test -run '^$' -bench EdgeRegret -benchtime 1x ./bench
package bench_test

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/suggest"
)

// The flags of an ablation: go test -run '^$' -bench Regret ./bench -without RULE -first 500.
var (
	without = flag.String("without", "", "rules of the policy that studies leave out, with commas between")
	first   = flag.Uint64("first", 100, "the seed of the first run")
)

// play runs trials one after the other, without a journal.
func play(b *testing.B, st *study.Study, seed uint64, n int, m studytest.Measure) []study.Trial {
	b.Helper()
	if *without != "" {
		st.Policy.Without = strings.Split(*without, ",")
	}
	var trials []study.Trial
	var warm *study.FitRecord
	for k := range n {
		s, err := suggest.Next(b.Context(), st, trials, suggest.Request{Number: k + 1, Seed: seed, Warm: warm})
		if err != nil {
			b.Fatalf("trial %d: %v", k+1, err)
		}
		if s.Fit != nil {
			warm = s.Fit
		}
		trials = append(trials, studytest.OutcomeOf(k+1, s, m))
	}
	return trials
}

// valley is lowest at (0.8, 0.8).
func valley(c space.Configuration) float64 {
	return studytest.Sq(c.Value[0]-0.8) + studytest.Sq(c.Value[1]-0.8)
}

// BenchmarkInfeasibleRegret: the best value is beside configurations that fail.
func BenchmarkInfeasibleRegret(b *testing.B) {
	failing := func(f, beyond func(x, y float64) float64) studytest.Measure {
		return func(c space.Configuration) (study.Observation, study.Failure) {
			x, y := c.Value[0], c.Value[1]
			if beyond(x, y) > 0 {
				return study.Observation{}, study.Infeasible
			}
			return study.Observation{Values: study.Values{{Name: "f", Value: f(x, y)}}}, ""
		}
	}
	for name, m := range map[string]studytest.Measure{
		"disc": failing(
			func(x, y float64) float64 { return 0.2 + 0.55*math.Sqrt2 - x - y },
			func(x, y float64) float64 { return math.Hypot(x-0.1, y-0.1) - 0.55 }),
		"valley": failing(
			func(x, y float64) float64 { return studytest.Sq(x-0.8) + studytest.Sq(y-0.8) - 0.18 },
			func(x, y float64) float64 { return x + y - 1 }),
	} {
		regret, failed := map[int][]float64{}, 0
		for seed := range uint64(16) {
			st := studytest.NewStudy(b, studytest.Number("x"), studytest.Number("y"))
			trials := play(b, st, *first+seed, 30, m)
			for _, n := range []int{20, 30} {
				regret[n] = append(regret[n], st.Best(trials[:n], 1)[0].Values.Of("f"))
			}
			for _, tr := range trials[8:] {
				if tr.State == study.Failed {
					failed++
				}
			}
		}
		for _, n := range []int{20, 30} {
			sum := 0.0
			for _, v := range regret[n] {
				sum += v
			}
			slices.Sort(regret[n])
			b.Logf("%s @%d: mean %.4f, median %.4f; %.0f %% fail", name, n, sum/16, regret[n][8], 100*float64(failed)/16/22)
		}
	}
}

// BenchmarkPriorRegret: priors near the optimum and far from it.
func BenchmarkPriorRegret(b *testing.B) {
	const seeds = 16
	problems := []struct {
		name         string
		params       []space.Parameter
		right, wrong []float64
		f            func(c space.Configuration) float64
	}{
		{"branin", []space.Parameter{studytest.Number("x"), studytest.Number("y")}, []float64{0.5, 0.2}, []float64{0.1, 0.1},
			func(c space.Configuration) float64 {
				x, y := 15*c.Value[0]-5, 15*c.Value[1]
				return studytest.Sq(y-5.1/(4*math.Pi*math.Pi)*x*x+5/math.Pi*x-6) + 10*(1-1/(8*math.Pi))*math.Cos(x) + 10 - 0.397887
			}},
		{"rastrigin3", []space.Parameter{studytest.Number("x"), studytest.Number("y"), studytest.Number("z")},
			[]float64{0.35, 0.3, 0.4}, []float64{0.9, 0.9, 0.9},
			func(c space.Configuration) (s float64) {
				for _, v := range c.Value {
					s += 10*studytest.Sq(v-0.35) + 0.3*(1-math.Cos(6*math.Pi*(v-0.35)))
				}
				return s
			}},
		{"branches", []space.Parameter{studytest.Category("k", "a", "b", "c"), studytest.Number("x"),
			studytest.When(studytest.Number("y"), 0, 0), studytest.When(studytest.Number("z"), 0, 1)},
			[]float64{1, 0.6, math.NaN(), 0.3}, []float64{0, 0.1, 0.9, math.NaN()},
			func(c space.Configuration) float64 {
				s := studytest.Sq(c.Value[1] - 0.62)
				switch c.Value[0] {
				case 0:
					return s + 0.1 + studytest.Sq(c.Value[2]-0.5)
				case 1:
					return s + studytest.Sq(c.Value[3]-0.32)
				}
				return s + 0.15
			}},
	}
	for _, p := range problems {
		for _, kind := range []string{"none", "right", "wrong"} {
			for _, strength := range []string{"medium", "strong"} {
				if kind == "none" && strength == "strong" {
					continue
				}
				at := []int{5, 10, 20, 40}
				regret := make([][]float64, len(at))
				for seed := range uint64(seeds) {
					params := slices.Clone(p.params)
					mode := map[string][]float64{"right": p.right, "wrong": p.wrong}[kind]
					for i := range mode {
						if !math.IsNaN(mode[i]) {
							params[i].Prior = &space.Prior{Mode: mode[i], Strength: strength}
						}
					}
					st := studytest.NewStudy(b, params...)
					trials := play(b, st, *first+seed, 40, studytest.Value(p.f))
					for k, n := range at {
						regret[k] = append(regret[k], st.Best(trials[:n], 1)[0].Values.Of("f"))
					}
				}
				line := ""
				for k, n := range at {
					slices.Sort(regret[k])
					line += fmt.Sprintf(" @%d %.2g", n, (regret[k][seeds/2-1]+regret[k][seeds/2])/2)
				}
				b.Logf("%-10s %-6s %-6s%s", p.name, kind, strength, line)
			}
		}
	}
}
