package space

import (
	"math"
	"math/big"
	"strconv"
)

// A rational is num/den with den > 0, or wide where 64 bits do not hold it.
type rational struct {
	num, den int64
	wide     *big.Rat
}

// decimal is the number that v, finite, prints as.
func decimal(v float64) rational {
	// A decimal of at most 15 digits is the only such one that its double prints as.
	scale := 1.0
	for range 16 {
		if m := math.Round(v * scale); math.Abs(m) >= 1e15 {
			break
		} else if m/scale == v {
			return rational{num: int64(m), den: int64(scale)}
		}
		scale *= 10
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', -1, 64))
	if !ok {
		panic("space: not a finite number")
	}
	return rational{wide: r}
}

// rat is x, to be written to by its caller only where x is not wide.
func (x rational) rat() *big.Rat {
	if x.wide != nil {
		return x.wide
	}
	return big.NewRat(x.num, x.den)
}

func (x rational) sign() int {
	switch {
	case x.wide != nil:
		return x.wide.Sign()
	case x.num > 0:
		return +1
	case x.num < 0:
		return -1
	}
	return 0
}

func (x rational) neg() rational {
	if x.wide != nil {
		return rational{wide: new(big.Rat).Neg(x.wide)}
	}
	return rational{num: -x.num, den: x.den}
}

func (x rational) add(y rational) rational {
	if x.wide == nil && y.wide == nil {
		a, b := int64(1), int64(1) // x.den·a = y.den·b
		switch {
		case x.den == y.den:
		case y.den%x.den == 0:
			a = y.den / x.den
		case x.den%y.den == 0:
			b = x.den / y.den
		default:
			a, b = y.den, x.den
		}
		m, ok1 := product(x.num, a)
		n, ok2 := product(y.num, b)
		d, ok3 := product(x.den, a)
		if ok1 && ok2 && ok3 {
			return rational{num: m + n, den: d}
		}
	}
	return rational{wide: new(big.Rat).Add(x.rat(), y.rat())}
}

func (x rational) mul(y rational) rational {
	if x.wide == nil && y.wide == nil {
		n, ok1 := product(x.num, y.num)
		d, ok2 := product(x.den, y.den)
		if ok1 && ok2 {
			return rational{num: n, den: d}
		}
	}
	return rational{wide: new(big.Rat).Mul(x.rat(), y.rat())}
}

// inverse is 1/x for x ≠ 0.
func (x rational) inverse() rational {
	switch {
	case x.wide != nil:
		return rational{wide: new(big.Rat).Inv(x.wide)}
	case x.num < 0:
		return rational{num: -x.den, den: -x.num}
	}
	return rational{num: x.den, den: x.num}
}

// floor is the largest integer ≤ x.
func (x rational) floor() rational {
	r := x.rat()
	return rational{wide: new(big.Rat).SetInt(new(big.Int).Div(r.Num(), r.Denom()))}
}

// cmp is the sign of x − y.
func (x rational) cmp(y rational) int { return x.add(y.neg()).sign() }

// product is a·b where its magnitude is below 2^62, so that two of them add up.
func product(a, b int64) (int64, bool) {
	p := a * b
	if a == 0 || p/a == b && p > -1<<62 && p < 1<<62 {
		return p, true
	}
	return 0, false
}
