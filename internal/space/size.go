package space

import (
	"math"
	"math/rand/v2"
	"slices"
)

// maxVisits bounds the enumeration behind Size.
const maxVisits = 1 << 17

// count is how many values parameter i emits, +Inf for a continuum.
func (s *Space) count(i int) float64 {
	if p := &s.params[i]; !p.number() {
		return float64(len(p.Values))
	}
	return s.codecs[i].count(s.codecs[i].low, s.codecs[i].last)
}

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

// upward counts the positive values with the declared digits from a to b, decade
// by decade.
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
func (s *Space) values(i int) []float64 {
	if p := &s.params[i]; !p.number() {
		list := make([]float64, len(p.Values))
		for k := range list {
			list[k] = float64(k)
		}
		return list
	}
	r := &s.codecs[i]
	var list []float64
	for v, ok := r.low, true; ok; v, ok = r.next(v, +1) {
		list = append(list, v)
	}
	return list
}

// Size is the number of configurations; finite is false when a float without
// step or precision can be active. It is exact up to 2^53 while no more than
// about a hundred thousand combinations of the parameters that conditions and
// constraints mention need to be visited; beyond that it is estimated by sampling.
func (s *Space) Size() (n float64, finite bool) {
	z := s.size()
	if z.finite && !z.known {
		return s.estimate(), true
	}
	return z.n, z.finite
}

// Count is the number of configurations; known is false where it is infinite, or where
// Size estimates it.
func (s *Space) Count() (n float64, known bool) {
	z := s.size()
	return z.n, z.known
}

// sized is what measure finds.
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
		n, known := s.whole().count(false)
		return sized{n: n, finite: true, known: known}
	}
	v := &visitor{s: s, split: s.needed}
	if !v.run() {
		return sized{finite: true}
	}
	return sized{n: v.n, finite: true, known: true, none: v.n == 0}
}

// measureRoughly estimates the number of configurations.
func (s *Space) measureRoughly() float64 {
	if s.narrow() {
		n, _ := s.whole().count(true)
		return n
	}
	v := &visitor{s: s, split: s.isParent(), loose: true}
	if !v.run() {
		v.n = 1
		for _, i := range s.coords {
			v.n *= s.count(i)
		}
	}
	return math.Round(v.n * s.FeasibleFraction(rand.New(rand.NewPCG(1, 2)), 20000))
}

// MoreThan reports whether there are more than n configurations with fixed values, in force;
// true also where telling would take too long.
func (s *Space) MoreThan(n int, fixed Assignment) bool {
	v := &visitor{s: s, split: s.needed, fixed: fixed}
	v.leaf = func(Configuration) bool { return v.n <= float64(n) }
	return !v.run()
}

// continuous reports whether a number without a grid can be active.
func (s *Space) continuous() bool {
	endless := slices.DeleteFunc(slices.Clone(s.coords), func(i int) bool { return !math.IsInf(s.count(i), 1) })
	if len(endless) == 0 {
		return false
	}
	in := func(active []bool) bool {
		return slices.ContainsFunc(endless, func(i int) bool { return active[i] })
	}
	r, c := rand.New(rand.NewPCG(0xc0, 0x47)), NewConfiguration(len(s.params))
	for range fewDraws {
		if s.prior(&c, r); in(c.Active) {
			return true
		}
	}
	return in(s.whole().some)
}

// isParent reports of every parameter whether a condition mentions it.
func (s *Space) isParent() []bool {
	out := make([]bool, len(s.params))
	for _, parents := range s.depend.Parents {
		for _, j := range parents {
			out[j] = true
		}
	}
	return out
}

// Enumerate lists every configuration of a finite space that satisfies the
// constraints, or nil if there are more than limit.
func (s *Space) Enumerate(limit int) []Configuration {
	if s.continuous() {
		return nil
	}
	var out []Configuration
	v := &visitor{s: s, split: slices.Repeat([]bool{true}, len(s.params))}
	v.leaf = func(c Configuration) bool {
		out = append(out, c.Clone())
		return len(out) <= limit
	}
	switch {
	case v.run():
		return out
	case len(out) <= limit && s.narrow():
		return s.whole().list(limit)
	}
	return nil
}

// clausesAVisit is how many constraints cost as much as a visit.
const clausesAVisit = 32

// A visitor walks the values of the parameters marked in split, in topological
// order, and counts those of the others. Constraints are decided as soon as all
// they mention has a value. It stops when limit falls below 0.
type visitor struct {
	s     *Space
	split []bool
	loose bool                       // ignore the constraints
	fixed Assignment                 // values to visit alone
	leaf  func(c Configuration) bool // false stops the visits; nil: they go on
	n     float64                    // configurations so far
	limit int
	lists [][]float64 // of values, made when needed
	due   []*watch    // constraints by the position in the order that decides them
}

// run is false where the visits were stopped.
func (v *visitor) run() bool {
	v.limit, v.lists = maxVisits, make([][]float64, len(v.s.params))
	if !v.loose {
		v.due = v.s.duties()
	}
	v.visit(0, NewConfiguration(len(v.s.params)), 1)
	return v.limit >= 0
}

// duties sorts the constraints by the position after which they are decided.
func (s *Space) duties() []*watch {
	at := make([]int, len(s.params))
	for k, i := range s.depend.Order {
		at[i] = k + 1
	}
	places := make([][]int, len(s.depend.Order)+1)
	for _, n := range s.binding() {
		last := 0
		for _, i := range s.constraints[n].refs {
			last = max(last, at[i])
		}
		places[last] = append(places[last], n)
	}
	out := make([]*watch, len(places))
	for k, list := range places {
		out[k] = s.newWatch(list)
	}
	return out
}

func (v *visitor) visit(k int, c Configuration, weight float64) {
	s := v.s
	if v.limit < 0 {
		return
	}
	if !v.loose {
		v.limit -= len(v.due[k].rest) / clausesAVisit
		if _, bad := s.first(v.due[k], c, math.MaxInt); bad {
			v.limit--
			return
		}
	}
	if k == len(s.depend.Order) {
		v.limit--
		if v.n += weight; v.leaf != nil && !v.leaf(c) {
			v.limit = -1
		}
		return
	}
	i := s.depend.Order[k]
	c.Value[i] = 0
	c.Active[i] = s.holds(i, c)
	defer func() { c.Value[i], c.Active[i] = 0, false }()
	value, fixed := v.fixed[i]
	switch {
	case fixed && c.Active[i]:
		c.Value[i] = value
		v.visit(k+1, c, weight)
	case fixed:
	case !c.Active[i] || s.params[i].Kind == Constant:
		v.visit(k+1, c, weight)
	case !v.split[i]:
		v.visit(k+1, c, weight*s.count(i))
	default:
		if s.count(i) > maxVisits {
			v.limit = -1
			return
		}
		if v.lists[i] == nil {
			v.lists[i] = s.values(i)
		}
		for _, x := range v.lists[i] {
			c.Value[i] = x
			v.visit(k+1, c, weight)
		}
	}
}
