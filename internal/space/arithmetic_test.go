package space

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tenths are n parameters from 0 to 1 in steps of 0.1.
func tenths(n int) []Parameter {
	var params []Parameter
	for i := range n {
		params = append(params, Parameter{Name: string(rune('a' + i)), Kind: Float, High: 1, Step: 0.1})
	}
	return params
}

func plus(a, b Sum) Sum  { return Binary{'+', a, b} }
func times(a, b Sum) Sum { return Binary{'*', a, b} }

// Comparisons are those of the decimals that values print as. The counts are those
// of the same relations on whole tenths.
func TestComparisonsOnDecimals(t *testing.T) {
	a, b, c := Ref{0}, Ref{1}, Ref{2}
	for _, k := range []struct {
		params  int
		require Expr
		want    func(a, b, c int) bool
	}{
		{3, Compare{Eq, plus(plus(a, b), c), Const(1)}, func(a, b, c int) bool { return a+b+c == 10 }},
		{3, Compare{Le, plus(a, plus(b, c)), Const(1)}, func(a, b, c int) bool { return a+b+c <= 10 }},
		{3, Compare{Gt, plus(plus(a, b), c), Const(1)}, func(a, b, c int) bool { return a+b+c > 10 }},
		{2, Compare{Ne, times(a, Const(3)), Const(0.6)}, func(a, _, _ int) bool { return a != 2 }},
		{2, Compare{Eq, times(a, b), Const(0.06)}, func(a, b, _ int) bool { return a*b == 6 }},
		{2, Compare{Eq, Binary{'/', a, b}, Const(3)}, func(a, b, _ int) bool { return b != 0 && a == 3*b }},
		{2, Compare{Eq, Binary{'%', a, Const(0.3)}, b}, func(a, b, _ int) bool { return a%3 == b }},
		{2, Compare{Eq, Apply{Max, []Sum{a, times(b, Const(3))}}, Const(0.9)},
			func(a, b, _ int) bool { return max(a, 3*b) == 9 }},
		{2, Compare{Eq, Apply{Min, []Sum{a, times(b, Const(3))}}, Const(0.3)},
			func(a, b, _ int) bool { return min(a, 3*b) == 3 }},
		{2, Compare{Eq, Apply{Abs, []Sum{Binary{'-', a, b}}}, Const(0.1)},
			func(a, b, _ int) bool { return a-b == 1 || b-a == 1 }},
	} {
		s, err := New(tenths(k.params), nil, []Clause{{k.require, "relation"}})
		must(t, err)
		want := 0
		for i := range 11 {
			for j := range 11 {
				for l := range 11 {
					if (k.params == 3 || l == 0) && k.want(i, j, l) {
						want++
					}
				}
			}
		}
		if n, finite := s.Size(); !finite || n != float64(want) {
			t.Errorf("%s: %v configurations, not %d", s.Format(k.require), n, want)
		}
	}
}

// drawArithmetic makes arithmetic on four numbers and a choice.
func drawArithmetic(t *rapid.T, depth int) Sum {
	switch k := rapid.IntRange(0, 9).Draw(t, "arithmetic"); {
	case depth == 0 || k == 0:
		return Ref{rapid.IntRange(0, 3).Draw(t, "param")}
	case k == 1:
		return Const(drawDecimal(t))
	case k == 2:
		return NumberOf{4, []float64{0.1, 32, -7}}
	case k < 8:
		return Binary{"+-*/%"[k-3], drawArithmetic(t, depth-1), drawArithmetic(t, depth-1)}
	}
	f := rapid.SampledFrom([]Func{Min, Max, Abs}).Draw(t, "function")
	if f == Abs {
		return Apply{f, []Sum{drawArithmetic(t, depth-1)}}
	}
	return Apply{f, []Sum{drawArithmetic(t, depth-1), drawArithmetic(t, depth-1)}}
}

