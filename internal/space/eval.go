package space

import (
	"cmp"
	"math"
	"slices"
)

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
	v := c.Value[e.Param]
	for _, w := range e.Values {
		if v == w {
			return True
		}
	}
	return False
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
