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

// Linear is the comparison as Left − Right Op 0; ok is false where that is not linear
// in raw values or the numbers of choices: products and ratios of parameters, % and
// functions. The raw value of a choice is an index. No parameter has two terms, so one
// that stands for its index and its number at once is not linear either.
func (e Compare) Linear() (l LinearRelation, ok bool) {
	form := linearForm{constant: decimal(0), coef: map[int]rational{}, numbers: map[int][]float64{}}
	if !form.add(e.Left, decimal(1)) || !form.add(e.Right, decimal(-1)) {
		return LinearRelation{}, false
	}
	l = LinearRelation{Constant: form.constant.rat(), Op: e.Op}
	for i, c := range form.coef {
		if c.sign() != 0 {
			l.Terms = append(l.Terms, Term{i, c.rat(), form.numbers[i]})
		}
	}
	slices.SortFunc(l.Terms, func(a, b Term) int { return a.Param - b.Param })
	return l, true
}

type linearForm struct {
	constant rational
	coef     map[int]rational
	numbers  map[int][]float64
}

// addParam adds a multiple of a parameter, by its numbers if it has such.
func (f *linearForm) addParam(i int, numbers []float64, times rational) bool {
	if old, seen := f.coef[i]; seen {
		times = times.add(old)
		if (f.numbers[i] == nil) != (numbers == nil) {
			return false
		}
	}
	f.coef[i], f.numbers[i] = times, numbers
	return true
}

// add adds a multiple of x; it is false where x is not linear.
func (f *linearForm) add(x Sum, times rational) bool {
	if v, ok := constant(x); ok {
		f.constant = f.constant.add(v.mul(times))
		return true
	}
	switch x := x.(type) {
	case Ref:
		return f.addParam(x.Param, nil, times)
	case NumberOf:
		return f.addParam(x.Param, x.Numbers, times)
	case Binary:
		left, isLeft := constant(x.Left)
		right, isRight := constant(x.Right)
		switch {
		case x.Op == '+':
			return f.add(x.Left, times) && f.add(x.Right, times)
		case x.Op == '-':
			return f.add(x.Left, times) && f.add(x.Right, times.neg())
		case x.Op == '*' && isLeft:
			return f.add(x.Right, times.mul(left))
		case x.Op == '*' && isRight:
			return f.add(x.Left, times.mul(right))
		case x.Op == '/' && isRight && right.sign() != 0:
			return f.add(x.Left, times.mul(right.inverse()))
		}
	}
	return false
}

// constant is the value of arithmetic without parameters.
func constant(x Sum) (v rational, ok bool) {
	free := true
	walkSum(x, func(int) { free = false })
	if !free {
		return rational{}, false
	}
	return x.exact(Configuration{})
}
