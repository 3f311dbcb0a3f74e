package suggest

import (
	"math/rand/v2"
	"slices"

	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A subdomain is the points of a domain for which holds is true.
type subdomain struct {
	*space.Domain
	holds func(q *points.Set, i int) bool
}

// branch is the subdomain of one activity pattern.
func branch(d *space.Domain, s *space.Space, active []bool) subdomain {
	key, coords, hidden := s.BranchKey(space.Configuration{Active: active}), s.Coordinates(), false
	for i := range active {
		hidden = hidden || s.Conditional(i) && s.Param(i).Kind == space.Constant // which points do not show
	}
	return subdomain{d.Branch(active), func(q *points.Set, i int) bool {
		for co, p := range coords {
			if q.Active(co, i) != active[p] {
				return false
			}
		}
		return !hidden || s.BranchKey(s.Decode(q, i)) == key
	}}
}

func (p subdomain) keep(q *points.Set, n int) *points.Set {
	var in []int
	for i := range q.Len() {
		if len(in) < n && p.holds(q, i) {
			in = append(in, i)
		}
	}
	return q.Select(in)
}

// Sample draws from the domain until n points are in the subdomain, or 61·n points were drawn.
func (p subdomain) Sample(r *rand.Rand, n int) *points.Set {
	out := p.keep(p.Domain.Sample(r, n), n)
	for range 30 {
		if out.Len() == n {
			break
		}
		out = points.Concat(out, p.keep(p.Domain.Sample(r, 2*n), n-out.Len()))
	}
	return out
}

// Neighbors are those of the domain that stay in the subdomain.
func (p subdomain) Neighbors(r *rand.Rand, q *points.Set, i int) *points.Set {
	near := p.Domain.Neighbors(r, q, i)
	return p.keep(near, near.Len())
}

// Repair refuses points outside the subdomain.
func (p subdomain) Repair(q *points.Set, i int) bool { return p.Domain.Repair(q, i) && p.holds(q, i) }

// A number is at a bound within so much of its range; a corner has as many numbers at bounds.
const (
	atBound    = 0.01
	cornerFrom = 5
)

// offCorners holds for points that have a number inside its range, or fewer than cornerFrom active numbers. A plane
// fitted to few data leads into corners, where it extrapolates in all numbers at once (bench/notes/families.md).
func offCorners(sp *space.Space) func(q *points.Set, i int) bool {
	return func(q *points.Set, i int) bool {
		at := 0
		for co, p := range sp.Coordinates() {
			if q.Active(co, i) && sp.Param(p).IsNumber() && sp.Param(p).Levels() != 2 {
				if x := q.At(co, i); x > atBound && x < 1-atBound {
					return true
				}
				at++
			}
		}
		return at < cornerFrom
	}
}

// regionOf is the part of a domain that a plan looks at: a branch, or the configurations with one of some values.
func regionOf(d *space.Domain, sp *space.Space, r *study.Region) subdomain {
	if r.Branch != nil {
		all := sp.Branches()
		named := func(active []bool) bool { return slices.Equal(activeNames(sp, active), *r.Branch) }
		if k := slices.IndexFunc(all, named); k >= 0 {
			return branch(d, sp, all[k])
		}
	}
	wanted := map[int][]bool{} // by coordinate and level
	for co, i := range sp.Coordinates() {
		for _, rv := range r.Values {
			if p := sp.Param(i); p.Name == rv.Name {
				wanted[co] = make([]bool, p.Levels())
				for k, text := range p.Values {
					wanted[co][k] = slices.Contains(rv.Values, text)
				}
			}
		}
	}
	return subdomain{d, func(q *points.Set, i int) bool {
		for co, levels := range wanted {
			if q.Active(co, i) && levels[int(q.At(co, i))] {
				return true
			}
		}
		return false
	}}
}
