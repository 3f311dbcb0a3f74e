// Configurations are counted by visiting the combinations of the values that conditions and constraints mention. Where
// few combinations satisfy the constraints, they are counted cell by cell, as the solutions of the constraints among
// integers times the values of the parameters that no constraint mentions. A search with propagation counts the
// solutions exactly (Birnbaum & Lozinskii 1999, doi:10.1613/jair.601).

package space

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/csp"
	"bohier/internal/lists"
)

// maxVisits bounds the enumeration behind Size.
const maxVisits = 1 << 17

// count is how many values parameter i emits, +Inf for a continuum.
func (s *parameters) count(i int) float64 { return s.countIn(i, &s.all[i]) }

// count is the number of emitted values from lo to hi, both emitted.
func (r *codec) count(lo, hi float64) float64 {
	switch {
	case r.continuous:
		return math.Inf(1)
	case r.step > 0:
		return math.Round((hi-lo)/r.step) + 1
	case r.digits == 0:
		return hi - lo + 1
	}
	n := r.upward(lo, hi) + r.upward(-hi, -lo)
	if lo <= 0 && hi >= 0 {
		n++
	}
	for _, end := range []float64{lo, hi} { // an end counts wherever it lies
		w := roundDecimals(end, -decade(r.digitQuantum(math.Abs(end))))
		slack := 1e-14 * math.Abs(end)
		if w < lo-slack || w > hi+slack || w != end && math.Abs(w-end) >= powerOfTen(-r.decimalsAt(end))/2 {
			n++
		}
	}
	return n
}

// upward counts the positive values with the declared digits from a to b, decade by decade.
func (r *codec) upward(a, b float64) (n float64) {
	if b <= 0 {
		return 0
	}
	slack := math.Pow10(r.digits) * 1e-15
	for e := decade(max(a, min(r.digitQuantum(0), b), math.SmallestNonzeroFloat64)); ; e++ {
		from := max(a, powerOfTen(e))
		if from > b {
			return n
		}
		q := r.digitQuantum(from)
		to := math.Floor(min(b/q, powerOfTen(e+1)/q-1) + slack)
		n += max(to-math.Ceil(from/q-slack)+1, 0)
	}
}

// values lists the emitted values of parameter i, which must be few.
func (s *parameters) values(i int) (list []float64) {
	if p := &s.params[i]; !p.IsNumber() {
		return lists.Make(len(p.Values), func(k int) float64 { return float64(k) })
	}
	r := &s.codecs[i]
	for v, ok := r.low, true; ok; v, ok = r.next(v, +1) {
		list = append(list, v)
	}
	return list
}

// Size is the number of configurations; finite is false where a float has neither step nor precision. It is
// exact up to 2^53 while no more than about a hundred thousand combinations of the parameters that conditions and
// constraints mention need to be visited; beyond that it is the number without the constraints.
func (s *Space) Size() (n float64, finite bool) {
	z := s.size()
	if z.finite && !z.known {
		return s.unconstrained(), true
	}
	return z.n, z.finite
}

// Count is the number of configurations; known is false where it is infinite or too large to be counted.
func (s *Space) Count() (n float64, known bool) {
	z := s.size()
	return z.n, z.known
}

// sized is the result of measure.
type sized struct {
	n             float64
	finite, known bool
	none          bool // every combination was visited, and none satisfies the constraints
}

func (s *Space) measure() sized {
	if s.continuous() {
		return sized{n: math.Inf(1)}
	}
	if s.narrow() && s.whole().exact {
		n, known := s.whole().count()
		return sized{n: n, finite: true, known: known}
	}
	n, known := s.tally(s.needed, s.duties(), nil, nil)
	return sized{n: n, finite: true, known: known, none: known && n == 0}
}

// unconstrained is the number of configurations without the constraints or, where telling would
// take too long, without the conditions, too.
func (s *Space) unconstrained() float64 {
	n, known := s.tally(s.Mentioned(), nil, nil, nil)
	if !known {
		n = 1
		for _, i := range s.coords {
			n *= s.count(i)
		}
	}
	return math.Round(n)
}

// MoreThan reports whether there are more than n configurations with fixed values, in force;
// true also where telling would take too long.
func (s *Space) MoreThan(n int, fixed Assignment) bool {
	_, known := s.tally(s.needed, s.duties(), fixed, func(_ Configuration, sum float64) bool { return sum <= float64(n) })
	return !known
}

// continuous reports whether there is a number without a grid.
func (s *Space) continuous() bool {
	return slices.ContainsFunc(s.coords, func(i int) bool { return math.IsInf(s.count(i), 1) })
}

