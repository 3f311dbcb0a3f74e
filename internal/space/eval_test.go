package space

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// tri is a condition of given truth, for the laws of the connectives.
type tri Truth

func (t tri) Eval(Configuration) Truth { return Truth(t) }

// Kleene's strong logic: the connectives are monotone in information, De Morgan's
// laws hold, and known operands give the classical result.
func TestKleeneLogic(t *testing.T) {
	var c Configuration
	all := []Truth{False, Unknown, True}
	checked := 0
	for _, a := range all {
		if (Not{Not{tri(a)}}).Eval(c) != a {
			t.Errorf("not not %v", a)
		}
		for _, b := range all {
			and, or := And{tri(a), tri(b)}.Eval(c), Or{tri(a), tri(b)}.Eval(c)
			if and != (And{tri(b), tri(a)}).Eval(c) || or != (Or{tri(b), tri(a)}).Eval(c) {
				t.Errorf("%v, %v: not commutative", a, b)
			}
			if (Not{And{tri(a), tri(b)}}).Eval(c) != (Or{Not{tri(a)}, Not{tri(b)}}).Eval(c) {
				t.Errorf("%v, %v: De Morgan", a, b)
			}
			// Unknown results are those that knowing more could change either way.
			possible := func(v Truth) []Truth {
				if v == Unknown {
					return []Truth{False, True}
				}
				return []Truth{v}
			}
			sees := map[Truth]bool{}
			for _, x := range possible(a) {
				for _, y := range possible(b) {
					sees[And{tri(x), tri(y)}.Eval(c)] = true
				}
			}
			want := Unknown
			if len(sees) == 1 {
				for v := range sees {
					want = v
				}
			}
			if and != want {
				t.Errorf("%v and %v = %v, not %v", a, b, and, want)
			}
			checked++
		}
	}
	if checked != 9 {
		t.Fatal("not all pairs")
	}
	if (And{}).Eval(c) != True || (Or{}).Eval(c) != False {
		t.Error("empty connectives")
	}
}

func TestAtoms(t *testing.T) {
	c := Configuration{Value: []float64{2, 0, 5}, Active: []bool{true, false, true}}
	x, off, y := Ref{0}, Ref{1}, Ref{2}
	for _, k := range []struct {
		e    Expr
		want Truth
	}{
		{Compare{Lt, x, y}, True}, {Compare{Ge, x, y}, False}, {Compare{Eq, x, Const(2)}, True},
		{Compare{Ne, x, Const(2)}, False}, {Compare{Le, x, Const(2)}, True}, {Compare{Gt, x, Const(2)}, False},
		{Compare{Eq, off, Const(0)}, Unknown}, {Compare{Ne, off, Const(0)}, Unknown},
		{In{0, []float64{1, 2}}, True}, {In{0, []float64{1}}, False}, {In{1, []float64{0}}, Unknown},
		{ActiveOf{0}, True}, {ActiveOf{1}, False},
		{Compare{Eq, Binary{'+', x, Binary{'*', x, y}}, Const(12)}, True},
		{Compare{Eq, Binary{'-', y, Binary{'/', x, Const(4)}}, Const(4.5)}, True},
		{Compare{Gt, Binary{'/', x, Const(0)}, Const(1)}, False},
		{Compare{Eq, Binary{'/', Const(0), Const(0)}, Const(1)}, False},
		{Compare{Eq, Binary{'/', off, Const(0)}, Const(1)}, Unknown},
		{Compare{Gt, Binary{'*', Const(math.MaxFloat64), x}, Const(1)}, False},
		{Compare{Eq, Binary{'+', x, off}, Const(2)}, Unknown},
	} {
		if got := k.e.Eval(c); got != k.want {
			t.Errorf("%#v is %v, not %v", k.e, got, k.want)
		}
		if got := (Not{k.e}).Eval(c); got != -k.want {
			t.Errorf("not %#v is %v", k.e, got)
		}
	}
}

// Equal trees have equal text, and the text distinguishes trees that differ in value somewhere.
func TestFormatDistinguishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, false)
		params := s.Params()
		a, b := drawCondition(t, params, 2), drawCondition(t, params, 2)
		if s.Format(a) != s.Format(b) {
			return
		}
		r := drawRand(t)
		for range 50 {
			c := NewConfiguration(s.Len())
			s.prior(&c, r)
			if a.Eval(c) != b.Eval(c) {
				t.Fatalf("%s is both %v and %v", s.Format(a), a.Eval(c), b.Eval(c))
			}
		}
	})
}

func TestFormat(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "kernel", Kind: Categorical, Values: []string{"linear", "rbf", "poly", "3.10"}},
		{Name: "C", Kind: Float, Low: 0, High: 100},
		{Name: "up-sample.rate", Kind: Int, Low: 1, High: 4},
		{Name: "flag", Kind: Bool, Values: []string{"false", "true"}},
	}, nil, nil)
	must(t, err)
	for _, k := range []struct {
		e    Expr
		want string
	}{
		{And{In{0, []float64{1, 2}}, Compare{Gt, Ref{1}, Const(10)}}, `kernel in [rbf, poly] and C > 10`},
		{Or{And{ActiveOf{0}, ActiveOf{1}}, Not{Compare{Eq, Ref{0}, Const(3)}}},
			`active(kernel) and active(C) or not kernel == "3.10"`},
		{And{Or{ActiveOf{0}, ActiveOf{1}}, ActiveOf{2}}, `(active(kernel) or active(C)) and active("up-sample.rate")`},
		{Compare{Ne, Ref{3}, Const(1)}, `flag != true`},
		{Compare{Eq, Ref{0}, Const(0)}, `kernel == linear`},
		{Compare{Eq, Ref{0}, Const(4)}, `kernel == 4`}, // of no value
		{Compare{Eq, Ref{0}, Const(-1)}, `kernel == -1`},
		{Compare{Gt, Ref{0}, Const(0.5)}, `kernel > 0.5`},
		{Compare{Le, Binary{'+', Binary{'*', Ref{2}, Const(2)}, Const(1)}, Const(11)}, `(("up-sample.rate" * 2) + 1) <= 11`},
		{Not{And{ActiveOf{0}, ActiveOf{1}}}, `not (active(kernel) and active(C))`},
	} {
		if got := s.Format(k.e); got != k.want {
			t.Errorf("%s, not %s", got, k.want)
		}
	}
}
