package acq

import (
	"context"
	"math"

	"bohier/internal/points"
)

// MaximizePlain is the recipe that Maximize is measured against: 1000 candidates, half from the whole domain, a quarter
// around the incumbents and a quarter around the best found, every one of them scored in full, and the best 40 refined
// one by one, each until it gains nothing more, with a gradient at every point on trial.
func MaximizePlain(ctx context.Context, a Acquisition, d Domain, o Options) ([]Candidate, Stats) {
	o = o.withDefaults()
	o.Workers = 1
	s := newSearch(ctx, eager(Unbounded(a)), d, o)
	rs := fork(o.Rand, 2)
	sample, in := d.Sample(rs[0], 500), s.o.Incumbents
	s.learn(sample)
	spray := &sprayer{d: d, layout: s.layout, donors: sample, r: rs[1]}
	candidates := &lazyRanking{s: s, worker: all}
	candidates.add(distinct(points.Concat(sample, in, spray.around(in, 250))), "domain")
	candidates.add(distinct(spray.around(candidates.points.Select(candidates.top(16)), 250)), "spray")
	s.collectBest(candidates, s.best)
	starts := s.starts(candidates, 40)
	gen := fork(o.Rand, len(starts))
	for k, i := range starts {
		c := s.newClimb(candidates.points.Slice(i, i+1), candidates.key[i], gen[k])
		for round := 0; round < 10 && !c.done; round++ {
			s.lockstep([]*climb{c}, 30)
		}
		s.collect(c)
	}
	return s.results(), s.stats()
}

// eager is an acquisition whose gradients are worked out with its scores.
func eager(a Acquisition) Acquisition { return func() Scorer { return eagerScorer{a()} } }

type eagerScorer struct{ Scorer }

func (e eagerScorer) Score(dst []float64, q *points.Set) func(dx [][]float64) {
	all := matrix(q.Len(), q.Dim())
	e.Scorer.Score(dst, q)(all)
	return func(dx [][]float64) {
		for i, d := range dx {
			copy(d, all[i])
		}
	}
}

// Unbounded is an acquisition without bounds, so that every candidate has to be scored.
func Unbounded(a Acquisition) Acquisition { return func() Scorer { return unboundedScorer{a()} } }

type unboundedScorer struct{ Scorer }

func (u unboundedScorer) Open(bound []float64, q *points.Set) func([]float64, []int, float64) {
	tighten := u.Scorer.Open(bound, q)
	none := func(bound []float64) {
		for i := range bound {
			bound[i] = math.Inf(1)
		}
	}
	none(bound)
	return func(bound []float64, at []int, share float64) {
		if share < 1 {
			none(bound)
			return
		}
		tighten(bound, at, share)
	}
}

// Climb runs rounds of one climb from a point until it gains nothing, and calls before ahead of each.
func Climb(a Acquisition, d Domain, o Options, from *points.Set, rounds int, before func(round int)) (*points.Set,
	float64) {
	o = o.withDefaults()
	s := newSearch(context.Background(), a, d, o)
	s.learn(d.Sample(o.Rand, 50))
	c := s.newClimb(from, Scores(s.scorer(0), from)[0], o.Rand)
	for round := 0; round < rounds && !c.done; round++ {
		before(round)
		s.lockstep([]*climb{c}, 30)
	}
	return c.point, c.score
}

// Halve runs the rounds of a search on the climb from a point alone.
func Halve(a Acquisition, d Domain, o Options, from *points.Set) (*points.Set, float64) {
	o = o.withDefaults()
	s := newSearch(context.Background(), a, d, o)
	s.learn(d.Sample(o.Rand, 50))
	c := s.halve([]*climb{s.newClimb(from, Scores(s.scorer(0), from)[0], o.Rand)})[0]
	return c.point, c.score
}

// Members averages members, whose terms have the same surrogates.
func Members(members ...Member) Acquisition {
	joints := make([]Joint, len(members))
	for k, m := range members {
		var heads sumOfHeads
		for _, t := range m {
			heads = append(heads, t.Head)
		}
		joints[k] = Joint{heads[0].Log, heads.score, heads.bound}
	}
	var surrogates []func() Surrogate
	for _, t := range members[0] {
		surrogates = append(surrogates, t.Surrogate)
	}
	return Ensemble(joints, surrogates...)
}

// A Term is one factor of a member: a head on the predictions of a surrogate.
type Term struct {
	Head      Head
	Surrogate func() Surrogate
}

// A Member is the terms of a belief, whose scores add up.
type Member []Term

// sumOfHeads is the sum of a score for each quantity: a product where those are logarithms.
type sumOfHeads []Head

func (s sumOfHeads) score(mean, variance, dmean, dvar []float64) float64 {
	sum := 0.0
	for j, h := range s {
		v, dm, dv := h.Score(mean[j], variance[j])
		sum += v
		if dmean != nil {
			dmean[j], dvar[j] = dm, dv
		}
	}
	return sum
}

func (s sumOfHeads) bound(mean, variance []float64) float64 {
	sum := 0.0
	for j, h := range s {
		sum += h.Bound(mean[j], variance[j])
	}
	return sum
}
