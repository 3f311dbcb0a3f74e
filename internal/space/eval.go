package space

import "math"

// Eval is the minimum of the operands.
func (e And) Eval(c Configuration) Truth {
	t := True
	for _, x := range e {
		if t = min(t, x.Eval(c)); t == False {
			break
		}
	}
	return t
}

// Eval is the maximum of the operands.
func (e Or) Eval(c Configuration) Truth {
	t := False
	for _, x := range e {
		if t = max(t, x.Eval(c)); t == True {
			break
		}
	}
	return t
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

// Eval compares the two numbers.
func (e Compare) Eval(c Configuration) Truth {
	a, ok := e.Left.Number(c)
	if !ok {
		return Unknown
	}
	b, ok := e.Right.Number(c)
	if !ok {
		return Unknown
	}
	return truth(e.Op.holds(a, b))
}

func (o Op) holds(a, b float64) bool {
	switch o {
	case Eq:
		return a == b
	case Ne:
		return a != b
	case Lt:
		return a < b
	case Le:
		return a <= b
	case Gt:
		return a > b
	case Ge:
		return a >= b
	}
	panic("space: unknown comparison")
}

func truth(b bool) Truth {
	if b {
		return True
	}
	return False
}

// Number is the constant.
func (n Const) Number(Configuration) (float64, bool) { return float64(n), true }

// Number is the parameter's raw value while it is active.
func (r Ref) Number(c Configuration) (float64, bool) {
	return c.Value[r.Param], c.Active[r.Param]
}

// Number applies the operation; a result that is not finite is no number.
func (b Binary) Number(c Configuration) (float64, bool) {
	x, ok := b.Left.Number(c)
	if !ok {
		return 0, false
	}
	y, ok := b.Right.Number(c)
	if !ok {
		return 0, false
	}
	switch b.Op {
	case '+':
		x += y
	case '-':
		x -= y
	case '*':
		x *= y
	case '/':
		x /= y
	default:
		panic("space: unknown operation")
	}
	return x, !math.IsNaN(x) && !math.IsInf(x, 0)
}
