package csp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"bohier/internal/lists"
)

// nearby is how many places on either side of the nearest are tried for a number with too many to try all.
const nearby = 12

// Near is a solution near a target: choices keep their target where they can, numbers move little. Only the part of
// target[v] inside the domain counts; weight[v] is the length of one place. At most nodes places are tried, fewer with
// very many constraints. Where nothing is found, none reports that there is no solution. The state is unchanged.
func (s *State) Near(target, weight []float64, r *rand.Rand, nodes int) (at []int64, none bool) {
	if s.dead {
		return nil, true
	}
	t := &seeker{State: s, r: r, nodes: nodes, weight: weight, target: slices.Clone(target)}
	mark := len(s.trail)
	found := t.seek(0)
	if found {
		at = s.places()
	}
	s.back(mark)
	return at, !found && !t.cut
}

// A seeker is one search.
type seeker struct {
	*State
	r              *rand.Rand
	nodes          int
	cut            bool // not everything was tried
	target, weight []float64
}

// The stages of a search: choices, then numbers with few places, then the others. Before
// each of the last two the target moves to the relaxation.
const (
	choices = iota
	listed
	long
	done
)

func (t *seeker) stage(v int) int {
	switch {
	case !t.p.Vars[v].Number:
		return choices
	case t.p.Vars[v].Hi-t.p.Vars[v].Lo < mostListed:
		return listed
	}
	return long
}

// seek gives every variable a place. The target was moved for the numbers of stage at.
func (t *seeker) seek(at int) bool {
	v, stage := t.next()
	if stage == done {
		if t.p.Holds(t.places()) {
			return true
		}
		// propagation may have left something out
		t.cut = t.cut || slices.ContainsFunc(t.p.Vars, func(v Var) bool { return v.Hi-v.Lo >= mostListed })
		return false
	}
	if stage > at {
		before := slices.Clone(t.target)
		defer copy(t.target, before)
		if !t.spend(len(t.p.Clauses)/clausesANode) || !t.relax() {
			return false
		}
	}
	found := false
	t.candidates(v, stage, func(place int64) bool {
		if !t.spend(1) {
			return false
		}
		mark, asked := len(t.trail), t.asked
		narrowed := t.bound(v, place, place) && t.propagate()
		if t.spend((t.asked-asked)/clausesANode) && narrowed && t.seek(stage) {
			found = true
			return false
		}
		t.back(mark)
		return t.nodes >= 0
	})
	return found
}

// spend takes so many nodes from those left; false: there are not enough.
func (t *seeker) spend(nodes int) bool {
	t.nodes -= nodes
	t.cut = t.cut || t.nodes < 0
	return t.nodes >= 0
}

// places are the smallest ones left.
func (s *State) places() []int64 {
	return lists.Of(s.dom, func(d domain) int64 { return d.lo })
}

// next is the open variable of the earliest stage with the smallest domain; of equals any.
func (t *seeker) next() (v, stage int) {
	v, stage, ties := -1, done, 0
	for w := range t.dom {
		if t.dom[w].n <= 1 {
			continue
		}
		switch at := t.stage(w); {
		case at < stage || at == stage && t.dom[w].n < t.dom[v].n:
			v, stage, ties = w, at, 1
		case at == stage && t.dom[w].n == t.dom[v].n:
			if ties++; t.r.IntN(ties) == 0 {
				v = w
			}
		}
	}
	return v, stage
}

// nearest is the place between the ends of the domain of v that is nearest to the target.
func (t *seeker) nearest(v int) int64 {
	d := &t.dom[v]
	return min(max(int64(math.Round(min(max(t.target[v], float64(d.lo)), float64(d.hi)))), d.lo), d.hi)
}

// candidates calls try with places of v, the best first, until it returns false.
func (t *seeker) candidates(v, stage int, try func(place int64) bool) {
	d := t.dom[v]
	first := t.nearest(v)
	if stage == choices {
		if t.contains(v, first) && !try(first) {
			return
		}
		rest := slices.DeleteFunc(slices.Collect(t.each(v)), func(place int64) bool { return place == first })
		t.r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		for _, place := range rest {
			if !try(place) {
				return
			}
		}
		return
	}
	step, most := int64(1), d.hi-d.lo
	if stage == long {
		first, step = t.residue(v, first)
		if most > nearby*step {
			t.cut = true
			most = nearby * step
		}
	}
	side := int64(1)
	if t.target[v] < float64(first) {
		side = -1
	}
	for off := int64(0); off <= most; off += step {
		for _, place := range slices.Compact([]int64{first + side*off, first - side*off}) {
			if t.contains(v, place) && !try(place) {
				return
			}
		}
	}
}

// residue is the place nearest to first, and the distance to the next ones, at which the equalities of v can still have
// whole numbers: the greatest common divisor of the other open coefficients divides the rest after v.
func (t *seeker) residue(v int, first int64) (nearest, step int64) {
	nearest, step = first, 1
	for _, k := range t.p.uses[v] {
		x, ok := t.p.Clauses[k].(*Linear)
		if !ok || x.Op != Eq {
			continue
		}
		rest, g, own := t.rest(x, v)
		if g <= 1 || own == 0 {
			continue
		}
		d := gcd(own, g)
		if rest%d != 0 || g/d <= step {
			continue
		}
		step = g / d
		modulus := big.NewInt(step)
		place := new(big.Int).ModInverse(big.NewInt(own/d), modulus)
		place.Mul(place, big.NewInt(rest/d)).Mod(place, modulus)
		nearest = first + (place.Int64()-first)%step
		if nearest-first > step/2 {
			nearest -= step
		} else if first-nearest > step/2 {
			nearest += step
		}
	}
	return nearest, step
}
