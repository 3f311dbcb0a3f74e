package acq

import (
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/points"
)

// hybrid scores candidates in two waves (the whole domain and the
// neighbourhoods of the incumbents; then those of the best found), refines the
// best of them a little, and goes on with ever fewer of the best.
func (s *search) hybrid() {
	rs := fork(s.o.Rand, 2)
	wave := s.firstWave(rs[0], rs[1])
	if wave == nil {
		return
	}
	pool := &pool{}
	s.scoreWave(pool, wave, "domain")
	if !s.stopped {
		s.scoreWave(pool, s.spray.around(pool.top(16), s.o.Candidates/4), "spray")
	}
	s.refine(pool)
}

// firstWave are distinct points of the domain and of the neighbourhood of the
// incumbents, or of the box and its centre; nil if there are none. It prepares
// everything that depends on sampled points.
func (s *search) firstWave(domain, spray *rand.Rand) *points.Set {
	sample := s.d.Sample(domain, max(64, s.o.Candidates/2))
	if sample.Len() == 0 {
		return nil
	}
	s.learn(sample)
	s.spray = &sprayer{d: s.d, shape: s.shape, donors: sample, box: s.o.Box, r: spray}
	wave := []*points.Set{sample}
	if b := s.o.Box; b != nil {
		wave = []*points.Set{s.fit(sample), s.fit(b.Center), s.spray.around(b.Center, s.o.Candidates/2)}
	}
	if in := s.o.Incumbents; in != nil {
		if in = s.fit(in); in.Len() > 0 {
			wave = append(wave, in, s.spray.around(in, s.o.Candidates/4))
		}
	}
	all := distinct(points.Concat(wave...))
	if all.Len() == 0 {
		return nil
	}
	return all
}

// learn derives what depends on sampled points.
func (s *search) learn(sample *points.Set) {
	all := sample
	if in := s.o.Incumbents; in != nil && in.Len() > 0 {
		all = points.Concat(sample, in)
	}
	s.shape = learn(s.d, all)
	s.best, s.tried = s.newArchives()
}

// fit are the points of q that are valid and in the box, repaired.
func (s *search) fit(q *points.Set) *points.Set {
	q = q.Clone()
	keep := make([]int, 0, q.Len())
	for i := range q.Len() {
		if s.d.Repair(q, i) && s.o.Box.contains(s.shape, q, i) {
			keep = append(keep, i)
		}
	}
	return q.Select(keep)
}

// A pool is scored candidates, best first.
type pool struct {
	points *points.Set
	score  []float64
}

// top are the best n points.
func (p *pool) top(n int) *points.Set { return p.points.Slice(0, min(n, p.points.Len())) }

// scoreWave scores new candidates and merges them into the pool.
func (s *search) scoreWave(p *pool, q *points.Set, source string) {
	q = distinct(q)
	score := s.scoreAll(q)
	for i, v := range score {
		s.record(s.best, s.tried, q, i, v, source)
	}
	q = q.Slice(0, len(score))
	if p.points != nil {
		q = points.Concat(p.points, q)
		score = append(p.score, score...)
	}
	order := make([]int, q.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return Descending(score[i], score[j]) })
	p.points = q.Select(order)
	p.score = make([]float64, len(order))
	for k, i := range order {
		p.score[k] = score[i]
	}
}

// starts picks at most n candidates to refine, best first: those not close to a
// better one, then the best of each activity pattern not yet there, then any.
func (s *search) starts(p *pool, n int) []int {
	var picked []int
	taken := make([]bool, p.points.Len())
	pick := func(limit int, suits func(apart int, gap float64, samePattern bool) bool) {
		for i := range p.points.Len() {
			if len(picked) >= limit {
				return
			}
			if taken[i] || math.IsNaN(p.score[i]) {
				continue
			}
			ok := true
			for _, j := range picked {
				apart, gap := s.shape.distance(p.points, i, p.points, j)
				if !suits(apart, gap, samePattern(p.points, i, j)) {
					ok = false
					break
				}
			}
			if ok {
				taken[i] = true
				picked = append(picked, i)
			}
		}
	}
	pick((3*n+3)/4, func(apart int, gap float64, _ bool) bool { return apart > 0 || gap > 0.3 })
	pick(n, func(_ int, _ float64, same bool) bool { return !same })
	pick(n, func(int, float64, bool) bool { return true })
	slices.Sort(picked)
	return picked
}

func samePattern(q *points.Set, i, j int) bool {
	for c := range q.Dim() {
		if q.Active(c, i) != q.Active(c, j) {
			return false
		}
	}
	return true
}

// refine climbs from the best candidates in rounds of successive halving, then
// from the best neighbours of the best point, until nothing gains.
func (s *search) refine(p *pool) {
	if s.stopped {
		return
	}
	starts := s.starts(p, s.o.Starts)
	climbs := make([]*climb, len(starts))
	rs := fork(s.o.Rand, len(starts))
	for k, i := range starts {
		climbs[k] = s.newClimb(p.points.Slice(i, i+1), p.score[i], "domain", rs[k])
	}
	climbs = s.halve(climbs)
	for range 4 {
		if s.stopped || len(climbs) == 0 {
			return
		}
		next := s.halve(s.restarts(climbs[0]))
		if len(next) == 0 || !better(next[0].score, climbs[0].score) {
			return
		}
		climbs = next
	}
}

// halve runs rounds on ever fewer climbs and returns the last, best first.
func (s *search) halve(climbs []*climb) []*climb {
	keep := [...]int{len(climbs), (len(climbs) + 2) / 3, 3, 3, 2, 2, 1, 1, 1, 1}
	iters := [...]int{5, 12, 30, 30, 30, 30, 30, 30, 30, 30}
	for round := range keep {
		climbs = s.thin(climbs, keep[round])
		var active []*climb
		for _, c := range climbs {
			if !c.done {
				active = append(active, c)
			}
		}
		if len(active) == 0 {
			break
		}
		done := s.each(len(active), func(w, t int) { s.round(w, active[t], iters[round]) })
		for _, c := range active[:done] {
			s.collect(c)
		}
		if s.stopped {
			break
		}
	}
	return s.thin(climbs, len(climbs))
}

// thin keeps at most n climbs, best first, one of those that have met.
func (s *search) thin(climbs []*climb, n int) []*climb {
	slices.SortStableFunc(climbs, func(a, b *climb) int { return Descending(a.score, b.score) })
	var out []*climb
	for _, c := range climbs {
		met := slices.ContainsFunc(out, func(o *climb) bool {
			apart, gap := s.shape.distance(c.point, 0, o.point, 0)
			return apart == 0 && gap < 0.01
		})
		if !met && len(out) < n {
			out = append(out, c)
		}
	}
	return out
}

// collect moves what a climb has seen to the search's archives.
func (s *search) collect(c *climb) {
	for _, e := range c.best.entries {
		s.best.add(e)
	}
	for _, e := range c.tried.entries {
		s.tried.add(e)
	}
	c.best.entries, c.tried.entries = nil, nil
}

// restarts are climbs from the best neighbours of c: a discrete move may pay
// only after the unit coordinates have followed it.
func (s *search) restarts(c *climb) []*climb {
	var q *points.Set
	var score []float64
	if s.each(1, func(w, _ int) { q, score = s.neighbors(w, c) }) == 0 {
		return nil
	}
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return Descending(score[i], score[j]) })
	order = order[:min(len(order), 6)]
	rs := fork(c.r, len(order))
	out := make([]*climb, len(order))
	for k, i := range order {
		out[k] = s.newClimb(q.Slice(i, i+1), score[i], "discrete", rs[k])
	}
	return out
}
