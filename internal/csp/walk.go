package csp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A Walk moves from solution to solution of a state so that in the long run every solution it can reach is as likely as
// its variables' densities say. It belongs to one goroutine.
type Walk struct {
	At []int64 // the solution

	s    *State
	p    *Problem
	r    *rand.Rand
	free []int         // variables with several places
	like [][]int       // free variables with the same places, which may swap theirs
	ways map[int][]way // variable → directions of the null space of the equalities in force
	seen map[string]map[int][]way

	allowed []uint64 // places of the choice that is drawn
	open    []int64
}

// A way is an integer direction.
type way []Term

// NewWalk begins at a solution of s.
func (s *State) NewWalk(at []int64, r *rand.Rand) *Walk {
	w := &Walk{At: slices.Clone(at), s: s, p: s.p, r: r, seen: map[string]map[int][]way{}}
	unequal := make([]bool, len(s.dom)) // variables of rows that tell numbers to differ
	for _, f := range s.p.Clauses {
		if x, ok := f.(*Linear); ok && x.Op == Ne {
			visit(x, func(v int) { unequal[v] = true })
		}
	}
	type span struct{ lo, hi int64 }
	alike := map[span]int{}
	for v := range s.dom {
		if s.dom[v].n < 2 {
			continue
		}
		w.free = append(w.free, v)
		if x := &s.p.Vars[v]; unequal[v] && x.Density == nil && x.Hi-x.Lo < mostListed {
			g, ok := alike[span{x.Lo, x.Hi}]
			if !ok {
				g = len(w.like)
				alike[span{x.Lo, x.Hi}] = g
				w.like = append(w.like, nil)
			}
			w.like[g] = append(w.like[g], v)
		}
	}
	w.like = slices.DeleteFunc(w.like, func(g []int) bool { return len(g) < 2 })
	w.reset()
	return w
}

// reset finds the directions of the null space at the solution.
func (w *Walk) reset() {
	var equal []*Linear
	for _, f := range w.p.equal {
		equal = w.p.inForce(equal, f, w.At, false)
	}
	equal = slices.DeleteFunc(equal, func(x *Linear) bool { return x.Op != Eq })
	key := fmt.Sprint(equal) // which rows they are
	ways, ok := w.seen[key]
	if !ok {
		ways = directions(equal, func(v int) bool { return w.s.dom[v].n > 1 })
		w.seen[key] = ways
	}
	w.ways = ways
}

// Steps makes n moves a free variable.
func (w *Walk) Steps(n int) {
	for range n * len(w.free) {
		w.step()
	}
}

func (w *Walk) step() {
	if len(w.like) > 0 && w.r.IntN(4) == 0 {
		w.swap(w.like[w.r.IntN(len(w.like))])
		return
	}
	v := w.free[w.r.IntN(len(w.free))]
	ways, tied := w.ways[v]
	switch {
	case tied && len(ways) > 0:
		w.slide(ways[w.r.IntN(len(ways))])
	case tied:
	case w.p.Vars[v].Number:
		w.draw(v)
	default:
		w.choose(v)
	}
}

// swap exchanges the places of two variables.
func (w *Walk) swap(group []int) {
	a, b := group[w.r.IntN(len(group))], group[w.r.IntN(len(group))]
	x, y := w.At[a], w.At[b]
	if x == y || !w.s.contains(a, y) || !w.s.contains(b, x) {
		return
	}
	w.At[a], w.At[b] = y, x
	if !w.p.allows(a, w.At) || !w.p.allows(b, w.At) {
		w.At[a], w.At[b] = x, y
		return
	}
	w.moved(a)
}

// moved keeps the directions up to date after a move of v.
func (w *Walk) moved(v int) {
	if w.p.depends && !w.p.Vars[v].Number {
		w.reset()
	}
}

// choose draws a choice given the others: of few places among those allowed.
func (w *Walk) choose(v int) {
	before := w.At[v]
	if w.s.dom[v].n <= 64 {
		lo, words := w.p.Vars[v].Lo, w.p.width(v)
		w.allowed = slices.Grow(w.allowed[:0], words)[:words]
		for i := range w.allowed {
			w.allowed[i] = ^uint64(0)
		}
		more := w.p.within(v, w.At, w.allowed)
		fails := func(k int) bool { return !w.p.holds(w.p.Clauses[k], w.At) }
		w.open = w.open[:0]
		for place := range w.s.each(v) {
			w.At[v] = place
			if place == before || has(w.allowed, place-lo) && !slices.ContainsFunc(more, fails) {
				w.open = append(w.open, place)
			}
		}
		w.At[v] = w.open[w.r.IntN(len(w.open))]
	} else {
		for range 8 {
			last := w.At[v]
			if w.At[v] = w.s.pick(v, w.r); !w.p.allows(v, w.At) {
				w.At[v] = last
			}
		}
	}
	if w.At[v] != before {
		w.moved(v)
	}
}

