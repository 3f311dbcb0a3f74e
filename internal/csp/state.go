package csp

import (
	"iter"
	"math/bits"
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

// A domain is the places lo to hi of a variable that set, where there is one, has; lo and hi
// are in it.
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
func (s *State) bound(v int, lo, hi int64) bool {
	d := s.dom[v]
	if lo <= d.lo && hi >= d.hi {
		return true
	}
	d.lo, d.hi = max(lo, d.lo), min(hi, d.hi)
	if d.set == nil {
		d.n = d.hi - d.lo + 1
	} else {
		base := s.p.Vars[v].Lo
		for d.lo <= d.hi && !has(d.set, d.lo-base) {
			d.lo++
		}
		for d.lo <= d.hi && !has(d.set, d.hi-base) {
			d.hi--
		}
		d.n = 0
		for k := d.lo; k <= d.hi; {
			bit := k - base
			word := d.set[bit>>6] >> (bit & 63)
			span := min(64-bit&63, d.hi-k+1)
			d.n += int64(bits.OnesCount64(word << (64 - span)))
			k += span
		}
	}
	if d.lo > d.hi {
		return false
	}
	s.change(v, d)
	return true
}

// filter keeps the places that keep is true of; a variable with very many places stays
// as it is.
func (s *State) filter(v int, keep func(place int64) bool) bool {
	d, base := s.dom[v], s.p.Vars[v].Lo
	width := s.p.Vars[v].Hi - base + 1
	if width > mostListed {
		if d.lo == d.hi {
			return keep(d.lo)
		}
		return true
	}
	set := make([]uint64, (width+63)/64)
	out := domain{lo: 1, set: set}
	for k := d.lo; k <= d.hi; k++ {
		if (d.set == nil || has(d.set, k-base)) && keep(k) {
			if out.n == 0 {
				out.lo = k
			}
			out.n, out.hi = out.n+1, k
			set[(k-base)>>6] |= 1 << ((k - base) & 63)
		}
	}
	if out.n == d.n {
		return true
	}
	if out.n == 0 {
		return false
	}
	s.change(v, out)
	return true
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
	nth := r.Int64N(d.n)
	for place := range s.each(v) {
		if nth--; nth < 0 {
			return place
		}
	}
	panic("csp: a domain counts more places than it has")
}

func (s *State) contains(v int, place int64) bool {
	d := &s.dom[v]
	return place >= d.lo && place <= d.hi && (d.set == nil || has(d.set, place-s.p.Vars[v].Lo))
}
