package gp

import "testing"

// A cold fit of many points begins with few of them. It ends where one that gives five
// starts all points ends, and most of its evaluations are cheap.
func TestCoarseFit(t *testing.T) {
	for seed := range uint64(2) {
		x, y := sample(80+seed, 160, 3)
		k := newARD(3, true, false)
		_, fast := mustFit(t, k, x, y, Options{Seed: seed})
		_, slow := mustFit(t, k, x, y, Options{Seed: seed, Starts: 5})
		t.Logf("seed %d: log posterior %.3f, %.3f from five starts", seed, fast.LogPosterior, slow.LogPosterior)
		if fast.LogPosterior < slow.LogPosterior-0.1 {
			t.Errorf("seed %d: log posterior %.3f, %.3f from five starts", seed, fast.LogPosterior, slow.LogPosterior)
		}
		p := problemOf(t, k, x, y, nil, Options{})
		s := newSearch(p, unitsFor(y), Options{Inference: "map", Optimizer: "lbfgs", Workers: 1})
		if err := s.coarse(t.Context()); err != nil || s.warm == nil {
			t.Fatalf("no warm start from fewer points: %v", err)
		}
		before := s.evals
		if _, err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if all := s.evals - before; all > 44 {
			t.Errorf("seed %d: %d evaluations with all points", seed, all)
		}
	}
	// A number of starts asked for is spent on all points.
	x, y := sample(80, 160, 3)
	s := newSearch(problemOf(t, newARD(3, true, false), x, y, nil, Options{}), unitsFor(y), Options{Optimizer: "lbfgs", Starts: 2})
	if err := s.coarse(t.Context()); err != nil || s.warm != nil {
		t.Errorf("two starts asked for began with fewer points: %v", err)
	}
}

// unitsFor are the units of y.
func unitsFor(y []float64) Units { u, _ := UnitsOf(y); return u }
