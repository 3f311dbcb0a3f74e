package gp

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"bohier/internal/lists"
)

// direct maximises the log posterior by dividing rectangles (Jones, Perttunen &
// Stuckman 1993, doi:10.1007/BF00941892) over the box of the optimised coordinates, categorical ones by
// coordinate ascent. It is the likelihood optimiser of Zaefferer & Horn (2018).
func (s *search) direct(ctx context.Context) ([]float64, error) {
	p := s.p
	budget := s.o.Evaluations
	if budget <= 0 {
		budget = 1000
	}
	st, e := s.newStart(p.initial(), 0), s.evaluator(0)
	place := func(c []float64) []float64 {
		return st.at(lists.Make(len(c), func(j int) float64 { return st.lo[j] + c[j]*(st.hi[j]-st.lo[j]) }))
	}
	best := dividingRectangles(func() bool { return ctx.Err() == nil && s.more() }, len(p.free), budget,
		func(c []float64) float64 {
			if !e.evaluate(place(c)) {
				return math.Inf(1)
			}
			return -e.posterior
		})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.count()
	if math.IsInf(best.f, 1) {
		return nil, nil
	}
	theta := slices.Clone(place(best.center))
	if len(p.choices) == 0 {
		return theta, nil
	}
	return s.ascend(ctx, theta, -best.f, 1e-4, 50)
}

// A rectangle is a cell of the unit cube; side j has length 3^−level[j].
type rectangle struct {
	center []float64
	level  []int
	f      float64
}

// size is the half diagonal, the measure of Jones et al.
func (r *rectangle) size() float64 {
	s := 0.0
	for _, l := range r.level {
		s += math.Pow(9, -float64(l))
	}
	return math.Sqrt(s) / 2
}

// dividingRectangles minimises f over the unit cube of d dimensions with about
// the given number of evaluations, or until more says no, and returns the best cell.
func dividingRectangles(more func() bool, d, budget int, f func([]float64) float64) *rectangle {
	root := &rectangle{center: make([]float64, d), level: make([]int, d)}
	for j := range root.center {
		root.center[j] = 0.5
	}
	root.f = f(root.center)
	cells, evals, best := []*rectangle{root}, 1, root
	for d > 0 && evals < budget && more() {
		for _, c := range promising(cells, best.f) {
			if evals >= budget {
				break
			}
			children := c.divide(f)
			evals += len(children)
			for _, n := range children {
				if n.f < best.f {
					best = n
				}
			}
			cells = append(cells, children...)
		}
	}
	return best
}

// promising returns the cells that may hold the minimum for some Lipschitz
// constant: the best of each size on the lower right convex hull.
func promising(cells []*rectangle, fbest float64) []*rectangle {
	bySize := map[float64]*rectangle{}
	for _, c := range cells {
		// Sizes are equal up to rounding of sums of the same powers.
		size := math.Float64frombits(math.Float64bits(c.size()) &^ 0xffff)
		if b, ok := bySize[size]; !ok || c.f < b.f {
			bySize[size] = c
		}
	}
	var hull []float64
	for _, s := range slices.Sorted(maps.Keys(bySize)) {
		for len(hull) > 0 && bySize[hull[len(hull)-1]].f >= bySize[s].f {
			hull = hull[:len(hull)-1]
		}
		for len(hull) > 1 {
			a, b := hull[len(hull)-2], hull[len(hull)-1]
			if (bySize[b].f-bySize[a].f)*(s-a) < (bySize[s].f-bySize[a].f)*(b-a) {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, s)
	}
	const epsilon = 1e-4
	var out []*rectangle
	for k, s := range hull {
		c := bySize[s]
		if k+1 < len(hull) {
			slope := (bySize[hull[k+1]].f - c.f) / (hull[k+1] - s)
			if c.f-slope*s > fbest-epsilon*math.Abs(fbest) {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// divide trisects the cell along all its longest sides, the best direction
// first so that it keeps the largest cells, and returns the new cells.
func (c *rectangle) divide(f func([]float64) float64) []*rectangle {
	longest := slices.Min(c.level)
	type pair struct {
		side   int
		lo, hi *rectangle
	}
	var pairs []pair
	step := math.Pow(3, -float64(longest+1))
	for j, l := range c.level {
		if l != longest {
			continue
		}
		at := func(delta float64) *rectangle {
			r := &rectangle{center: slices.Clone(c.center)}
			r.center[j] += delta
			r.f = f(r.center)
			return r
		}
		pairs = append(pairs, pair{j, at(-step), at(step)})
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(min(a.lo.f, a.hi.f), min(b.lo.f, b.hi.f)) })
	var out []*rectangle
	for _, p := range pairs {
		c.level[p.side]++
		p.lo.level, p.hi.level = slices.Clone(c.level), slices.Clone(c.level)
		out = append(out, p.lo, p.hi)
	}
	return out
}
