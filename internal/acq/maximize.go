package acq

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// Options of Maximize. The zero value works but for Rand.
type Options struct {
	// Rand drives the search; the same state gives the same result.
	Rand *rand.Rand
	// Incumbents are the points to search around, best first; nil for none.
	Incumbents *points.Set
	// Candidates is the number of points ranked before refinement: one seventh around the incumbents, as many around the
	// best found, the rest from the whole domain. 0 means 700.
	Candidates int
	// Starts is the number of candidates refined; 0 means 28. On late-stage
	// surrogates more starts find more than more candidates at the same cost.
	Starts int
	// Optimizer is hybrid (default: candidates, then hill climbing and
	// quasi-Newton steps in turn) or de (differential evolution).
	Optimizer string
	// DEEvaluations is the number of points de scores; 0 means 10,000.
	DEEvaluations int
	// Avoid marks points that should not be suggested (tried or pending); they are returned only when
	// nothing else exists. It must be safe for concurrent use. Nil avoids nothing.
	Avoid func(q *points.Set, i int) bool
	// Keep is the largest number of candidates to return; 0 means 1.
	Keep int
	// Workers is the number of goroutines; 0 means 1. It changes no result.
	Workers int
	// Cut stops the search after as many steps (see Stats.Steps), which
	// replays a search that its context had stopped; 0 for no limit.
	Cut int
}

// A Candidate is a point of the domain, rounded to emitted values.
type Candidate struct {
	Point  *points.Set // one point
	Score  float64
	Tried  bool   // Avoid wants it avoided, and nothing else was found
	Source string // domain, spray, discrete, smooth, or de: the move that found it
}

// Stats describe a search.
type Stats struct {
	Scored    int // points scored, or bounded as far as they matter
	Gradients int // scores with gradient, one point each
	// Steps were done: replay with Options.Cut. The context is looked at
	// between steps only, so the result is a function of their number.
	Steps   int
	Stopped bool // by the context or Cut, before the search was done
}

// Maximize returns the best points of d that it finds, best first: at least one, unless d.Sample returns nothing valid,
// and at most Options.Keep, distinct and repaired. A context that ends early stops the search, not before the first
// step; that is no error. The error is that of no valid point.
func Maximize(ctx context.Context, a Acquisition, d Domain, o Options) ([]Candidate, Stats, error) {
	o = o.withDefaults()
	s := newSearch(ctx, a, d, o)
	if o.Optimizer == "de" {
		s.evolve()
	} else {
		s.hybrid()
	}
	found := s.results()
	if len(found) == 0 {
		return nil, s.stats(), errors.New("the search found no point that satisfies the constraints")
	}
	return found, s.stats(), nil
}

func (o Options) withDefaults() Options {
	if o.Rand == nil {
		panic("acq: Options.Rand is nil")
	}
	o.Candidates, o.Starts = cmp.Or(o.Candidates, 700), cmp.Or(o.Starts, 28)
	o.DEEvaluations, o.Keep, o.Workers = cmp.Or(o.DEEvaluations, 10000), cmp.Or(o.Keep, 1), cmp.Or(o.Workers, 1)
	return o
}

// nearby is the number of candidates around the incumbents, or the best found.
func (o Options) nearby() int { return o.Candidates / 7 }

// results are the points to return, best first.
func (s *search) results() []Candidate {
	out := lists.Only(s.best.entries, func(e Candidate) bool { return e.Tried != s.best.fresh() })
	return out[:min(len(out), s.o.Keep)]
}

// Descending orders scores from the largest; NaN is the smallest.
func Descending(a, b float64) int {
	switch {
	case better(a, b):
		return -1
	case better(b, a):
		return 1
	}
	return 0
}

// better reports whether score a beats score b; NaN loses to everything.
func better(a, b float64) bool { return a > b || b != b && a == a }
