package acq

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// The search is successive halving (Jamieson & Talwalkar 2016, arXiv:1502.07943) of climbs from many candidates: cheap
// bounds of scores rank them, a few steps rank the best of those, and few climb to the end by quasi-Newton steps
// (Nocedal & Wright 2006, doi:10.1007/978-0-387-40065-5). Choices and integers change by single moves.

// hybrid ranks candidates in two waves (the whole domain and the neighbourhoods of the incumbents; then those of the
// best found), refines the best of them a little, and goes on with ever fewer of the best.
func (s *search) hybrid() {
	rs := fork(s.o.Rand, 2)
	wave := s.firstWave(rs[0], rs[1], s.o.nearby())
	if wave == nil {
		return
	}
	candidates := &lazyRanking{s: s, worker: all}
	candidates.add(wave, "domain")
	if !s.stopped {
		if near := candidates.top(16); !s.stopped {
			candidates.add(distinct(s.spray.around(candidates.points.Select(near), s.o.nearby())), "spray")
		}
	}
	s.collectBest(candidates, s.best)
	s.refine(candidates)
}

// firstWave are distinct points of the domain and near ones in the neighbourhood of the incumbents; nil if there are
// none. It prepares everything that depends on sampled points.
func (s *search) firstWave(domain, spray *rand.Rand, near int) *points.Set {
	sample := s.d.Sample(domain, max(64, s.o.Candidates-2*s.o.nearby()))
	if sample.Len() == 0 {
		return nil
	}
	s.learn(sample)
	s.spray = &sprayer{d: s.d, layout: s.layout, donors: sample, r: spray}
	wave := []*points.Set{sample}
	if in := s.o.Incumbents; in != nil {
		if in = s.fit(in); in.Len() > 0 {
			wave = append(wave, in, s.spray.around(in, near))
		}
	}
	all := distinct(points.Concat(wave...))
	if all.Len() == 0 {
		return nil
	}
	return all
}

// learn derives the values that depend on sampled points.
func (s *search) learn(sample *points.Set) {
	all := sample
	if in := s.o.Incumbents; in != nil && in.Len() > 0 {
		all = points.Concat(sample, in)
	}
	s.layout = learn(s.d, all)
	s.best = s.newArchive()
}

// fit are the points of q that are valid, repaired.
func (s *search) fit(q *points.Set) *points.Set {
	q = q.Clone()
	return q.Select(lists.Where(q.Len(), func(i int) bool { return s.d.Repair(q, i) }))
}

// starts picks at most n candidates to refine, best first: those not close to a
// better one, then the best of each activity pattern not yet there, then any.
func (s *search) starts(p *lazyRanking, n int) []int {
	var picked []int
	open := p.all()
	pick := func(limit int, suits func(i, j int) bool) {
		ok := slices.Clone(open)
		leave := func(j int) {
			for i := range ok {
				ok[i] = ok[i] && i != j && suits(i, j)
			}
		}
		for _, j := range picked {
			leave(j)
		}
		for len(picked) < limit {
			i := p.best(ok, anyScore)
			if i < 0 || math.IsNaN(p.key[i]) {
				return
			}
			picked = append(picked, i)
			open[i] = false
			leave(i)
		}
	}
	pick((3*n+3)/4, func(i, j int) bool {
		return !s.layout.within(0.3, p.points, i, p.points, j)
	})
	pick(n, func(i, j int) bool { return !samePattern(p.points, i, j) })
	pick(n, func(int, int) bool { return true })
	slices.SortFunc(picked, func(i, j int) int { return cmp.Or(Descending(p.key[i], p.key[j]), i-j) })
	return picked
}

func samePattern(q *points.Set, i, j int) bool {
	return !lists.Any(q.Dim(), func(c int) bool { return q.Active(c, i) != q.Active(c, j) })
}

// refine climbs from the best candidates in rounds of successive halving, then
// from the best neighbours of the best point, until that leads nowhere better.
func (s *search) refine(p *lazyRanking) {
	if s.stopped {
		return
	}
	starts := s.starts(p, s.o.Starts)
	climbs := s.halve(s.climbs(p, starts, s.o.Rand))
	for range 4 {
		if s.stopped || len(climbs) == 0 {
			return
		}
		next := s.halve(s.restarts(climbs[0]))
		if len(next) == 0 || !better(next[0].score, climbs[0].score) || s.converge(next[0], climbs[0]) {
			return
		}
		climbs = next
	}
}

// firstSteps is the number of quasi-Newton steps of the first round, which only separates good starts from bad ones.
const firstSteps = 4

// giveUpGap is the distance below the best score at which a climb is given up, in
// natural logarithms or in standardised units.
const giveUpGap = 10

// halve runs rounds on ever fewer climbs and returns the last, best first.
func (s *search) halve(climbs []*climb) []*climb {
	keep := [...]int{len(climbs), (len(climbs) + 3) / 4, 4, 3, 2, 2, 1, 1, 1, 1}
	iters := [...]int{firstSteps, 10, 30, 30, 30, 30, 30, 30, 30, 30}
	for round := range keep {
		climbs = s.thin(climbs, keep[round])
		active := lists.Only(climbs, func(c *climb) bool { return !c.done })
		if len(active) == 0 {
			break
		}
		done := s.lockstep(active, iters[round])
		for _, c := range active[:done] {
			s.collect(c)
		}
		if s.stopped {
			break
		}
	}
	return s.thin(climbs, len(climbs))
}

// thin keeps at most n climbs, best first: one of several that have met, and none that is far behind.
func (s *search) thin(climbs []*climb, n int) []*climb {
	slices.SortStableFunc(climbs, func(a, b *climb) int { return Descending(a.score, b.score) })
	var out []*climb
	for _, c := range climbs {
		if len(out) == n || len(out) > 0 && c.score < out[0].score-giveUpGap {
			break
		}
		if !slices.ContainsFunc(out, func(o *climb) bool { return s.converge(c, o) }) {
			out = append(out, c)
		}
	}
	return out
}

// converge reports whether two climbs are on the way to the same optimum.
func (s *search) converge(a, b *climb) bool {
	return s.layout.within(0.05, a.point, 0, b.point, 0)
}

// collect moves the points of a climb to the search's archive.
func (s *search) collect(c *climb) {
	for _, e := range c.best.entries {
		s.best.add(e)
	}
	c.best.entries = nil
}

// restarts are climbs from the best neighbours of c: a discrete move may pay
// only after the unit coordinates have followed it.
func (s *search) restarts(c *climb) []*climb {
	var p *lazyRanking
	var near []int
	if s.each(1, func(w, _ int) { p = s.neighbors(w, c); near = p.top(3) }) == 0 {
		return nil
	}
	return s.climbs(p, near, c.r)
}

// climbs are those from some of the candidates.
func (s *search) climbs(p *lazyRanking, from []int, r *rand.Rand) []*climb {
	rs := fork(r, len(from))
	return lists.Make(len(from), func(k int) *climb {
		i := from[k]
		return s.newClimb(p.points.Slice(i, i+1), p.key[i], rs[k])
	})
}
