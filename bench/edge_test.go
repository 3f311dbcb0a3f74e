package bench_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// An edge is a problem whose best feasible value lies where a measured constraint is active.
type edge struct {
	name    string
	params  []space.Parameter
	c       study.Constraint
	f, g    func(c space.Configuration) float64
	optimum float64 // of f where g holds
}

// edges are problems with one known and one measured function each; optima by hand.
func edges() []edge {
	wide := func(name string) space.Parameter {
		return space.Parameter{Name: name, Kind: space.Float, High: 6}
	}
	sum := func(c space.Configuration) (s float64) {
		for _, v := range c.Value {
			s += v
		}
		return s
	}
	return []edge{
		{"disc", []space.Parameter{studytest.Number("x"), studytest.Number("y")}, study.Constraint{Bound: 0.55},
			func(c space.Configuration) float64 { return -sum(c) },
			func(c space.Configuration) float64 { return math.Hypot(c.Value[0]-0.1, c.Value[1]-0.1) },
			-0.2 - 0.55*math.Sqrt2},
		{"valley", []space.Parameter{studytest.Number("x"), studytest.Number("y")}, study.Constraint{Bound: 1}, valley, sum,
			0.18},
		{"product", []space.Parameter{studytest.Number("x"), studytest.Number("y")},
			study.Constraint{AtLeast: true, Bound: 0.2},
			sum, func(c space.Configuration) float64 { return c.Value[0] * c.Value[1] }, 2 * math.Sqrt(0.2)},
		// Gardner et al. 2014, "Bayesian optimization with inequality constraints", §5.1, simulation 2.
		{"gardner", []space.Parameter{wide("x"), wide("y")}, study.Constraint{Bound: -0.95},
			func(c space.Configuration) float64 { return math.Sin(c.Value[0]) + c.Value[1] },
			func(c space.Configuration) float64 { return math.Sin(c.Value[0]) * math.Sin(c.Value[1]) },
			math.Asin(0.95) - 1},
		{"branches", []space.Parameter{studytest.Category("k", "a", "b"), studytest.Number("x"),
			studytest.When(studytest.Number("y"), 0, 0), studytest.When(studytest.Number("z"), 0, 1)},
			study.Constraint{Bound: 1},
			func(c space.Configuration) float64 {
				if c.Value[0] == 0 {
					return studytest.Sq(c.Value[1]-0.9) + studytest.Sq(c.Value[2]-0.9)
				}
				return 0.4 + studytest.Sq(c.Value[1]-0.5) + studytest.Sq(c.Value[3]-0.5)
			},
			func(c space.Configuration) float64 {
				if c.Value[0] == 0 {
					return 2 * math.Sqrt(c.Value[1]*c.Value[2])
				}
				return c.Value[1] + 0.5
			},
			0.32},
		{"ball4", []space.Parameter{studytest.Number("a"), studytest.Number("b"), studytest.Number("c"),
			studytest.Number("d")}, study.Constraint{Bound: 1},
			func(c space.Configuration) float64 { return -sum(c) },
			func(c space.Configuration) (s float64) {
				for _, v := range c.Value {
					s += v * v
				}
				return s
			},
			-2},
	}
}

// BenchmarkEdgeRegret: the best feasible value is where a constraint is active.
func BenchmarkEdgeRegret(b *testing.B) {
	const seeds, length = 32, 30
	at := []int{15, 20, 30}
	for _, e := range edges() {
		regret := make([][]float64, len(at))
		for k := range regret {
			regret[k] = make([]float64, seeds)
		}
		var refused, early [seeds]int
		var slots sync.WaitGroup
		for half := range 2 {
			slots.Go(func() {
				for seed := half; seed < seeds; seed += 2 {
					st := studytest.NewStudy(b, e.params...)
					e.c.Name = "c"
					st.Constraints = []study.Constraint{e.c}
					trials := play(b, st, *first+uint64(seed), length, func(c space.Configuration) (study.Observation, study.Failure) {
						return study.Observation{Values: study.NamedOf(map[string]float64{"f": e.f(c), "c": e.g(c)})}, ""
					})
					for k, n := range at {
						regret[k][seed] = math.Inf(1)
						if best := st.Best(trials[:n], 1); len(best) > 0 {
							regret[k][seed] = best[0].Values.Of("f") - e.optimum
						}
					}
					for k := range trials[8:] {
						if !st.Feasible(&trials[8+k]) {
							refused[seed]++
							if k < 12 {
								early[seed]++
							}
						}
					}
				}
			})
		}
		slots.Wait()
		line := ""
		for k, n := range at {
			sum := 0.0
			for _, v := range regret[k] {
				sum += v
			}
			slices.Sort(regret[k])
			line += fmt.Sprintf(" @%d %.2g / %.2g", n, sum/seeds, (regret[k][seeds/2-1]+regret[k][seeds/2])/2)
		}
		total, soon := 0, 0
		for seed := range seeds {
			total += refused[seed]
			soon += early[seed]
		}
		b.Logf("%-8s%s; %.0f / %.0f %% infeasible", e.name, line,
			100*float64(soon)/seeds/(20-8), 100*float64(total)/seeds/(length-8))
	}
}
