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

func (n Const) exact(Configuration) *big.Rat { return decimal(float64(n)) }

func (r Ref) exact(c Configuration) *big.Rat {
	if !c.Active[r.Param] {
		return nil
	}
	return decimal(c.Value[r.Param])
}

func (n NumberOf) exact(c Configuration) *big.Rat {
	if !c.Active[n.Param] {
		return nil
	}
	return decimal(n.Numbers[int(c.Value[n.Param])])
}

func (a Apply) exact(c Configuration) (v *big.Rat) {
	for _, arg := range a.Args {
		x := arg.exact(c)
		switch {
		case x == nil:
			return nil
		case a.Func == Abs:
			v = x.Abs(x)
		case v == nil || a.Func == Min && x.Cmp(v) < 0 || a.Func == Max && x.Cmp(v) > 0:
			v = x
		}
	}
	return v
}

func (b Binary) exact(c Configuration) *big.Rat {
	x := b.Left.exact(c)
	if x == nil {
		return nil
	}
	y := b.Right.exact(c)
	switch {
	case y == nil:
		return nil
	case b.Op == '+':
		return x.Add(x, y)
	case b.Op == '-':
		return x.Sub(x, y)
	case b.Op == '*':
		return x.Mul(x, y)
	case y.Sign() == 0:
		return nil
	case b.Op == '/':
		return x.Quo(x, y)
	}
	q := new(big.Rat).Quo(x, y)
	whole := new(big.Rat).SetInt(new(big.Int).Div(q.Num(), q.Denom())) // ⌊x/y⌋
	return x.Sub(x, whole.Mul(whole, y))
}