// mostShrunk bounds the places that are drawn for a number.
const mostShrunk = 40

// draw draws a number given the others. A place that is not allowed bounds the next draws on
// its side, which keeps all allowed places equally likely (Neal 2003, Slice Sampling, §4.2).
func (w *Walk) draw(v int) {
	before := w.At[v]
	lo, hi := w.room(way{{Var: v, Coef: 1}})
	lo, hi = before+lo, before+hi
	if lo >= hi {
		return
	}
	for range mostShrunk {
		place := lo
		if f := w.p.Vars[v].Draw; f != nil {
			place = f(lo, hi, w.r.Float64())
		} else {
			place += w.r.Int64N(hi - lo + 1)
		}
		if w.At[v] = place; w.s.contains(v, place) && w.p.allows(v, w.At) {
			return
		}
		if place < before {
			lo = place + 1
		} else {
			hi = place - 1
		}
	}
	w.At[v] = before
}

// room are the multiples of a direction, from lo to hi, by which the domains and the rows allow a
// move; both are 0 where exact arithmetic cannot decide.
func (w *Walk) room(d way) (lo, hi int64) {
	lo, hi = math.MinInt64, math.MaxInt64
	cut := func(room, slope int64) { // slope·t ≤ room
		if slope > 0 {
			hi = min(hi, floor(room, slope))
		} else if slope < 0 {
			lo = max(lo, -floor(room, -slope))
		}
	}
	for _, t := range d {
		cut(w.s.dom[t.Var].hi-w.At[t.Var], t.Coef)
		cut(w.At[t.Var]-w.s.dom[t.Var].lo, -t.Coef)
	}
	var rows []*Linear
	for _, t := range d {
		for x := range w.p.suspects(t.Var, w.At) {
			rows = w.p.inForce(rows, w.p.Clauses[x.clause], w.At, false)
		}
	}
	for _, x := range rows {
		if x.Op != Le {
			continue
		}
		var slope int64
		size := 0.0
		for _, t := range d {
			for _, u := range x.Terms {
				if u.Var == t.Var {
					slope += u.Coef * t.Coef
					size += math.Abs(float64(u.Coef) * float64(t.Coef))
				}
			}
		}
		if size > 1<<62 {
			return 0, 0
		}
		if slope != 0 {
			cut(x.Bound-w.p.sum(x, w.At), slope)
		}
	}
	return lo, hi
}

// slide moves along a direction that keeps the equalities.
func (w *Walk) slide(d way) {
	lo, hi := w.room(d)
	if lo >= hi {
		return
	}
	t := lo + w.r.Int64N(hi-lo+1)
	ratio, ok := 1.0, true
	for _, u := range d {
		f := w.p.Vars[u.Var].Density
		if f != nil {
			ratio /= f(w.At[u.Var])
		}
		w.At[u.Var] += t * u.Coef
		if f != nil {
			ratio *= f(w.At[u.Var])
		}
		ok = ok && w.s.contains(u.Var, w.At[u.Var])
	}
	if ok = ok && (ratio >= 1 || w.r.Float64() < ratio); ok {
		for _, u := range d {
			ok = ok && w.p.allows(u.Var, w.At)
		}
	}
	if !ok {
		for _, u := range d {
			w.At[u.Var] -= t * u.Coef
		}
	}
}

// InForce are the rows that the choices at a place put in force: rows that stand alone, and
// rows of a disjunction where nothing else holds. Where several rows are left of a disjunction,
// commit takes the first that holds, or else the first; otherwise none is in force.
func (p *Problem) InForce(at []int64, commit bool) (rows []*Linear) {
	return p.inForce(nil, All(p.Clauses), at, commit)
}

// inForce appends those of one formula to rows.
func (p *Problem) inForce(rows []*Linear, f Formula, at []int64, commit bool) []*Linear {
	switch x := f.(type) {
	case All:
		for _, y := range x {
			rows = p.inForce(rows, y, at, commit)
		}
	case *Linear:
		if x.Op != Ne {
			return append(rows, x)
		}
	case Any:
		var left []Formula
		for _, y := range x {
			if linear(y) {
				left = append(left, y)
			} else if p.holds(y, at) {
				return rows
			}
		}
		if len(left) == 1 || len(left) > 1 && commit {
			k := max(slices.IndexFunc(left, func(y Formula) bool { return p.holds(y, at) }), 0)
			return p.inForce(rows, left[k], at, commit)
		}
	}
	return rows
}

// linear reports whether a formula holds a row, of some operators if there are any.
func linear(x Formula, of ...Op) bool {
	if x, ok := x.(*Linear); ok {
		return len(of) == 0 || slices.Contains(of, x.Op)
	}
	list, _ := operands(x)
	return slices.ContainsFunc(list, func(y Formula) bool { return linear(y, of...) })
}
