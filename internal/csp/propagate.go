package csp

import "math"

// truth is the truth value of a formula over domains.
type truth int8

const (
	no truth = iota - 1
	open
	yes
)

// propagate narrows the domains by every pending clause until nothing changes; false:
// there is no solution. Slow convergence on long ranges is cut off: the rest is found out later.
func (s *State) propagate() bool {
	for steps := 0; len(s.pending) > 0; steps++ {
		s.asked++
		k := s.pending[0]
		s.pending = s.pending[1:]
		s.queued[k] = false
		if steps > 50*(len(s.p.Clauses)+1) {
			break
		}
		if !s.enforce(s.p.Clauses[k]) {
			s.back(len(s.trail))
			return false
		}
	}
	s.back(len(s.trail))
	return true
}

// enforce narrows the domains to the values that a formula allows, which must hold.
func (s *State) enforce(x Formula) bool {
	switch x := x.(type) {
	case All:
		for _, y := range x {
			if !s.enforce(y) {
				return false
			}
		}
	case Any:
		var left Formula
		for _, y := range x {
			switch s.status(y) {
			case yes:
				return true
			case open:
				if left != nil {
					return true
				}
				left = y
			}
		}
		return left != nil && s.enforce(left)
	case *Linear:
		return s.enforceLinear(x)
	default:
		if v, holds := s.unary(x); holds != nil {
			return s.filter(v, holds)
		}
	}
	return true
}

// unary is a Member or Test as a condition on the places of one variable; nil where several are open.
func (s *State) unary(x Formula) (v int, holds func(place int64) bool) {
	switch x := x.(type) {
	case *Member:
		lo := s.p.Vars[x.Var].Lo
		return x.Var, func(place int64) bool { return has(x.Places, place-lo) }
	case *Test:
		v, ok := s.last(x.Vars)
		if !ok {
			return v, nil
		}
		return v, func(place int64) bool {
			s.at[v] = place
			return x.Holds(s.at)
		}
	}
	panic("csp: unknown formula")
}

// last sets the places of variables that have one left and returns the other one, or any
// where there is none; false: several are open.
func (s *State) last(vars []int) (v int, ok bool) {
	v = -1
	for _, w := range vars {
		s.at[w] = s.dom[w].lo
		if s.dom[w].n > 1 {
			if v >= 0 {
				return 0, false
			}
			v = w
		}
	}
	if v < 0 {
		v = vars[0]
	}
	return v, true
}

// status is the truth value of a formula over the domains.
func (s *State) status(x Formula) truth {
	if list, settles := operands(x); settles != open {
		all := -settles
		for _, y := range list {
			switch s.status(y) {
			case settles:
				return settles
			case open:
				all = open
			}
		}
		return all
	}
	switch x := x.(type) {
	case *Linear:
		lo, hi := s.reach(x)
		always, never := lo == x.Bound && hi == x.Bound, lo > x.Bound || hi < x.Bound
		switch x.Op {
		case Le:
			always, never = hi <= x.Bound, lo > x.Bound
		case Ne:
			always, never = never, always
		}
		return told(always, never)
	case *Member:
		return s.member(x)
	}
	v, holds := s.unary(x)
	if holds == nil || s.dom[v].n > 64 {
		return open
	}
	in, out := false, false
	for place := range s.each(v) {
		is := holds(place)
		if in, out = in || is, out || !is; in && out {
			return open
		}
	}
	return told(!out, out)
}

func told(always, never bool) truth {
	switch {
	case always:
		return yes
	case never:
		return no
	}
	return open
}

// member is the status of a Member.
func (s *State) member(x *Member) truth {
	d, base := &s.dom[x.Var], s.p.Vars[x.Var].Lo
	first, last := d.lo-base, d.hi-base
	var in, out uint64
	for i := first >> 6; i <= last>>6 && (in == 0 || out == 0); i++ {
		word := ^uint64(0)
		if d.set != nil {
			word = d.set[i]
		}
		if i == first>>6 {
			word &= ^uint64(0) << (first & 63)
		}
		if i == last>>6 {
			word &= ^uint64(0) >> (63 - last&63)
		}
		in, out = in|word&x.Places[i], out|word&^x.Places[i]
	}
	return told(out == 0, in == 0)
}

