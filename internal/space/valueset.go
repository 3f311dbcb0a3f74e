package space

import (
	"math"
	"slices"

	"bohier/internal/lists"
)

// A valueSet is a part of a parameter's values that no condition distinguishes.
type valueSet struct {
	choice []int   // values of a choice, ascending; nil for numbers
	lo, hi float64 // numbers: smallest and largest emitted value
	a, b   float64 // numbers: the share of [0, 1] that codec.quantile maps here
	mass   float64 // prior probability; 0 for single points of a continuum
}

// allValues is all values of parameter i.
func (s *parameters) allValues(i int) valueSet {
	if p := &s.params[i]; !p.IsNumber() {
		return valueSet{choice: lists.Every(len(p.Values)), mass: 1}
	}
	return s.interval(i, s.codecs[i].low, s.codecs[i].last)
}

// point is the set that holds only raw value v.
func (s *parameters) point(i int, v float64) valueSet {
	if p := &s.params[i]; p.Choice() {
		return valueSet{choice: []int{int(v)}, mass: 1 / float64(len(p.Values))}
	}
	return s.interval(i, v, v)
}

// interval is the set of number i from lo to hi.
func (s *parameters) interval(i int, lo, hi float64) valueSet {
	a, b := s.codecs[i].share(lo, hi)
	return valueSet{lo: lo, hi: hi, a: a, b: b, mass: b - a}
}

func (p *valueSet) representative() float64 {
	if p.choice != nil {
		return float64(p.choice[0])
	}
	return p.lo
}

func (p *valueSet) holds(v float64) bool {
	if p.choice != nil {
		_, ok := slices.BinarySearch(p.choice, int(v))
		return ok
	}
	return p.lo <= v && v <= p.hi
}

// valueSets splits parameter i so that each of the atoms, which mention only i, has one truth on each set.
func (s *parameters) valueSets(i int, atoms []Expr) []valueSet {
	var all []valueSet
	if p := &s.params[i]; p.Choice() {
		all = lists.Of(s.values(i), func(v float64) valueSet { return s.point(i, v) })
	} else {
		all = s.cuts(i, atoms)
	}
	c := NewConfiguration(len(s.params))
	c.Active[i] = true
	signature := func(v float64) string {
		c.Value[i] = v
		return string(lists.Of(atoms, func(e Expr) byte { return byte('1' + e.Eval(c)) }))
	}
	var out []valueSet
	at := map[string]int{}
	for _, q := range all {
		sig := signature(q.representative())
		k, seen := at[sig]
		switch {
		case seen && q.choice != nil:
			out[k].choice = append(out[k].choice, q.choice...)
			out[k].mass += q.mass
		case seen && k == len(out)-1: // numbers: only neighbours join
			out[k].hi, out[k].b = q.hi, q.b
			out[k].mass = q.b - out[k].a
		default:
			at[sig] = len(out)
			out = append(out, q)
		}
	}
	return out
}

// cuts splits number i at every constant its atoms compare it with: points and the stretches between them.
func (s *parameters) cuts(i int, atoms []Expr) []valueSet {
	r := &s.codecs[i]
	var at []float64
	for _, e := range atoms {
		switch e := e.(type) {
		case In:
			at = append(at, e.Values...)
		case Compare:
			if k, ok := e.Left.(Const); ok {
				at = append(at, float64(k))
			}
			if k, ok := e.Right.(Const); ok {
				at = append(at, float64(k))
			}
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	var out []valueSet
	lo := r.low
	for _, t := range at {
		if t < r.low || t > r.last {
			continue
		}
		if hi, ok := r.next(t, -1); ok && hi >= lo {
			out = append(out, s.interval(i, lo, hi))
		}
		if r.round(t) == t {
			out = append(out, s.interval(i, t, t))
		}
		next, ok := r.next(t, +1)
		if !ok {
			return r.closeGaps(out)
		}
		lo = next
	}
	return r.closeGaps(append(out, s.interval(i, lo, r.last)))
}

// closeGaps closes the gaps between the shares of neighbouring sets of a continuum; points get none.
func (r *codec) closeGaps(out []valueSet) []valueSet {
	for k := 1; k < len(out) && r.continuous; k++ {
		before, p := &out[k-1], &out[k]
		if p.lo < p.hi {
			p.a = before.b
		} else {
			before.b = p.a
		}
		before.mass, p.mass = before.b-before.a, p.b-p.a
	}
	return out
}

// next is the smallest emitted value > t or, with dir −1, the largest < t, for t in range; ok is false where
// there is none.
func (r *codec) next(t, dir float64) (float64, bool) {
	beyond := func(v float64) bool { return dir*(v-t) > 0 }
	if v := r.round(t); beyond(v) {
		return v, true
	}
	q := r.quantum(t, dir)
	if r.digits > 0 {
		m := math.Floor(t/q) + 1
		if dir < 0 {
			m = math.Ceil(t/q) - 1
		}
		for range 2 {
			w := roundDecimals(m*q, -decade(q))
			if v := r.nearest(w, w); beyond(v) {
				return v, true
			}
			m += dir // t/q was not quite the whole number it stands for
		}
		return math.NaN(), false
	}
	for k := 0.5; k <= 4; k += 0.5 {
		if v := r.round(t + dir*k*q); beyond(v) {
			return v, true
		}
	}
	return math.NaN(), false
}
