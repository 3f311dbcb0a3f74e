package csp

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

// A State is the domains of a problem's variables.
type State struct {
	p       *Problem
	dom     []domain
	dead    bool // a domain is empty
	trail   []undo
	pending []int
	queued  []bool
	at      []int64 // places of the variables that a Test is asked about
	asked   int     // how many clauses propagation has asked
}

// A domain is the places lo to hi of a variable that set, where there is one, has; lo and hi are in it.
type domain struct {
	lo, hi int64
	n      int64
	set    []uint64
}

type undo struct {
	v   int
	dom domain
}

// Begin is a state with every place that the problem's own propagation leaves.
func (p *Problem) Begin() *State {
	return &State{p: p, dom: slices.Clone(p.root.dom), dead: p.root.dead, at: make([]int64, len(p.Vars)),
		queued: make([]bool, len(p.Clauses))}
}

// Restrict keeps the places of v from lo to hi.
func (s *State) Restrict(v int, lo, hi int64) {
	s.dead = s.dead || !s.bound(v, lo, hi) || !s.propagate()
	s.trail = s.trail[:0]
}

// Keep keeps the places of v that keep is true of, if v has few enough to list.
func (s *State) Keep(v int, keep func(place int64) bool) {
	s.dead = s.dead || !s.filter(v, keep) || !s.propagate()
	s.trail = s.trail[:0]
}

func (s *State) change(v int, d domain) {
	s.trail = append(s.trail, undo{v, s.dom[v]})
	s.dom[v] = d
	g := &s.p.guards[v]
	for _, k := range g.always {
		s.queue(k)
	}
	if d.n <= mostGuarded {
		for _, k := range g.when[d.lo] {
			s.queue(k)
		}
	}
}

func (s *State) queue(k int) {
	if !s.queued[k] {
		s.queued[k] = true
		s.pending = append(s.pending, k)
	}
}

// back undoes the changes after a mark.
func (s *State) back(mark int) {
	for len(s.trail) > mark {
		last := s.trail[len(s.trail)-1]
		s.dom[last.v] = last.dom
		s.trail = s.trail[:len(s.trail)-1]
	}
	for _, k := range s.pending {
		s.queued[k] = false
	}
	s.pending = s.pending[:0]
}

// bound keeps the places of v from lo to hi; false: none is left.
func (s *State) bound(v int, lo, hi int64) bool { return s.narrow(v, lo, hi, nil) }

// filter keeps the places that keep is true of; a variable with very many places stays as it is.
func (s *State) filter(v int, keep func(place int64) bool) bool {
	if d := &s.dom[v]; s.p.Vars[v].Hi-s.p.Vars[v].Lo >= mostListed {
		return d.lo != d.hi || keep(d.lo)
	}
	return s.narrow(v, math.MinInt64, math.MaxInt64, keep)
}

// narrow keeps the places from lo to hi that keep, unless it is nil, is true of.
func (s *State) narrow(v int, lo, hi int64, keep func(place int64) bool) bool {
	d, base := &s.dom[v], s.p.Vars[v].Lo
	out := domain{lo: max(lo, d.lo), hi: min(hi, d.hi)}
	if out.n = out.hi - out.lo + 1; d.set != nil || keep != nil {
		lo, hi = out.lo, out.hi
		out = domain{set: make([]uint64, s.p.width(v))}
		for k := lo; k <= hi; k++ {
			if (d.set == nil || has(d.set, k-base)) && (keep == nil || keep(k)) {
				if out.n == 0 {
					out.lo = k
				}
				out.n, out.hi = out.n+1, k
				out.set[(k-base)>>6] |= 1 << ((k - base) & 63)
			}
		}
	}
	if out.n > 0 && out.n < d.n {
		s.change(v, out)
	}
	return out.n > 0
}

// each are the places of a domain, ascending.
func (s *State) each(v int) iter.Seq[int64] {
	return func(yield func(place int64) bool) {
		d, base := &s.dom[v], s.p.Vars[v].Lo
		for k := d.lo; k <= d.hi; k++ {
			if (d.set == nil || has(d.set, k-base)) && !yield(k) {
				return
			}
		}
	}
}

// pick is a random place of v.
func (s *State) pick(v int, r *rand.Rand) int64 {
	d := &s.dom[v]
	if d.set == nil {
		return d.lo + r.Int64N(d.hi-d.lo+1)
	}
	return slices.Collect(s.each(v))[r.Int64N(d.n)]
}

func (s *State) contains(v int, place int64) bool {
	d := &s.dom[v]
	return place >= d.lo && place <= d.hi && (d.set == nil || has(d.set, place-s.p.Vars[v].Lo))
}
