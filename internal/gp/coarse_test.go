package gp

import "testing"

// A cold fit of many points begins with few of them. It ends where one that gives five
// starts all points ends, and most of its evaluations are cheap.
func TestCoarseFit(t *testing.T) {
	x, y := sample(80, 160, 3)
	k := newARD(3, true, false)
	_, fast := mustFit(t, k, x, y, Options{})
	_, slow := mustFit(t, k, x, y, Options{Starts: 5})
	t.Logf("log posterior %.3f, %.3f from five starts", fast.LogPosterior, slow.LogPosterior)
	if fast.LogPosterior < slow.LogPosterior-0.1 {
		t.Errorf("log posterior %.3f, %.3f from five starts", fast.LogPosterior, slow.LogPosterior)
	}
	s := newSearch(problemOf(t, k, x, y, nil, Options{}), Options{Inference: "map", Optimizer: "lbfgs", Workers: 1})
	if err := s.coarse(t.Context()); err != nil || s.warm == nil {
		t.Fatalf("no warm start from fewer points: %v", err)
	}
	before := s.evals
	if _, err := s.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all := s.evals - before; all > 40 {
		t.Errorf("%d evaluations with all points", all)
	}
	// A number of starts asked for is spent on all points.
	s = newSearch(problemOf(t, k, x, y, nil, Options{}), Options{Optimizer: "lbfgs", Starts: 2})
	if err := s.coarse(t.Context()); err != nil || s.warm != nil {
		t.Errorf("two starts asked for began with fewer points: %v", err)
	}
}

// An optimum of few points where all of them have no stable kernel matrix gives way to the other starts.
func TestCoarseFitGivesWay(t *testing.T) {
	x, y := sample(80, 160, 3)
	for c := range 3 {
		for i := 120; i < 160; i++ { // pairs that are nearly the same
			x.Set(c, i, x.At(c, i-120)+1e-9, true)
		}
	}
	p := problemOf(t, newARD(3, true, false), x, y, nil, Options{})
	s := newSearch(p, Options{Inference: "map", Optimizer: "lbfgs", Workers: 1})
	s.warm, s.compared = p.initial(), true
	s.warm[p.noiseAt()] = 0 // and no noise: singular
	p.params[p.noiseAt()].Lo = 1e-300
	theta, err := s.run(t.Context())
	if err != nil || theta == nil || s.compared {
		t.Errorf("%v, %v", theta, err)
	}
}
