package space

import (
	"math/big"
	"slices"
	"sync"

	"bohier/internal/csp"
	"bohier/internal/lists"
)

// A translator turns conditions into formulas of an integer problem, for one activity pattern:
// atoms on inactive parameters follow Kleene's logic.
type translator struct {
	s         *Space
	active    []bool
	grids     []grid // by variable
	at        []int  // parameter → variable, −1
	rows      []*row // in the order in which they are met
	mentioned []int  // at, after the constraints and before the conditions
	next      int
	filled    bool          // the rows are numbers now
	scratch   Configuration // of the pattern
}

// A row is a linear atom.
type row struct {
	LinearRelation
	linear *csp.Linear
	never  bool // no place satisfies it
	beyond bool // integers are too short for it
}

// Every formula is made twice: the first time finds the rows, by which the grids of
// numbers are chosen, the second one fills them in.
var (
	always csp.Formula = csp.All{}
	never  csp.Formula = csp.Any{}
)

func constantFormula(b bool) csp.Formula {
	if b {
		return always
	}
	return never
}

// formula is e, or not e; atoms without a truth count as unknown.
func (t *translator) formula(e Expr, want, unknown bool) csp.Formula {
	switch e := e.(type) {
	case And:
		return t.join(e, want, want, unknown)
	case Or:
		return t.join(e, !want, want, unknown)
	case Not:
		return t.formula(e.X, !want, unknown)
	case ActiveOf:
		return constantFormula(t.active[e.Param] == want)
	}
	refs := References(e)
	if slices.ContainsFunc(refs, func(i int) bool { return !t.active[i] }) {
		return constantFormula(unknown)
	}
	if compare, ok := e.(Compare); ok && len(refs) > 0 && !t.listed(refs) {
		if l, ok := t.s.linear(compare); ok {
			if f, ok := t.linear(l, want); ok {
				return f
			}
		} else if x := compare.cleared(t.s); x != nil {
			return t.formula(x, want, unknown)
		}
	}
	return t.test(e, refs, want, unknown)
}

// listed reports whether an atom is one of a single parameter with few values.
func (t *translator) listed(refs []int) bool {
	return len(refs) == 1 && t.s.count(refs[0]) <= mostListed
}

func (t *translator) join(list []Expr, all, want, unknown bool) csp.Formula {
	var out []csp.Formula
	decided := false
	for _, e := range list { // all of them: the rows of both times must be the same
		f := t.formula(e, want, unknown)
		same, is := f.(csp.All)
		other, isOther := f.(csp.Any)
		if !all {
			same, is, other, isOther = csp.All(other), isOther, csp.Any(same), is
		}
		if is {
			out = append(out, same...)
			continue
		}
		decided = decided || isOther && len(other) == 0
		out = append(out, f)
	}
	if decided {
		return constantFormula(!all)
	}
	switch {
	case len(out) == 1:
		return out[0]
	case all:
		return csp.All(out)
	}
	return csp.Any(out)
}

// variable is the variable of a parameter, a new one at its first mention.
func (t *translator) variable(i int) int {
	if t.at[i] < 0 {
		t.at[i] = len(t.grids)
		t.grids = append(t.grids, t.s.newGrid(i))
	}
	return t.at[i]
}

// test asks the condition itself.
func (t *translator) test(e Expr, refs []int, want, unknown bool) csp.Formula {
	c := t.scratch
	holds := func(c Configuration) bool {
		v := e.Eval(c)
		return v == Unknown && unknown || v != Unknown && (v == True) == want
	}
	if len(refs) == 0 {
		return constantFormula(holds(c))
	}
	vars := lists.Of(refs, t.variable)
	grids := t.grids
	if t.listed(refs) {
		g := &grids[vars[0]]
		set := make([]uint64, (g.hi-g.lo)/64+1)
		some, all := false, true
		for place := g.lo; place <= g.hi; place++ {
			if c.Value[refs[0]] = g.value(place); holds(c) {
				set[(place-g.lo)>>6] |= 1 << ((place - g.lo) & 63)
				some = true
			} else {
				all = false
			}
		}
		if some == all {
			return constantFormula(all)
		}
		return &csp.Member{Var: vars[0], Places: set}
	}
	pool := sync.Pool{New: func() any {
		d := c.Clone()
		return &d
	}}
	read := func(at []int64) *Configuration {
		d := pool.Get().(*Configuration)
		for k, i := range refs {
			d.Value[i] = grids[vars[k]].value(at[vars[k]])
		}
		return d
	}
	x := &csp.Test{Vars: vars, Holds: func(at []int64) bool {
		d := read(at)
		defer pool.Put(d)
		return holds(*d)
	}}
	if compare, ok := e.(Compare); ok {
		if !want {
			compare.Op = compare.Op.not()
		}
		if compare.Op != Eq && compare.Op != Ne {
			x.Excess = func(at []int64) float64 {
				d := read(at)
				defer pool.Put(d)
				return compare.excess(*d)
			}
		}
	}
	return x
}

// excess is by how much an inequality is missed; 0 where a side has no number.
func (e Compare) excess(c Configuration) float64 {
	if e.Op == Gt || e.Op == Ge {
		e.Left, e.Right = e.Right, e.Left
	}
	left, _, ok := e.Left.approx(c)
	right, _, both := e.Right.approx(c)
	if !ok || !both {
		return 0
	}
	return left - right
}

