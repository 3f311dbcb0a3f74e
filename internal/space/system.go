package space

import (
	"math/rand/v2"
	"slices"

	"bohier/internal/csp"
	"bohier/internal/lists"
)

// A system is the constraints on the configurations of one activity pattern, as a problem on integers. It is immutable.
type system struct {
	s     *Space
	grids []grid // by variable
	at    []int  // parameter → variable; −1: no constraint mentions it
	p     csp.Problem
}

// system is that of an activity pattern, made at first use.
func (s *Space) system(active []bool) *system {
	key := patternKey(active)
	y, ok := s.systems.Load(key)
	if !ok {
		y, _ = s.systems.LoadOrStore(key, newSystem(s, slices.Clone(active)))
	}
	return y.(*system)
}

func newSystem(s *Space, active []bool) *system {
	t := &translator{s: s, active: active, at: slices.Repeat([]int{-1}, len(s.params)),
		scratch: Configuration{Value: make([]float64, len(s.params)), Active: active}}
	t.clauses()
	t.fill()
	y := &system{s: s, grids: t.grids, at: t.at}
	y.p.Clauses = t.clauses()
	y.p.Vars = lists.Of(lists.Every(len(t.grids)), func(k int) csp.Var { return t.grids[k].variable() })
	y.p.Compile()
	return y
}

// clauses are the formulas of every constraint, and of the conditions that mention a
// parameter of theirs: these keep the activity pattern.
func (t *translator) clauses() (out []csp.Formula) {
	add := func(f csp.Formula) {
		if all, ok := f.(csp.All); ok {
			out = append(out, all...)
		} else {
			out = append(out, f)
		}
	}
	for _, k := range t.s.constraints {
		add(t.formula(k.Expr, k.bad == False, true))
	}
	if t.mentioned == nil {
		t.mentioned = slices.Clone(t.at)
	}
	for i := range t.s.params {
		e := t.s.params[i].Condition
		if e == nil || !slices.ContainsFunc(t.s.depend.Parents[i], func(j int) bool { return t.mentioned[j] >= 0 }) {
			continue
		}
		add(t.formula(e, t.active[i], !t.active[i]))
	}
	return out
}

// begin is the system's state with some parameters fixed.
func (y *system) begin(fixed Assignment) *csp.State {
	st := y.p.Begin()
	for v := range y.grids {
		if w, ok := fixed[y.grids[v].param]; ok {
			q := y.s.point(y.grids[v].param, w)
			y.keep(st, v, &q)
		}
	}
	return st
}

// in restricts a state to the values of a cell.
func (y *system) in(st *csp.State, k *cell) {
	for v := range y.grids {
		if q := k.set(y.grids[v].param); q != nil {
			y.keep(st, v, q)
		}
	}
}

// keep leaves variable v the places of values in a set.
func (y *system) keep(st *csp.State, v int, q *valueSet) {
	if q.choice != nil {
		st.Keep(v, func(place int64) bool { return q.holds(float64(place)) })
		return
	}
	g := &y.grids[v]
	lo, hi := g.place(q.lo), g.place(q.hi)
	if g.value(lo) < q.lo {
		lo++
	}
	if g.value(hi) > q.hi {
		hi--
	}
	st.Restrict(v, lo, hi)
}

// places are those of a configuration.
func (y *system) places(c *Configuration) []int64 {
	return lists.Of(y.grids, func(g grid) int64 { return g.place(c.Value[g.param]) })
}

// write sets the values of a configuration to those of places.
func (y *system) write(c *Configuration, places []int64) {
	for v := range y.grids {
		c.Value[y.grids[v].param] = y.grids[v].value(places[v])
	}
}