// drawDecimal makes numbers that collide often, and some of any size.
func drawDecimal(t *rapid.T) float64 {
	switch rapid.IntRange(0, 3).Draw(t, "size") {
	case 0:
		return float64(rapid.IntRange(-20, 20).Draw(t, "tenths")) / 10
	case 1:
		return float64(rapid.Int64Range(-MaxInt, MaxInt).Draw(t, "whole"))
	case 2:
		return float64(rapid.IntRange(-5, 5).Draw(t, "unit"))
	}
	return rapid.SampledFrom([]float64{1, -1}).Draw(t, "sign") * rapid.Float64Range(1e-6, 1e9).Draw(t, "any")
}

// onPaper is the value of x by rational numbers of any size.
func onPaper(x Sum, c Configuration) (*big.Rat, bool) {
	written := func(v float64) *big.Rat {
		r, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', -1, 64))
		return r
	}
	var args []*big.Rat
	each := func(list ...Sum) bool {
		for _, a := range list {
			v, ok := onPaper(a, c)
			if !ok {
				return false
			}
			args = append(args, v)
		}
		return true
	}
	switch x := x.(type) {
	case Const:
		return written(float64(x)), true
	case Ref:
		return written(c.Value[x.Param]), true
	case NumberOf:
		return written(x.Numbers[int(c.Value[x.Param])]), true
	case Apply:
		if !each(x.Args...) {
			return nil, false
		}
		order := func(a, b *big.Rat) int { return a.Cmp(b) }
		switch x.Func {
		case Min:
			return slices.MinFunc(args, order), true
		case Max:
			return slices.MaxFunc(args, order), true
		}
		return new(big.Rat).Abs(args[0]), true
	case Binary:
		if !each(x.Left, x.Right) || strings.ContainsRune("/%", rune(x.Op)) && args[1].Sign() == 0 {
			return nil, false
		}
		a, b := args[0], args[1]
		switch x.Op {
		case '+':
			return new(big.Rat).Add(a, b), true
		case '-':
			return new(big.Rat).Sub(a, b), true
		case '*':
			return new(big.Rat).Mul(a, b), true
		}
		q := new(big.Rat).Quo(a, b)
		if x.Op == '/' {
			return q, true
		}
		floor := new(big.Rat).SetInt(new(big.Int).Div(q.Num(), q.Denom()))
		return new(big.Rat).Sub(a, floor.Mul(floor, b)), true
	}
	panic("unknown arithmetic")
}

// The binary value lies within its bound of the value on paper, and a comparison comes out as on paper.
func TestArithmeticIsExact(t *testing.T) {
	checked, ties, wide := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := Configuration{Value: make([]float64, 5), Active: []bool{true, true, true, true, true}}
		for i := range 4 {
			c.Value[i] = drawDecimal(t)
		}
		c.Value[4] = float64(rapid.IntRange(0, 2).Draw(t, "choice"))
		e := Compare{Op(rapid.IntRange(0, 5).Draw(t, "op")), drawArithmetic(t, 3), drawArithmetic(t, 3)}
		if rapid.IntRange(0, 3).Draw(t, "equal sides") == 0 {
			e.Right = e.Left
		}
		var values []*big.Rat
		for _, x := range []Sum{e.Left, e.Right} {
			want, known := onPaper(x, c)
			v, bound, ok := x.approx(c)
			if ok && !math.IsInf(bound, 0) && !math.IsNaN(bound) {
				if !known {
					t.Fatalf("%#v of %v has no value, not %v ± %v", x, c.Value, v, bound)
				}
				d := new(big.Rat).SetFloat64(v)
				if d.Abs(d.Sub(d, want)).Cmp(new(big.Rat).SetFloat64(1.001*bound)) > 0 {
					t.Fatalf("%#v of %v is %v, not %v ± %v", x, c.Value, want, v, bound)
				}
			}
			if known && !ok {
				t.Fatalf("%#v of %v is %v", x, c.Value, want)
			}
			if got := exact(x, c); (got != nil) != known || got != nil && got.Cmp(want) != 0 {
				t.Fatalf("%#v of %v is %v, not %v", x, c.Value, want, got)
			} else if got != nil && got.Num().BitLen() > 62 {
				wide++
			}
			if known {
				values = append(values, want)
			}
		}
		want := False
		if len(values) == 2 {
			sign := values[0].Cmp(values[1])
			want = truth(e.Op.Holds(sign))
			if sign == 0 {
				ties++
			}
		}
		if got := e.Eval(c); got != want {
			t.Fatalf("%#v of %v is %v, not %v", e, c.Value, got, want)
		}
		checked++
	})
	if checked == 0 || ties == 0 || wide == 0 {
		t.Errorf("%d comparisons, %d of equal numbers, %d numbers beyond 64 bits", checked, ties, wide)
	}
}

