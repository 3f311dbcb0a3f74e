package space

import (
	"math"
	"math/big"
	"strconv"
)

// Arithmetic in binary with a running bound on its error (Higham 2002, Accuracy and
// Stability of Numerical Algorithms, §3.3). Whole numbers up to 2^53 have no error,
// and sums, products and quotients of them that are such numbers have none either.

// rounding is the largest relative error of one rounding to a double.
const rounding = 0x1p-53

// isWhole reports whether v is an integer of at most 2^53.
func isWhole(v float64) bool { return v == math.Trunc(v) && math.Abs(v) <= MaxInt }

// printed is how far the decimal that v prints as may lie from v.
func printed(v float64) float64 {
	if isWhole(v) {
		return 0
	}
	return math.Abs(v)*rounding + math.SmallestNonzeroFloat64
}

func (n Const) approx(Configuration) (v, err float64, ok bool) {
	return float64(n), printed(float64(n)), true
}

func (r Ref) approx(c Configuration) (v, err float64, ok bool) {
	v = c.Value[r.Param]
	return v, printed(v), c.Active[r.Param]
}

func (n NumberOf) approx(c Configuration) (v, err float64, ok bool) {
	if !c.Active[n.Param] {
		return 0, 0, false
	}
	v = n.Numbers[int(c.Value[n.Param])]
	return v, printed(v), true
}

func (a Apply) approx(c Configuration) (v, err float64, ok bool) {
	for k, arg := range a.Args {
		x, dx, ok := arg.approx(c)
		switch {
		case !ok:
			return 0, 0, false
		case a.Func == Abs:
			v = math.Abs(x)
		case k == 0 || a.Func == Min && x < v || a.Func == Max && x > v:
			v = x
		}
		err = max(err, dx)
	}
	return v, err, true
}

func (b Binary) approx(c Configuration) (v, err float64, ok bool) {
	x, dx, ok := b.Left.approx(c)
	if !ok {
		return 0, 0, false
	}
	y, dy, ok := b.Right.approx(c)
	if !ok {
		return 0, 0, false
	}
	if b.Op == '/' || b.Op == '%' {
		switch {
		case y == 0 && dy == 0:
			return 0, 0, false
		case !(math.Abs(y) > dy): // zero or not: the exact value tells
			return 0, math.Inf(1), true
		}
	}
	switch b.Op {
	case '+':
		v, err = x+y, dx+dy
	case '-':
		v, err = x-y, dx+dy
	case '*':
		v, err = x*y, math.Abs(x)*dy+math.Abs(y)*dx+dx*dy
	case '/':
		v = x / y
		err = (dx + math.Abs(v)*dy) / (math.Abs(y) - dy)
	case '%':
		return remainder(x, dx, y, dy)
	}
	// A result of 2^53 may stand for 2^53 + 1, which rounds to it.
	if err > 0 || !isWhole(v) || math.Abs(v) == MaxInt || b.Op == '/' && v*y != x {
		err += printed(v) + math.Abs(v)*rounding
	}
	return v, err, !math.IsNaN(v) && !math.IsInf(v, 0)
}

// remainder is x − y·⌊x/y⌋ for |y| > dy; the error is infinite where the errors of x and y leave ⌊x/y⌋ open.
func remainder(x, dx, y, dy float64) (v, err float64, ok bool) {
	if dx == 0 && dy == 0 {
		if v = math.Mod(x, y); v != 0 && (v < 0) != (y < 0) {
			v += y
		}
		return v, 0, true
	}
	q := x / y
	dq := (dx+math.Abs(q)*dy)/(math.Abs(y)-dy) + 2*math.Abs(q)*rounding
	f := math.Floor(q)
	if !(q-f > dq && f+1-q > dq) {
		return 0, math.Inf(1), true
	}
	return x - f*y, dx + math.Abs(f)*dy + 2*(math.Abs(x)+math.Abs(f*y))*rounding, true
}

// decimal is the number that v, finite, prints as.
func decimal(v float64) *big.Rat {
	// A decimal of at most 15 digits is the only such one that its double prints as.
	scale := 1.0
	for range 16 {
		if m := math.Round(v * scale); math.Abs(m) >= 1e15 {
			break
		} else if m/scale == v {
			return big.NewRat(int64(m), int64(scale))
		}
		scale *= 10
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', -1, 64))
	if !ok {
		panic("space: not a finite number")
	}
	return r
}

// exact is the value of arithmetic, which the caller may change; nil: there is none.
func exact(x Sum, c Configuration) (v *big.Rat) {
	switch x := x.(type) {
	case Apply:
		for _, arg := range x.Args {
			y := exact(arg, c)
			switch {
			case y == nil:
				return nil
			case x.Func == Abs:
				v = y.Abs(y)
			case v == nil || x.Func == Min && y.Cmp(v) < 0 || x.Func == Max && y.Cmp(v) > 0:
				v = y
			}
		}
		return v
	case Binary:
		left, right := exact(x.Left, c), exact(x.Right, c)
		if left == nil || right == nil {
			return nil
		}
		return x.operate(left, right)
	}
	number, _, ok := x.approx(c)
	if !ok {
		return nil
	}
	return decimal(number)
}

// operate is the value for two operands; it changes the first. nil: there is none.
func (b Binary) operate(x, y *big.Rat) *big.Rat {
	switch b.Op {
	case '+':
		return x.Add(x, y)
	case '-':
		return x.Sub(x, y)
	case '*':
		return x.Mul(x, y)
	}
	if y.Sign() == 0 {
		return nil
	}
	q := new(big.Rat).Quo(x, y)
	if b.Op == '/' {
		return q
	}
	whole := new(big.Rat).SetInt(new(big.Int).Div(q.Num(), q.Denom())) // ⌊x/y⌋
	return x.Sub(x, whole.Mul(whole, y))
}
