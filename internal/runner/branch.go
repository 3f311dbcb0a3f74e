package runner

import (
	"math"
	"math/rand/v2"

	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// branch is the part of a domain with one activity pattern.
type branch struct {
	*space.Domain
	s   *space.Space
	key string
}

// holds tells whether point i of q is in the branch.
func (b branch) holds(q *points.Set, i int) bool { return b.s.BranchKey(b.s.Decode(q, i)) == b.key }

func (b branch) keep(q *points.Set, n int) *points.Set {
	var in []int
	for i := range q.Len() {
		if len(in) < n && b.holds(q, i) {
			in = append(in, i)
		}
	}
	return q.Select(in)
}

// Sample draws from the domain until n points are in the branch, for a bounded
// time.
func (b branch) Sample(r *rand.Rand, n int) *points.Set {
	out := b.keep(b.Domain.Sample(r, n), n)
	for range 30 {
		if out.Len() == n {
			break
		}
		out = points.Concat(out, b.keep(b.Domain.Sample(r, 2*n), n-out.Len()))
	}
	return out
}

// Neighbors are those of the domain that stay in the branch.
func (b branch) Neighbors(r *rand.Rand, q *points.Set, i int) *points.Set {
	near := b.Domain.Neighbors(r, q, i)
	return b.keep(near, near.Len())
}

// Repair refuses what leaves the branch.
func (b branch) Repair(q *points.Set, i int) bool { return b.Domain.Repair(q, i) && b.holds(q, i) }

// distance is that of a Neighbour.
func distance(s *space.Space, a, b space.Configuration) float64 {
	x := s.EncodeAll([]space.Configuration{a, b})
	sum := 0.0
	for c, p := range s.Coordinates() {
		at, to := x.Active(c, 0), x.Active(c, 1)
		if at != to {
			sum++
		}
		if !at || !to {
			continue
		}
		u, v := x.At(c, 0), x.At(c, 1)
		switch place := s.LevelPositions(p); {
		case place != nil:
			u, v = place[int(u)], place[int(v)]
		case s.Param(p).Levels() > 0 && u != v:
			u, v = 0, 1
		}
		sum += (u - v) * (u - v)
	}
	return math.Sqrt(sum)
}

// nearest is the trial nearest to conf among those tried, refused or pending,
// but for the one with that number; nil: there is none.
func nearest(s *space.Space, trials []study.Trial, number int, conf space.Configuration) *Neighbour {
	var best *Neighbour
	for k := range trials {
		t := &trials[k]
		tried := t.State == study.Complete || t.State == study.Failed || t.State == study.Pending
		if !tried || t.Outside || t.Number == number {
			continue
		}
		if d := distance(s, t.Config, conf); best == nil || d < best.Distance {
			best = &Neighbour{*t, d}
		}
	}
	return best
}