// reach are the smallest and the largest sum of a row.
func (s *State) reach(x *Linear) (lo, hi int64) {
	for k := range x.Terms {
		a, b := s.span(&x.Terms[k])
		lo, hi = lo+a, hi+b
	}
	return lo, hi
}

// span are the smallest and the largest number that a term adds.
func (s *State) span(t *Term) (lo, hi int64) {
	d := &s.dom[t.Var]
	switch {
	case t.Table != nil:
		lo, hi = math.MaxInt64, math.MinInt64
		for place := range s.each(t.Var) {
			w := s.p.part(t, place)
			lo, hi = min(lo, w), max(hi, w)
		}
		return lo, hi
	case t.Coef < 0:
		return t.Coef * d.hi, t.Coef * d.lo
	}
	return t.Coef * d.lo, t.Coef * d.hi
}

// enforceLinear makes the bounds of every variable consistent with those of the others.
func (s *State) enforceLinear(x *Linear) bool {
	lo, hi := s.reach(x)
	if x.Op == Ne {
		return s.enforceUnequal(x)
	}
	if lo > x.Bound || x.Op == Eq && hi < x.Bound {
		return false
	}
	if hi <= x.Bound && x.Op == Le {
		return true
	}
	if x.Op == Eq {
		if rest, g, _ := s.rest(x, -1); g > 1 && rest%g != 0 {
			return false // no multiples of the open coefficients' greatest common divisor add up to it
		}
	}
	for k := range x.Terms {
		t := &x.Terms[k]
		if s.dom[t.Var].n == 1 {
			continue
		}
		a, b := s.span(t)
		most := x.Bound - (lo - a) // the most that this term may be
		least := a
		if x.Op == Eq {
			least = x.Bound - (hi - b)
		}
		if b <= most && a >= least {
			continue
		}
		if !s.within(t, least, most) {
			return false
		}
		c, d := s.span(t)
		lo, hi = lo-a+c, hi-b+d
	}
	return true
}

// within keeps the places of a term that add from least to most.
func (s *State) within(t *Term, least, most int64) bool {
	switch {
	case t.Table != nil:
		return s.filter(t.Var, func(place int64) bool {
			w := s.p.part(t, place)
			return w >= least && w <= most
		})
	case t.Coef > 0:
		return s.bound(t.Var, -floor(-least, t.Coef), floor(most, t.Coef))
	}
	return s.bound(t.Var, -floor(most, -t.Coef), floor(-least, -t.Coef))
}

// floor is ⌊a/b⌋ for b > 0.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// enforceUnequal removes the one place that would make the sides equal, once all other variables have theirs.
func (s *State) enforceUnequal(x *Linear) bool {
	var free *Term
	rest := x.Bound
	for k := range x.Terms {
		t := &x.Terms[k]
		if s.dom[t.Var].n == 1 {
			rest -= s.p.part(t, s.dom[t.Var].lo)
		} else if free != nil {
			return true
		} else {
			free = t
		}
	}
	if free == nil {
		return rest != 0
	}
	if free.Table == nil {
		if rest%free.Coef != 0 || !s.contains(free.Var, rest/free.Coef) {
			return true
		}
		switch d := &s.dom[free.Var]; rest / free.Coef {
		case d.lo:
			return s.bound(free.Var, d.lo+1, d.hi)
		case d.hi:
			return s.bound(free.Var, d.lo, d.hi-1)
		}
	}
	return s.filter(free.Var, func(place int64) bool { return s.p.part(free, place) != rest })
}

// rest is the sum that the open terms of a row must have for an equality, the greatest common divisor of
// their coefficients, 1 where one has a table, and the coefficient of v, which counts to neither.
func (s *State) rest(x *Linear, v int) (rest, g, own int64) {
	rest = x.Bound
	for k := range x.Terms {
		switch t := &x.Terms[k]; {
		case t.Var == v:
			own = t.Coef
		case s.dom[t.Var].n == 1:
			rest -= s.p.part(t, s.dom[t.Var].lo)
		case t.Table != nil:
			g = 1
		default:
			g = gcd(g, t.Coef)
		}
	}
	return rest, g, own
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}