// linear is a row; ok is false where integers are too short for it.
func (t *translator) linear(l LinearRelation, want bool) (f csp.Formula, ok bool) {
	if !want {
		l.Op = l.Op.not()
	}
	if len(l.Terms) == 0 {
		return constantFormula(l.Op.Holds(l.Constant.Sign())), true
	}
	for _, term := range l.Terms {
		t.variable(term.Param)
	}
	if !t.filled {
		r := &row{LinearRelation: l, linear: &csp.Linear{}}
		t.rows = append(t.rows, r)
		return r.linear, true
	}
	r := t.rows[t.next]
	t.next++
	switch {
	case r.beyond:
		return nil, false
	case r.never:
		return never, true
	}
	return r.linear, true
}

// fill turns the rows into integers. Equal decimals of all numbers that equalities join
// let their sums come out; coarser ones keep integers short.
func (t *translator) fill() {
	t.agree()
	for k := 0; k < len(t.rows); k++ {
		for !t.rows[k].beyond && !t.scale(t.rows[k]) {
			if t.coarsen(t.rows[k]) {
				t.agree()
				k = -1 // begin again
				break
			}
			t.rows[k].beyond = true
		}
	}
	t.filled = true
}

// agree gives the numbers of every equality the same decimals.
func (t *translator) agree() {
	for changed := true; changed; {
		changed = false
		for _, r := range t.rows {
			if r.Op != Eq || r.beyond {
				continue
			}
			least := 1 << 20
			for _, term := range r.Terms {
				if g := &t.grids[t.at[term.Param]]; g.long() {
					least = min(least, g.digits)
				}
			}
			for _, term := range r.Terms {
				if g := &t.grids[t.at[term.Param]]; g.long() && g.digits > least {
					g.setDigits(least)
					changed = true
				}
			}
		}
	}
}

// coarsen takes a decimal from the numbers of a row; false: they have none to spare.
func (t *translator) coarsen(r *row) bool {
	done := false
	for _, term := range r.Terms {
		if g := &t.grids[t.at[term.Param]]; g.long() && g.hi-g.lo > 1000 {
			g.setDigits(g.digits - 1)
			done = true
		}
	}
	return done
}

// mostSum bounds the size of a row's sum.
var mostSum = new(big.Int).Lsh(big.NewInt(1), 61)

// fractions are a row as one in places: for each term the number by which places count, or the term of each place;
// rest, which their sum compares with; and the least common denominator of the terms.
func (t *translator) fractions(r *row) (parts [][]*big.Rat, rest *big.Rat, common *big.Int) {
	parts, rest, common = make([][]*big.Rat, len(r.Terms)), new(big.Rat).Neg(r.Constant), big.NewInt(1)
	for k, term := range r.Terms {
		g := &t.grids[t.at[term.Param]]
		numbers := term.Numbers
		if numbers == nil {
			numbers = g.list
		}
		for _, v := range numbers {
			parts[k] = append(parts[k], new(big.Rat).Mul(decimal(v), term.Coef))
		}
		if numbers == nil {
			base, quantum := g.exact()
			rest.Sub(rest, new(big.Rat).Mul(base, term.Coef))
			parts[k] = []*big.Rat{new(big.Rat).Mul(quantum, term.Coef)}
		}
		for _, a := range parts[k] {
			common.Mul(common, new(big.Int).Div(a.Denom(), new(big.Int).GCD(nil, nil, common, a.Denom())))
		}
	}
	return parts, rest, common
}

// scale sets the integers of a row; false: they are too long.
func (t *translator) scale(r *row) bool {
	parts, rest, common := t.fractions(r)
	op, times := r.Op, new(big.Rat).SetInt(common)
	if op == Gt || op == Ge {
		op = op.Flipped()
		times.Neg(times)
	}
	rest.Mul(rest, times)
	size := new(big.Int)
	x := csp.Linear{}
	for k, term := range r.Terms {
		g := &t.grids[t.at[term.Param]]
		most := new(big.Int)
		for _, a := range parts[k] {
			if a.Mul(a, times).Num().CmpAbs(most) > 0 {
				most.Abs(a.Num())
			}
		}
		y := csp.Term{Var: t.at[term.Param]}
		table := term.Numbers != nil || g.list != nil
		if !table {
			most.Mul(most, big.NewInt(max(g.hi, -g.lo, 1)))
		}
		if size.Add(size, most).Cmp(mostSum) > 0 {
			return false
		}
		if y.Coef = parts[k][0].Num().Int64(); table {
			y.Coef = 0
			for _, a := range parts[k] {
				y.Table = append(y.Table, a.Num().Int64())
			}
		}
		x.Terms = append(x.Terms, y)
	}
	bound := new(big.Int).Div(rest.Num(), rest.Denom()) // ⌊rest⌋
	r.never = false
	switch op {
	case Eq, Ne:
		if x.Op = csp.Eq; op == Ne {
			x.Op = csp.Ne
		}
		if !rest.IsInt() {
			r.never = op == Eq
			bound.Set(mostSum) // never reached
		}
	case Lt:
		if rest.IsInt() {
			bound.Sub(bound, big.NewInt(1))
		}
	}
	if bound.CmpAbs(mostSum) > 0 { // beyond any sum
		bound.Mul(mostSum, big.NewInt(int64(bound.Sign())))
	}
	x.Bound = bound.Int64()
	*r.linear = x
	return true
}
