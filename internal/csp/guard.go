package csp

import (
	"iter"
	"slices"

	"bohier/internal/lists"
)

// guards sort the clauses that mention a variable by the places of another variable without
// which they hold: of very many forbidden combinations few remain at the places of the others.
type guards struct {
	by   []guarded
	rest []suspect // clauses without a guard

	// A change of the variable can make these clauses narrow others: always, or once no place is left
	// but ones at which its alternative fails.
	always []int
	when   map[int64][]int // by the last place
}

// guarded are the clauses that can only fail at some places of v, by the place counted from lo, its least one.
type guarded struct {
	v  int
	lo int64
	at [][]suspect
}

// width is the number of words that the places of a variable take as bits.
func (p *Problem) width(v int) int { return int((p.Vars[v].Hi-p.Vars[v].Lo)/64 + 1) }

// A suspect clause may have a second guard; nil: it has none. Where it has no other alternative than
// one on the guarded variable, that is its own.
type suspect struct {
	clause      int
	second, own *Member
}

// mostGuarded is the largest number of places at which a guard fails.
const mostGuarded = 16

// guard finds guards for every variable of every clause: the alternatives on other variables
// with the fewest places at which they fail.
func (p *Problem) guard() {
	p.guards = make([]guards, len(p.Vars))
	rare := lists.Of(p.Clauses, p.rarest)
	for v, clauses := range p.uses {
		b := &p.guards[v]
		b.when = map[int64][]int{}
		for _, k := range clauses {
			b.watch(p, v, k, rare[k])
			mentions := 0
			visit(p.Clauses[k], func(w int) {
				if w == v {
					mentions++
				}
			})
			i := slices.IndexFunc(rare[k], func(x rarity) bool { return x.Var == v })
			if i < 0 || mentions > 1 {
				b.always = append(b.always, k)
				continue
			}
			for _, place := range rare[k][i].fails {
				b.when[place] = append(b.when[place], k)
			}
		}
	}
}

// watch adds clause k, with rare alternatives, to the guards of v.
func (b *guards) watch(p *Problem, v, k int, rare []rarity) {
	x := suspect{clause: k}
	others := slices.DeleteFunc(slices.Clone(rare), func(x rarity) bool { return x.Var == v })
	if len(others) == 0 {
		b.rest = append(b.rest, x)
		return
	}
	if len(others) > 1 {
		x.second = others[1].Member
	}
	if clause := p.Clauses[k].(Any); len(clause) == len(others)+1 && len(others) < 3 {
		i := slices.IndexFunc(clause, func(f Formula) bool { m, ok := f.(*Member); return ok && m.Var == v })
		if i >= 0 {
			x.own = clause[i].(*Member)
		}
	}
	g := others[0]
	n := slices.IndexFunc(b.by, func(o guarded) bool { return o.v == g.Var })
	lo := p.Vars[g.Var].Lo
	if n < 0 {
		n = len(b.by)
		b.by = append(b.by, guarded{g.Var, lo, make([][]suspect, p.Vars[g.Var].Hi-lo+1)})
	}
	for _, place := range g.fails {
		at := &b.by[n].at[place-lo]
		*at = append(*at, x)
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

// suspects are the clauses that mention v and may fail where the other variables are.
func (p *Problem) suspects(v int, at []int64) iter.Seq[suspect] {
	return func(yield func(suspect) bool) {
		g := &p.guards[v]
		for _, x := range g.rest {
			if !yield(x) {
				return
			}
		}
		for n := range g.by {
			b := &g.by[n]
			for _, x := range b.at[at[b.v]-b.lo] {
				if (x.second == nil || !p.member(x.second, at)) && !yield(x) {
					return
				}
			}
		}
	}
}

// allows reports whether the clauses that mention v hold.
func (p *Problem) allows(v int, at []int64) bool {
	for x := range p.suspects(v, at) {
		if x.own == nil && !p.holds(p.Clauses[x.clause], at) || x.own != nil && !p.member(x.own, at) {
			return false
		}
	}
	return true
}

// within removes from places of v, as bits counted from its Lo, the places that clauses rule
// out where the other variables are. It returns the clauses that it did not settle.
func (p *Problem) within(v int, at []int64, places []uint64) (more []int) {
	for x := range p.suspects(v, at) {
		if x.own == nil {
			more = append(more, x.clause)
			continue
		}
		for i, word := range x.own.Places {
			places[i] &= word
		}
	}
	return more
}
