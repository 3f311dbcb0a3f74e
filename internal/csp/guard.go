package csp

import (
	"iter"
	"slices"
)

// guards sort the clauses that mention a variable by the places of another variable without
// which they hold: of very many forbidden combinations few remain at the places of the others.
type guards struct {
	by   []guarded
	rest []int // clauses without a guard

	// A change of the variable can make these clauses narrow others: always, or once no place is left
	// but ones at which its alternative fails.
	always []int
	when   failing
}

// guarded are the clauses that can only fail at some places of v. Clauses
// on the two variables alone are one set: the places that a place of v leaves to the other one.
type guarded struct {
	v      int
	at     failing
	leaves []uint64 // place of v − its Lo → places, as bits counted from their Lo; nil: all of them
}

// left are the places, as bits counted from their Lo, that g leaves to the other variable.
func (g *guarded) left(p *Problem, at []int64) uint64 { return g.leaves[at[g.v]-p.Vars[g.v].Lo] }

// leave takes away the places of v that a clause rules out where the alternative g fails. It
// reports false for a clause that has more alternatives or is about a variable of many places.
func (b *guarded) leave(p *Problem, clause Any, v int, g rarity) bool {
	if len(clause) != 2 || p.width(v) > 1 || p.width(g.Var) > 1 {
		return false
	}
	k := slices.IndexFunc(clause, func(f Formula) bool { x, ok := f.(*Member); return ok && x.Var == v })
	if k < 0 {
		return false
	}
	if b.leaves == nil {
		b.leaves = slices.Repeat([]uint64{^uint64(0)}, int(p.Vars[g.Var].Hi-p.Vars[g.Var].Lo+1))
	}
	for _, place := range g.fails {
		b.leaves[place-p.Vars[g.Var].Lo] &= clause[k].(*Member).Places[0]
	}
	return true
}

// width is the number of words that the places of a variable take as bits.
func (p *Problem) width(v int) int { return int((p.Vars[v].Hi-p.Vars[v].Lo)/64 + 1) }

// failing are clauses by the place at which they fail.
type failing map[int64][]suspect

// A suspect clause may have a second guard, which fails at one place only: of a variable and its place,
// or −1.
type suspect struct {
	clause int
	second int
	at     int64
}

// mostGuarded is the largest number of places at which a guard fails.
const mostGuarded = 16

// guard finds guards for every variable of every clause: the alternatives on other variables
// with the fewest places at which they fail.
func (p *Problem) guard() {
	p.guards = make([]guards, len(p.Vars))
	index := map[[2]int]int{} // variable, guard → place in by
	rare := make([][]rarity, len(p.Clauses))
	for k, f := range p.Clauses {
		rare[k] = p.rarest(f)
	}
	for v, clauses := range p.uses {
		for _, k := range clauses {
			others := slices.DeleteFunc(slices.Clone(rare[k]), func(x rarity) bool { return x.Var == v })
			if len(others) == 0 {
				p.guards[v].rest = append(p.guards[v].rest, k)
				continue
			}
			g := others[0]
			key := [2]int{v, g.Var}
			n, ok := index[key]
			if !ok {
				n = len(p.guards[v].by)
				index[key] = n
				p.guards[v].by = append(p.guards[v].by, guarded{v: g.Var, at: failing{}})
			}
			if p.guards[v].by[n].leave(p, p.Clauses[k].(Any), v, g) {
				continue
			}
			x := suspect{clause: k, second: -1}
			if len(others) > 1 && len(others[1].fails) == 1 {
				x.second, x.at = others[1].Var, others[1].fails[0]
			}
			for _, place := range g.fails {
				p.guards[v].by[n].at[place] = append(p.guards[v].by[n].at[place], x)
			}
		}
		p.guards[v].when = failing{}
		for _, k := range clauses {
			mentions := 0
			visit(p.Clauses[k], func(w int) {
				if w == v {
					mentions++
				}
			})
			i := slices.IndexFunc(rare[k], func(x rarity) bool { return x.Var == v })
			if i < 0 || mentions > 1 {
				p.guards[v].always = append(p.guards[v].always, k)
				continue
			}
			for _, place := range rare[k][i].fails {
				p.guards[v].when[place] = append(p.guards[v].when[place], suspect{clause: k})
			}
		}
	}
}

// A rarity is an alternative with the few places at which it fails.
type rarity struct {
	*Member
	fails []int64
}

// rarest are the alternatives of a disjunction that fail at few places, the rarest first, each on a
// variable of its own.
func (p *Problem) rarest(f Formula) (rare []rarity) {
	list, _ := f.(Any)
	for _, y := range list {
		x, ok := y.(*Member)
		if !ok || slices.ContainsFunc(rare, func(r rarity) bool { return r.Var == x.Var }) {
			continue
		}
		r := rarity{Member: x}
		for place := p.Vars[x.Var].Lo; place <= p.Vars[x.Var].Hi && len(r.fails) <= mostGuarded; place++ {
			if !has(x.Places, place-p.Vars[x.Var].Lo) {
				r.fails = append(r.fails, place)
			}
		}
		if len(r.fails) > mostGuarded {
			continue
		}
		rare = append(rare, r)
	}
	slices.SortStableFunc(rare, func(a, b rarity) int { return len(a.fails) - len(b.fails) })
	return rare
}

// suspects are the clauses that mention v and may fail where the other variables are, but for
// the clauses of left.
func (p *Problem) suspects(v int, at []int64) iter.Seq[int] {
	return func(yield func(int) bool) {
		g := &p.guards[v]
		for _, k := range g.rest {
			if !yield(k) {
				return
			}
		}
		for n := range g.by {
			for _, x := range g.by[n].at[at[g.by[n].v]] {
				if (x.second < 0 || at[x.second] == x.at) && !yield(x.clause) {
					return
				}
			}
		}
	}
}

// allows reports whether the clauses that mention v hold.
func (p *Problem) allows(v int, at []int64) bool {
	for n := range p.guards[v].by {
		g := &p.guards[v].by[n]
		if g.leaves != nil && g.left(p, at)>>(at[v]-p.Vars[v].Lo)&1 == 0 {
			return false
		}
	}
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
	for n := range p.guards[v].by {
		if g := &p.guards[v].by[n]; g.leaves != nil {
			places[0] &= g.left(p, at)
		}
	}
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