// near is a solution near the values of c; see csp.State.Near.
func (y *system) near(st *csp.State, c *Configuration, r *rand.Rand, nodes int) (places []int64, none bool) {
	target, weight := make([]float64, len(y.grids)), make([]float64, len(y.grids))
	for v := range y.grids {
		g := &y.grids[v]
		value := c.Value[g.param]
		target[v], weight[v] = g.at(value), g.weight(value)
	}
	return st.Near(target, weight, r, nodes)
}

// mends reports whether configurations that violate a constraint are moved to ones near by that satisfy all: where the
// space is narrow, or where numbers are tied by a linear constraint.
func (s *Space) mends() bool { return s.tied() || s.narrow() }

// tiesNumbers reports whether a constraint is linear in several numbers.
func (s *Space) tiesNumbers() bool {
	number := func(t Term) bool { return s.params[t.Param].IsNumber() }
	for _, k := range s.constraints {
		for _, e := range atoms(k.Expr) {
			l, _ := s.linear(e)
			if n := slices.IndexFunc(l.Terms, number); n >= 0 && slices.ContainsFunc(l.Terms[n+1:], number) {
				return true
			}
		}
	}
	return false
}

// linear is e, a comparison, as Linear has it or, of a ratio to a form of one sign, times its denominator.
func (s *Space) linear(e Expr) (l LinearRelation, ok bool) {
	c, ok := e.(Compare)
	if !ok {
		return l, false
	}
	if l, ok = c.Linear(); ok {
		return l, true
	}
	if c, ok = c.cleared(s).(Compare); ok {
		return c.Linear()
	}
	return l, false
}

// mendNodes bounds the search for a solution near a point.
const mendNodes = 400

// mend moves the values of c as little as it can so that the constraints hold, without a
// change of its activity pattern or of fixed parameters; false: it did not succeed.
func (s *Space) mend(c *Configuration, fixed Assignment, r *rand.Rand) bool {
	if s.giveWay(c, fixed, r) {
		return true
	}
	y := s.system(c.Active)
	st := y.begin(fixed)
	places, _ := y.near(st, c, r, mendNodes)
	if places == nil {
		return false
	}
	before := c.Clone()
	for v := range y.grids { // a parameter that keeps its place keeps its digits
		if g := &y.grids[v]; g.place(c.Value[g.param]) != places[v] {
			c.Value[g.param] = g.value(places[v])
		}
	}
	if s.fits(*c) {
		return true
	}
	y.write(c, places)
	if s.fits(*c) {
		return true
	}
	*c = before
	return false
}

// giveWay mends constraints on choices alone: one choice of the first violated constraint after
// the other takes another value, such that all constraints up to that one hold. It asks a few
// constraints, where a search near c asks all. Where it does not succeed it leaves c as it was.
func (s *Space) giveWay(c *Configuration, fixed Assignment, r *rand.Rand) bool {
	before := slices.Clone(c.Value)
	n, bad := s.violated(*c)
	for moved := true; bad && moved; {
		moved = false
		at := n
		for _, i := range s.choicesOf(c, n, fixed) {
			was := c.Value[i]
			for _, v := range r.Perm(len(s.params[i].Values)) {
				c.Value[i] = float64(v)
				if n, bad = s.first(s.watch(), *c, at); !bad || n > at {
					moved = true
					break
				}
			}
			if moved {
				break
			}
			c.Value[i] = was
		}
	}
	if bad || !s.consistent(*c) {
		copy(c.Value, before)
		return false
	}
	return true
}

// choicesOf are the choices that may give way to the constraint at a place; none where it is on something else, too.
func (s *Space) choicesOf(c *Configuration, n int, fixed Assignment) []int {
	free := lists.Only(mentions(s.constraints[n].Expr), func(i int) bool { return c.Active[i] && !fixed.has(i) })
	if slices.ContainsFunc(free, func(i int) bool { return !s.params[i].Nominal() }) {
		return nil
	}
	return free
}

// fits reports whether the constraints hold and the activity follows from the values.
func (s *Space) fits(c Configuration) bool {
	return s.Allows(c) && s.consistent(c)
}
