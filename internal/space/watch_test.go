package space

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A watch finds what all constraints decided one by one find, whatever their form: the first of those that no
// other implies.
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
	found, implied := 0, 0
	for range 200 {
		var forbidden, require []Clause
		for range 1 + rng.IntN(4) {
			forbidden, require = append(forbidden, clause()), append(require, clause())
		}
		s, err := New(params, forbidden, require)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			c := NewConfiguration(3)
			for i := range c.Value {
				c.Value[i] = float64(rng.IntN(5))
			}
			s.Activate(&c)
			violates := func(n int) bool { return s.violates(c, n) }
			all := []int{0, 1, 2, 3, 4, 5, 6, 7}[:len(forbidden)+len(require)]
			want := slices.IndexFunc(s.binding(), violates)
			got, bad := s.violated(c)
			if bad != slices.ContainsFunc(all, violates) || bad != (want >= 0) || bad && got != s.binding()[want] {
				t.Fatalf("%v violates %d, %v; want place %d of %v", c, got, bad, want, s.binding())
			}
			if bad {
				found++
			}
			implied += len(all) - len(s.binding())
		}
	}
	if found == 0 || implied == 0 {
		t.Errorf("%d constraints were violated, %d implied", found, implied)
	}
}

func TestBindingConstraints(t *testing.T) {
	x, y := Ref{0}, Ref{1}
	sum, product := Binary{'+', x, y}, Binary{'*', x, y}
	clause := func(op Op, left Sum, right float64) Clause { return Clause{Expr: Compare{op, left, Const(right)}} }
	twice := Clause{Expr: In{2, []float64{1}}, Text: "k in [b]"}
	s, err := New([]Parameter{
		{Name: "x", Kind: Float, Low: 0, High: 1}, {Name: "y", Kind: Float, Low: 0, High: 1},
		{Name: "k", Kind: Categorical, Values: []string{"a", "b", "c"}},
	}, []Clause{
		clause(Gt, sum, 1.4), // 0: x + y <= 1.4
		twice,                // 1
		twice,
	}, []Clause{
		clause(Le, sum, 1.5), // 3
		clause(Le, Binary{'+', Binary{'*', Const(2), y}, Binary{'*', x, Const(2)}}, 2.8),
		clause(Lt, sum, 1.4), // 5: closer by what it leaves out
		clause(Ge, x, 0.1),
		clause(Le, Binary{'*', Const(-1), x}, -0.2), // 7: x >= 0.2
		clause(Le, product, 0.5),
		clause(Le, product, 0.4), // 9
		clause(Ge, product, 0.1), // 10: the other side
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.binding(), []int{1, 5, 7, 9, 10}; !slices.Equal(got, want) {
		t.Errorf("binding constraints %v, want %v", got, want)
	}
}