// 2^53 + 1 rounds to 2^53, which is no reason to take the two for equal.
func TestSumBeyondWholeNumbers(t *testing.T) {
	c := Configuration{Value: []float64{1}, Active: []bool{true}}
	if got := (Compare{Eq, Binary{'+', Const(MaxInt), Ref{0}}, Const(MaxInt)}).Eval(c); got != False {
		t.Errorf("2^53 + 1 == 2^53 is %v", got)
	}
}

// A linear form has the sign of the difference of the sides.
func TestLinear(t *testing.T) {
	linear := 0
	rapid.Check(t, func(t *rapid.T) {
		e := Compare{Op(rapid.IntRange(0, 5).Draw(t, "op")), drawArithmetic(t, 3), drawArithmetic(t, 3)}
		l, ok := e.Linear()
		if !ok {
			return
		}
		linear++
		c := Configuration{Value: make([]float64, 5), Active: []bool{true, true, true, true, true}}
		sum := l.Constant
		for i := range 4 {
			c.Value[i] = drawDecimal(t)
		}
		for _, term := range l.Terms {
			v := decimal(c.Value[term.Param])
			if term.Numbers != nil {
				v = decimal(term.Numbers[int(c.Value[term.Param])])
			}
			sum.Add(sum, v.Mul(v, term.Coef))
		}
		a, _ := onPaper(e.Left, c)
		b, _ := onPaper(e.Right, c)
		if a.Sub(a, b).Cmp(sum) != 0 {
			t.Fatalf("%#v: %v, not %v", e, sum, a)
		}
	})
	if linear == 0 {
		t.Error("no relation was linear")
	}
	a, b := Ref{0}, Ref{1}
	l, ok := Compare{Le, plus(times(Const(0.1), a), Binary{'/', b, Const(3)}), Binary{'-', Const(1), a}}.Linear()
	if !ok || len(l.Terms) != 2 || l.Terms[0].Coef.Cmp(big.NewRat(11, 10)) != 0 ||
		l.Terms[1].Coef.Cmp(big.NewRat(1, 3)) != 0 || l.Constant.Cmp(big.NewRat(-1, 1)) != 0 {
		t.Errorf("0.1 a + b/3 <= 1 − a is %+v", l)
	}
	for _, x := range []Sum{times(a, b), Binary{'/', a, b}, Binary{'%', a, Const(2)}, Apply{Abs, []Sum{a}},
		Binary{'+', a, NumberOf{0, []float64{1, 2}}}, Binary{'/', a, Const(0)}} {
		if _, ok := (Compare{Eq, x, Const(1)}).Linear(); ok {
			t.Errorf("%#v is linear", x)
		}
	}
}

// A remainder has the sign of its divisor.
func TestRemainder(t *testing.T) {
	for _, k := range [][3]float64{{7, 3, 1}, {-7, 3, 2}, {7, -3, -2}, {-7, -3, -1}, {6, -3, 0}, {0.7, 0.2, 0.1},
		{-0.7, 0.2, 0.1}, {1e15 + 1, 2, 1}} {
		e := Compare{Eq, Binary{'%', Const(k[0]), Const(k[1])}, Const(k[2])}
		if e.Eval(Configuration{}) != True {
			t.Errorf("%v %% %v is not %v", k[0], k[1], k[2])
		}
	}
	if (Compare{Eq, Binary{'%', Const(1), Binary{'-', Const(0.3), times(Const(0.1), Const(3))}},
		Const(0)}).Eval(Configuration{}) != False {
		t.Error("a remainder by zero is 0")
	}
}
