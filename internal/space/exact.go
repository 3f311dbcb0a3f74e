package space

import (
	"math"
	"math/big"
	"strconv"
)

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
