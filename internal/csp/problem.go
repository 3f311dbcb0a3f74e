package csp

import (
	"slices"

	"bohier/internal/lists"
)

// A Problem is variables with formulas that must all hold.
type Problem struct {
	Vars    []Var
	Clauses []Formula

	uses    [][]int // variable → clauses that mention it and may fail
	guards  []guards
	root    *State
	equal   []Formula // clauses with an equality
	depends bool      // which of the equalities are in force depends on choices
}

// A Var takes the places Lo to Hi.
type Var struct {
	Lo, Hi int64
	// Number means that near places are alike and that the relaxation of linear rows moves the
	// variable; otherwise it is a choice.
	Number bool
	// Draw is a place from lo to hi by a uniform number, for a variable whose places are not equally likely; nil: they
	// are. Density is the probability of a place, up to a factor, for the same.
	Draw    func(lo, hi int64, u float64) int64
	Density func(place int64) float64
}

// A Formula is a condition on places.
type Formula any

// The formulas. Member and Test are about few variables; its functions receive all places, and
// only the places of Vars matter. Excess is above 0 where the test does not hold and changes
// smoothly with numbers, so that a search can follow it; nil: it does not.
type (
	All    []Formula
	Any    []Formula
	Linear struct {
		Terms []Term // each variable once
		Op    Op
		Bound int64
	}
	Member struct { // the place is one whose bit, counted from the variable's Lo, is set
		Var    int
		Places []uint64
	}
	Test struct {
		Vars   []int
		Holds  func(at []int64) bool
		Excess func(at []int64) float64
	}
)

// A Term is Coef·place or, where there is a table, Table[place − Lo].
type Term struct {
	Var   int
	Coef  int64
	Table []int64
}

// Op compares the sum of a row with its bound.
type Op int

// The comparisons.
const (
	Le Op = iota
	Eq
	Ne
)

// mostListed is the largest number of places of a variable whose places are removed one by one.
const mostListed = 10_000

// Compile prepares the problem. It is not changed afterwards.
func (p *Problem) Compile() {
	p.uses = make([][]int, len(p.Vars))
	for k, f := range p.Clauses {
		if linear(f, Eq) {
			_, any := f.(Any)
			p.equal, p.depends = append(p.equal, f), p.depends || any
		}
		visit(f, func(v int) {
			if n := len(p.uses[v]); n == 0 || p.uses[v][n-1] != k {
				p.uses[v] = append(p.uses[v], k)
			}
		})
	}
	p.guards = make([]guards, len(p.Vars))
	for v := range p.guards {
		p.guards[v].always = p.uses[v]
	}
	p.root = &State{p: p, dom: make([]domain, len(p.Vars)), at: make([]int64, len(p.Vars)),
		queued: make([]bool, len(p.Clauses))}
	for v := range p.Vars {
		p.root.dom[v] = domain{lo: p.Vars[v].Lo, hi: p.Vars[v].Hi, n: p.Vars[v].Hi - p.Vars[v].Lo + 1}
		p.root.dead = p.root.dead || p.root.dom[v].n <= 0
	}
	for k := range p.Clauses {
		p.root.queue(k)
	}
	p.root.dead = p.root.dead || !p.root.propagate()
	p.root.trail = nil
	if p.root.dead {
		return
	}
	settled := lists.Of(p.Clauses, func(f Formula) bool { return p.root.status(f) == yes })
	for v := range p.uses {
		p.uses[v] = slices.DeleteFunc(p.uses[v], func(k int) bool { return settled[k] })
	}
	p.guard()
}

// operands are those of a conjunction or disjunction, and the value of the whole that each of them decides by its own;
// open: the formula has none.
func operands(x Formula) (list []Formula, settles truth) {
	switch x := x.(type) {
	case All:
		return x, no
	case Any:
		return x, yes
	}
	return nil, open
}

// visit calls f with every variable that a formula mentions.
func visit(x Formula, f func(v int)) {
	switch x := x.(type) {
	case *Linear:
		for _, t := range x.Terms {
			f(t.Var)
		}
	case *Member:
		f(x.Var)
	case *Test:
		for _, v := range x.Vars {
			f(v)
		}
	}
	list, _ := operands(x)
	for _, y := range list {
		visit(y, f)
	}
}

// Holds reports whether the places satisfy every clause.
func (p *Problem) Holds(at []int64) bool { return p.holds(All(p.Clauses), at) }

func (p *Problem) holds(x Formula, at []int64) bool {
	switch x := x.(type) {
	case *Linear:
		sum := p.sum(x, at)
		return x.Op == Le && sum <= x.Bound || x.Op == Eq && sum == x.Bound || x.Op == Ne && sum != x.Bound
	case *Member:
		return p.member(x, at)
	case *Test:
		return x.Holds(at)
	}
	list, settles := operands(x)
	for _, y := range list {
		if p.holds(y, at) == (settles == yes) {
			return settles == yes
		}
	}
	return settles == no
}

func (p *Problem) member(x *Member, at []int64) bool {
	return has(x.Places, at[x.Var]-p.Vars[x.Var].Lo)
}

func (p *Problem) sum(x *Linear, at []int64) int64 {
	var sum int64
	for _, t := range x.Terms {
		sum += p.part(&t, at[t.Var])
	}
	return sum
}

// part is the contribution of a term at a place.
func (p *Problem) part(t *Term, place int64) int64 {
	if t.Table != nil {
		return t.Table[place-p.Vars[t.Var].Lo]
	}
	return t.Coef * place
}

func has(places []uint64, bit int64) bool { return places[bit>>6]>>(bit&63)&1 == 1 }