// Enumerate lists every configuration of a finite space that satisfies the
// constraints, or nil if there are more than limit, or too many combinations to visit.
func (s *Space) Enumerate(limit int) []Configuration {
	if s.continuous() {
		return nil
	}
	var out []Configuration
	every := slices.Repeat([]bool{true}, len(s.params))
	_, known := s.tally(every, s.duties(), nil, func(c Configuration, _ float64) bool {
		out = append(out, c.Clone())
		return len(out) <= limit
	})
	if !known {
		return nil
	}
	return out
}

// clausesAVisit is how many constraints cost as much as a visit.
const clausesAVisit = 32

// duties sorts the constraints by the position after which they are decided.
func (s *Space) duties() []*watch {
	at := make([]int, len(s.params))
	for k, i := range s.depend.Order {
		at[i] = k + 1
	}
	places := make([][]int, len(s.depend.Order)+1)
	for n, k := range s.constraints {
		last := 0
		for _, i := range k.refs {
			last = max(last, at[i])
		}
		places[last] = append(places[last], n)
	}
	return lists.Of(places, s.newWatch)
}

// tally counts the configurations with fixed values, in force, that violate none of the constraints that
// are due; nil: constraints do not count. It visits the values of the parameters marked in split, and
// multiplies by the number of values of others. The function visit, unless it is nil, gets a configuration and the
// sum so far. False means that it ended the visits, or that there would be too many.
func (s *Space) tally(split []bool, due []*watch, fixed Assignment,
	visit func(c Configuration, sum float64) bool) (n float64, all bool) {
	left := maxVisits
	w := &tour{s: s, order: s.depend.Order, sets: make([][]valueSet, len(s.params)), fixed: fixed}
	w.enter = func(k int) bool {
		if left < 0 {
			return false
		}
		if due != nil {
			left -= len(due[k].rest) / clausesAVisit
			if _, bad := s.first(due[k], w.c, math.MaxInt); bad {
				left--
				return false
			}
		}
		if k < len(w.order) && w.sets[w.order[k]] == nil {
			i := w.order[k]
			v, given := fixed[i]
			switch {
			case given:
				w.sets[i] = singles(v)
			case s.params[i].Kind == Constant:
			case !split[i]:
				w.sets[i] = []valueSet{{mass: s.count(i)}}
			case s.count(i) > maxVisits:
				w.sets[i] = []valueSet{{mass: math.Inf(1)}}
			default:
				w.sets[i] = singles(s.values(i)...)
			}
		}
		return true
	}
	w.leaf = func(mass float64) bool {
		left--
		if n += mass; math.IsInf(n, 1) || visit != nil && !visit(w.c, n) {
			left = -1
		}
		return left >= 0
	}
	w.run()
	return n, left >= 0
}

// singles are sets of one value. Each set counts as one.
func singles(values ...float64) []valueSet {
	return lists.Of(values, func(v float64) valueSet { return valueSet{lo: v, hi: v, mass: 1} })
}

// countNodes is how many places a count of the configurations of all cells tries at most.
const countNodes = 1 << 14

// count is the number of configurations of a finite partition that was enumerated; exact
// is false where it is too large to be counted.
func (p *partition) count() (n float64, exact bool) {
	for k := range p.cells {
		w := p.newWalker(&p.cells[k])
		m, counted := w.state.Count(max(countNodes/len(p.cells), 64))
		if !counted {
			return 0, false
		}
		m = max(m, 1)
		for i := range p.s.params { // the parameters that no constraint mentions
			if q := p.cells[k].set(i); q != nil && w.y.at[i] < 0 {
				m *= p.s.countIn(i, q)
			}
		}
		n += m
	}
	return math.Round(n), true
}

// countIn is the number of values of parameter i in a set.
func (s *parameters) countIn(i int, q *valueSet) float64 {
	if q.choice != nil {
		return float64(len(q.choice))
	}
	return s.codecs[i].count(q.lo, q.hi)
}

// Methods describe how configurations that satisfy the constraints are found; none without constraints.
func (s *Space) Methods() (list []string) {
	if !s.Coupled() {
		return nil
	}
	drawn, searched := false, false
	equalities, inequalities := 0, 0
	for k := range s.whole().cells {
		c := &s.whole().cells[k]
		if !c.narrow() {
			drawn = true
			continue
		}
		y := s.system(c.active)
		rows := y.p.InForce(c.witness, false)
		equal := len(slices.DeleteFunc(slices.Clone(rows), func(x *csp.Linear) bool { return x.Op != csp.Eq }))
		equalities, inequalities = max(equalities, equal), max(inequalities, len(rows)-equal)
		searched = searched || len(rows) < len(y.p.Clauses)
	}
	if drawn {
		list = append(list, "random draws")
	}
	if equalities+inequalities > 0 {
		list = append(list, fmt.Sprintf("a walk in a polytope (%s, %s)", counted(equalities, "equality", "equalities"),
			counted(inequalities, "inequality", "inequalities")))
	}
	if searched {
		list = append(list, "propagation and backtracking")
	}
	return list
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
