package csp

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// guards sort the clauses that mention a variable by the places of another variable without
// which they hold: of very many forbidden combinations few remain at the places of the others.
type guards struct {
	by   []guarded
	rest []int // clauses without a guard
}

// guarded are the clauses that can only fail at some places of v, in the order of these.
type guarded struct {
	v  int
	at []failing
}

type failing struct {
	place  int64
	clause int
}

// mostGuarded is the largest number of places at which a guard fails.
const mostGuarded = 16

// guard finds a guard for every variable of every clause: of its alternatives on other variables, the
// one that fails at the fewest places.
func (p *Problem) guard() {
	p.guards = make([]guards, len(p.Vars))
	index := map[[2]int]int{} // variable, guard → place in by
	first, second := make([]*Member, len(p.Clauses)), make([]*Member, len(p.Clauses))
	for k, f := range p.Clauses {
		first[k], second[k] = p.rarest(f)
	}
	for v, clauses := range p.uses {
		for _, k := range clauses {
			g := first[k]
			if g != nil && g.Var == v {
				g = second[k]
			}
			if g == nil {
				p.guards[v].rest = append(p.guards[v].rest, k)
				continue
			}
			key := [2]int{v, g.Var}
			n, ok := index[key]
			if !ok {
				n = len(p.guards[v].by)
				index[key] = n
				p.guards[v].by = append(p.guards[v].by, guarded{v: g.Var})
			}
			x := &p.guards[v].by[n]
			for place := p.Vars[g.Var].Lo; place <= p.Vars[g.Var].Hi; place++ {
				if !has(g.Places, place-p.Vars[g.Var].Lo) {
					x.at = append(x.at, failing{place, k})
				}
			}
		}
		for n := range p.guards[v].by {
			slices.SortStableFunc(p.guards[v].by[n].at, func(a, b failing) int { return cmp.Compare(a.place, b.place) })
		}
	}
}

// rarest are the alternatives of a disjunction that fail at the fewest places, on two variables.
func (p *Problem) rarest(f Formula) (first, second *Member) {
	list, _ := f.(Any)
	least, next := mostGuarded+1, mostGuarded+1
	for _, y := range list {
		x, ok := y.(*Member)
		if !ok {
			continue
		}
		n := int(p.Vars[x.Var].Hi - p.Vars[x.Var].Lo + 1)
		for _, word := range x.Places {
			n -= bits.OnesCount64(word)
		}
		switch {
		case n < least && first != nil && first.Var == x.Var:
			first, least = x, n
		case n < least:
			first, least, second, next = x, n, first, least
		case n < next && x.Var != first.Var:
			second, next = x, n
		}
	}
	return first, second
}

// suspects are the clauses that mention v and may fail where the other variables are.
func (p *Problem) suspects(v int, at []int64) iter.Seq[int] {
	return func(yield func(int) bool) {
		g := &p.guards[v]
		for _, k := range g.rest {
			if !yield(k) {
				return
			}
		}
		for n := range g.by {
			x := g.by[n].at
			place := at[g.by[n].v]
			i, _ := slices.BinarySearchFunc(x, place, func(f failing, place int64) int { return cmp.Compare(f.place, place) })
			for ; i < len(x) && x[i].place == place; i++ {
				if !yield(x[i].clause) {
					return
				}
			}
		}
	}
}

// allows reports whether the clauses that mention v hold.
func (p *Problem) allows(v int, at []int64) bool {
	for k := range p.suspects(v, at) {
		if !p.holds(p.Clauses[k], at) {
			return false
		}
	}
	return true
}

// within removes from places of v, as bits counted from its Lo, the places that clauses rule
// out where the other variables are. It returns the clauses that it did not settle.
func (p *Problem) within(v int, at []int64, places []uint64) (more []int) {
clauses:
	for k := range p.suspects(v, at) {
		list, ok := p.Clauses[k].(Any)
		var own *Member
		for _, y := range list {
			x, member := y.(*Member)
			switch {
			case !member || own != nil && x.Var == v:
				ok = false
			case x.Var == v:
				own = x
			case p.holds(x, at):
				continue clauses
			}
		}
		if !ok || own == nil {
			more = append(more, k)
			continue
		}
		for i := range places {
			places[i] &= own.Places[i]
		}
	}
	return more
}
