package policy

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// An edge is a problem whose best feasible value lies where a measured constraint
// is active.
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
		{"valley", []space.Parameter{studytest.Number("x"), studytest.Number("y")}, study.Constraint{Bound: 1}, valley, sum, 0.18},
		{"product", []space.Parameter{studytest.Number("x"), studytest.Number("y")}, study.Constraint{AtLeast: true, Bound: 0.2},
			sum, func(c space.Configuration) float64 { return c.Value[0] * c.Value[1] }, 2 * math.Sqrt(0.2)},
		// Gardner et al. 2014, "Bayesian optimization with inequality constraints", §5.1, simulation 2.
		{"gardner", []space.Parameter{wide("x"), wide("y")}, study.Constraint{Bound: -0.95},
			func(c space.Configuration) float64 { return math.Sin(c.Value[0]) + c.Value[1] },
			func(c space.Configuration) float64 { return math.Sin(c.Value[0]) * math.Sin(c.Value[1]) },
			math.Asin(0.95) - 1},
		{"branches", []space.Parameter{studytest.Category("k", "a", "b"), studytest.Number("x"), studytest.When(studytest.Number("y"), 0, 0), studytest.When(studytest.Number("z"), 0, 1)},
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
		{"ball4", []space.Parameter{studytest.Number("a"), studytest.Number("b"), studytest.Number("c"), studytest.Number("d")}, study.Constraint{Bound: 1},
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

func TestMargin(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	excess := func(tr *study.Trial) float64 { return tr.Values["c"] - 1 }
	var told []*study.Trial
	for k, c := range []struct {
		source      string
		value, want float64
	}{
		{"model", 1.01, 0}, // nothing is feasible yet
		{"design", 0.5, 0},
		{"model", 1.01, 0.25},
		{"design", 1.01, 0.25},
		{"model", 1.05, 0.5},
		{"model", 1.2, 0.5}, // misses by much
		{"model", 0.9, 0.25},
		{"model", 0.9, 0},
		{"model", 0.9, 0},
		{"model", 1.01, 0.25},
	} {
		told = append(told, &study.Trial{Source: c.source,
			Observation: study.Observation{Values: map[string]float64{"f": 0, "c": c.value}}})
		if got := margin(st, told, excess); got != c.want {
			t.Errorf("margin %v after %d trials, want %v", got, k+1, c.want)
		}
	}
}

// A constraint's own near misses make the margin of its bound, in the unit of its
// values.
func TestMarginOfBound(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", AtLeast: true, Bound: 0.5}}
	trials := simulate(t, st, 5, func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: map[string]float64{"f": -c.Value[0], "c": c.Value[0]}}, ""
	})
	for k, x := range []float64{0.495, 0.49, 0.1} { // two near misses and a far one
		trials = append(trials, study.Trial{Number: 6 + k, State: study.Complete, Source: "model",
			Config:      space.Configuration{Value: []float64{x}, Active: []bool{true}},
			Observation: study.Observation{Values: map[string]float64{"f": -x, "c": x}}})
	}
	if got := newView(st, ReadHistory(st, trials, 9), Request{Number: 9, Seed: 1}).Margins["constraint.c"]; got != 2*marginStep {
		t.Errorf("the margin is %v, want %v", got, 2*marginStep)
	}
	s, err := fitSurrogates(t.Context(), st, trials, Request{Number: 9, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	o := s.others["constraint.c"]
	h, ok := o.head(o.fit.Model.Samples()[0]).(marginFeasibility)
	if !ok || h.margin != 2*marginStep {
		t.Errorf("the head is %#v, want a margin of %v", h, 2*marginStep)
	}
}

func TestLimitedHead(t *testing.T) {
	for _, mean := range []float64{-0.4, 0.2, 0.9} {
		const k, limit, v, step = 0.75, 0.3, 0.16, 1e-6
		h := marginFeasibility{limit, k}
		s, dmean, dvar := h.Score(mean, v)
		if want := math.Log(math.Erfc(-((limit-mean)/0.4-k)/math.Sqrt2) / 2); math.Abs(s-want) > 1e-12 {
			t.Errorf("mean %v: score %v, want %v", mean, s, want)
		}
		score := func(mean, variance float64) float64 { s, _, _ := h.Score(mean, variance); return s }
		if d := (score(mean+step, v) - score(mean-step, v)) / (2 * step); math.Abs(d-dmean) > 1e-6 {
			t.Errorf("mean %v: slope %v, want %v", mean, dmean, d)
		}
		if d := (score(mean, v+step) - score(mean, v-step)) / (2 * step); math.Abs(d-dvar) > 1e-6 {
			t.Errorf("mean %v: slope by variance %v, want %v", mean, dvar, d)
		}
		for _, smaller := range []float64{v, 0.1, 0.01, 1e-6, 0} {
			if score(mean, smaller) > h.Bound(mean, v) {
				t.Errorf("mean %v: more at variance %v than the bound %v", mean, smaller, h.Bound(mean, v))
			}
		}
	}
}

// TestEdgeRegret prints figures of docs/benchmarks.md.
func TestEdgeRegret(t *testing.T) {
	if os.Getenv("BOHIER_SOAK") == "" {
		t.Skip("BOHIER_SOAK=1 measures it")
	}
	const seeds, length = 32, 30
	at := []int{15, 20, 30}
	for _, e := range edges() {
		regret := make([][]float64, len(at))
		for k := range regret {
			regret[k] = make([]float64, seeds)
		}
		var refused, early [seeds]int
		var slots sync.WaitGroup
		for first := range 2 {
			slots.Go(func() {
				for seed := first; seed < seeds; seed += 2 {
					st := studytest.NewStudy(t, e.params...)
					e.c.Name = "c"
					st.Constraints = []study.Constraint{e.c}
					trials := simulateSeed(t, st, 100+uint64(seed), length, func(c space.Configuration) (study.Observation, study.Failure) {
						return study.Observation{Values: map[string]float64{"f": e.f(c), "c": e.g(c)}}, ""
					})
					for k, n := range at {
						regret[k][seed] = math.Inf(1)
						if best := st.Best(trials[:n], 1); len(best) > 0 {
							regret[k][seed] = best[0].Values["f"] - e.optimum
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
		total, first := 0, 0
		for seed := range seeds {
			total += refused[seed]
			first += early[seed]
		}
		t.Logf("%-8s%s; %.0f / %.0f %% infeasible", e.name, line,
			100*float64(first)/seeds/(20-8), 100*float64(total)/seeds/(length-8))
	}
}
