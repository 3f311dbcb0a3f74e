package space

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A watch finds what all constraints decided one by one find, whatever their form: the first.
func TestWatchFindsTheFirst(t *testing.T) {
	eq := func(op Op, i int, v float64) Expr { return Compare{op, Ref{i}, Const(v)} }
	params := []Parameter{
		{Name: "k", Kind: Int, Low: 0, High: 4}, {Name: "n", Kind: Int, Low: 0, High: 4},
		{Name: "m", Kind: Int, Low: 0, High: 4, Condition: eq(Ge, 0, 2)},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	atom := func() Expr {
		i, v := rng.IntN(3), float64(rng.IntN(5))
		switch rng.IntN(4) {
		case 0:
			return In{i, []float64{v}}
		case 1:
			return Not{eq([]Op{Eq, Ne, Lt}[rng.IntN(3)], i, v)}
		}
		return eq([]Op{Eq, Ne, Le}[rng.IntN(3)], i, v)
	}
	clause := func() Clause {
		switch pair := []Expr{atom(), atom()}; rng.IntN(3) {
		case 0:
			return Clause{Expr: And(pair)}
		case 1:
			return Clause{Expr: Or(pair)}
		}
		return Clause{Expr: atom()}
	}
	found := 0
	for range 200 {
		var forbidden, require []Clause
		for range 1 + rng.IntN(4) {
			forbidden, require = append(forbidden, clause()), append(require, clause())
		}
		s, err := New(params, forbidden, require)
		must(t, err)
		for range 50 {
			c := NewConfiguration(3)
			for i := range c.Value {
				c.Value[i] = float64(rng.IntN(5))
			}
			s.Activate(&c)
			want := slices.IndexFunc([]int{0, 1, 2, 3, 4, 5, 6, 7}[:len(s.constraints)], func(n int) bool { return s.violates(c, n) })
			if got, bad := s.violated(c); bad != (want >= 0) || bad && got != want {
				t.Fatalf("%v violates %d, %v; want place %d", c, got, bad, want)
			} else if bad {
				found++
			}
		}
	}
	if found == 0 {
		t.Error("no constraint was violated")
	}
}
