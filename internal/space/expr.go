package space

import (
	"cmp"
	"math"
	"slices"
)

// Truth is a value of Kleene's strong three-valued logic.
type Truth int8

// The truth values, ordered so that and is min and or is max.
const (
	False   Truth = -1
	Unknown Truth = 0
	True    Truth = 1
)

// An Expr is a condition over a configuration. The tree is immutable and refers to parameters by index.
type Expr interface {
	// Eval decides the condition. An atom on an inactive parameter is Unknown; one
	// whose arithmetic otherwise gives no number does not hold.
	Eval(c Configuration) Truth
}

// A Sum is an arithmetic expression over a configuration, on the decimal numbers
// that its parameters and constants print as. It has no value where a parameter in
// it is inactive, where it divides by zero or where it leaves the range of doubles.
type Sum interface {
	// approx is the value in binary arithmetic and a bound on its error, which is 0 where it is exact
	// and infinite or NaN where binary arithmetic cannot decide.
	approx(c Configuration) (v, err float64, ok bool)
}

// The conditions. And and Or hold for no operands as True and False. ActiveOf is
// always known. In compares raw values, so choices compare by index.
type (
	And      []Expr
	Or       []Expr
	Not      struct{ X Expr }
	ActiveOf struct{ Param int }
	In       struct {
		Param  int
		Values []float64
	}
	Compare struct {
		Op          Op
		Left, Right Sum
	}
)

// The arithmetic: a number (also the index of a choice's value), a parameter's raw value, the number that a choice's
// value is, the operations and the functions. The remainder a % b is a − b·⌊a/b⌋, with the sign of b.
type (
	Const    float64
	Ref      struct{ Param int }
	NumberOf struct {
		Param   int
		Numbers []float64 // by index of the value
	}
	Binary struct {
		Op          byte // + - * / %
		Left, Right Sum
	}
	Apply struct {
		Func Func
		Args []Sum // at least one; Abs: one
	}
)

// Func is a function of numbers, by its name in the language of study files.
type Func string

// The functions.
const (
	Min Func = "min"
	Max Func = "max"
	Abs Func = "abs"
)

// Op is a comparison.
type Op int

// The comparisons.
const (
	Eq Op = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// not holds where o does not.
func (o Op) not() Op { return [...]Op{Eq: Ne, Ne: Eq, Lt: Ge, Le: Gt, Gt: Le, Ge: Lt}[o] }

// Flipped is o with its sides exchanged.
func (o Op) Flipped() Op { return [...]Op{Eq: Eq, Ne: Ne, Lt: Gt, Le: Ge, Gt: Lt, Ge: Le}[o] }

// A Clause is a constraint on inputs with its source text, for messages.
type Clause struct {
	Expr Expr
	Text string
}

// Eval is the minimum of the operands.
func (e And) Eval(c Configuration) Truth { return most(e, c, -1) }

// Eval is the maximum of the operands.
func (e Or) Eval(c Configuration) Truth { return most(e, c, 1) }

// most is the largest truth of some conditions or, with sign −1, the smallest.
func most(list []Expr, c Configuration, sign Truth) Truth {
	t := False
	for _, x := range list {
		if t = max(t, sign*x.Eval(c)); t == True {
			break
		}
	}
	return sign * t
}

// Eval swaps True and False.
func (e Not) Eval(c Configuration) Truth { return -e.X.Eval(c) }

// Eval is True or False.
func (e ActiveOf) Eval(c Configuration) Truth { return truth(c.Active[e.Param]) }

// Eval reports whether the parameter's raw value is listed.
func (e In) Eval(c Configuration) Truth {
	if !c.Active[e.Param] {
		return Unknown
	}
	return truth(slices.Contains(e.Values, c.Value[e.Param]))
}

// Eval compares the two numbers as decimals: in binary arithmetic where they lie
// further apart than its error, else exactly.
func (e Compare) Eval(c Configuration) Truth {
	if r, ok := e.Left.(Ref); ok {
		if k, ok := e.Right.(Const); ok {
			if !c.Active[r.Param] {
				return Unknown
			}
			return truth(e.Op.Holds(cmp.Compare(c.Value[r.Param], float64(k))))
		}
	}
	a, da, left := e.Left.approx(c)
	b, db, right := e.Right.approx(c)
	if !left || !right {
		return e.undefined(c)
	}
	// Doubles have the order of the decimals that they print as. The bound has rounding errors of its own.
	if d := da + db; d == 0 || math.Abs(a-b) > 1.001*d || isLeaf(e.Left) && isLeaf(e.Right) {
		return truth(e.Op.Holds(cmp.Compare(a, b)))
	}
	x, y := exact(e.Left, c), exact(e.Right, c)
	if x == nil || y == nil {
		return e.undefined(c)
	}
	return truth(e.Op.Holds(x.Cmp(y)))
}

// undefined is the truth where a side has no number: the comparison does not hold unless a parameter is inactive.
func (e Compare) undefined(c Configuration) Truth {
	if slices.ContainsFunc(References(e), func(i int) bool { return !c.Active[i] }) {
		return Unknown
	}
	return False
}

// Holds reports whether the comparison holds of two numbers by the sign of their difference: −1, 0 or 1.
func (o Op) Holds(sign int) bool {
	return [...][3]bool{
		Eq: {false, true, false}, Ne: {true, false, true},
		Lt: {true, false, false}, Le: {true, true, false},
		Gt: {false, false, true}, Ge: {false, true, true},
	}[o][sign+1]
}

func truth(b bool) Truth {
	if b {
		return True
	}
	return False
}
