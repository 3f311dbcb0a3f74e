package space

import (
	"math/big"
	"slices"
)

// LinearRelation is a comparison of a linear form with zero: Σ Coef·Param + Constant Op 0.
// Its numbers are exact and must not be written to.
type LinearRelation struct {
	Terms    []Term // by parameter, ascending; no coefficient is 0
	Constant *big.Rat
	Op       Op
}

// Term is a multiple of a parameter's raw value or, where Numbers are given, of the number
// that the value of a choice is.
type Term struct {
	Param   int
	Coef    *big.Rat
	Numbers []float64 // by index of the value
}

// Linear is the comparison as Left − Right Op 0; ok is false where that is not linear in raw values or the numbers of
// choices: products and ratios of parameters, % and functions. The raw value of a choice is an index. No parameter has
// two terms, so one that stands for its index and its number at once is not linear either.
func (e Compare) Linear() (l LinearRelation, ok bool) {
	l = LinearRelation{Constant: new(big.Rat), Op: e.Op}
	if !l.add(e.Left, decimal(1)) || !l.add(e.Right, decimal(-1)) {
		return LinearRelation{}, false
	}
	l.Terms = slices.DeleteFunc(l.Terms, func(t Term) bool { return t.Coef.Sign() == 0 })
	return l, true
}

// addParam adds a multiple of a parameter, by its numbers if it has such.
func (l *LinearRelation) addParam(i int, numbers []float64, times *big.Rat) bool {
	k, seen := slices.BinarySearchFunc(l.Terms, i, func(t Term, i int) int { return t.Param - i })
	if !seen {
		l.Terms = slices.Insert(l.Terms, k, Term{i, new(big.Rat), numbers})
	}
	t := &l.Terms[k]
	t.Coef.Add(t.Coef, times)
	return (t.Numbers == nil) == (numbers == nil)
}

// add adds a multiple of x; it is false where x is not linear.
func (l *LinearRelation) add(x Sum, times *big.Rat) bool {
	if v := constant(x); v != nil {
		l.Constant.Add(l.Constant, v.Mul(v, times))
		return true
	}
	switch x := x.(type) {
	case Ref:
		return l.addParam(x.Param, nil, times)
	case NumberOf:
		return l.addParam(x.Param, x.Numbers, times)
	case Binary:
		left, right := constant(x.Left), constant(x.Right)
		switch {
		case x.Op == '+':
			return l.add(x.Left, times) && l.add(x.Right, times)
		case x.Op == '-':
			return l.add(x.Left, times) && l.add(x.Right, new(big.Rat).Neg(times))
		case x.Op == '*' && left != nil:
			return l.add(x.Right, left.Mul(left, times))
		case x.Op == '*' && right != nil:
			return l.add(x.Left, right.Mul(right, times))
		case x.Op == '/' && right != nil && right.Sign() != 0:
			return l.add(x.Left, right.Quo(times, right))
		}
	}
	return false
}

// constant is the value of arithmetic without parameters; nil: it has some, or no value.
func constant(x Sum) *big.Rat {
	if len(operands(x)) > 0 {
		return nil
	}
	return exact(x, Configuration{})
}

// cleared is a comparison of a quotient of linear forms with a number, multiplied by the divisor: a/b ≤ 2 is b > 0 and
// a − 2b ≤ 0, or b < 0 and a − 2b ≥ 0. A divisor of one sign leaves one comparison. It is nil for any other comparison.
func (e Compare) cleared(s *Space) Expr {
	left, ok := e.Left.(Binary)
	if right, quotient := e.Right.(Binary); quotient && right.Op == '/' {
		e = Compare{Op: e.Op.Flipped(), Left: e.Right, Right: e.Left}
		left, ok = right, true
	}
	if !ok || left.Op != '/' || constant(e.Right) == nil {
		return nil
	}
	lo, hi := s.reach(left.Right)
	above := Compare{Op: e.Op, Left: left.Left, Right: Binary{'*', e.Right, left.Right}}
	if _, linear := above.Linear(); !linear || lo == nil {
		return nil
	}
	below := Compare{Op: e.Op.Flipped(), Left: above.Left, Right: above.Right}
	sign := func(op Op) Compare { return Compare{Op: op, Left: left.Right, Right: Const(0)} }
	switch {
	case lo.Sign() > 0:
		return above
	case hi.Sign() < 0:
		return below
	case lo.Sign() == 0, above.Op == below.Op:
		return And{sign(Ne), above}
	case hi.Sign() == 0:
		return And{sign(Ne), below}
	}
	return Or{And{sign(Gt), above}, And{sign(Lt), below}}
}

// reach are the smallest and the largest value of a linear form; nil: it is not linear in numbers.
func (s *parameters) reach(x Sum) (lo, hi *big.Rat) {
	form, ok := Compare{Left: x, Right: Const(0)}.Linear()
	if !ok {
		return nil, nil
	}
	lo, hi = new(big.Rat).Set(form.Constant), new(big.Rat).Set(form.Constant)
	for _, term := range form.Terms {
		p := &s.params[term.Param]
		ends := []float64{p.Low, p.High}
		if p.Choice() {
			if ends = term.Numbers; ends == nil {
				return nil, nil
			}
		}
		a, b := decimal(slices.Min(ends)), decimal(slices.Max(ends))
		if term.Coef.Sign() < 0 {
			a, b = b, a
		}
		lo.Add(lo, a.Mul(a, term.Coef))
		hi.Add(hi, b.Mul(b, term.Coef))
	}
	return lo, hi
}
