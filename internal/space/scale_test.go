package space

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// A shape is a kind of large conditional space: as many methods as there are branches,
// each with a chain of switches below it and numbers below those, the rest plain.
type shape struct{ params, branches, depth, clauses int }

// space has a default for every parameter.
func (h shape) space(t testing.TB) *Space {
	t.Helper()
	zero, half := 0.0, 0.5
	method := Parameter{Name: "method", Kind: Categorical, Default: &zero}
	for k := range h.branches {
		method.Values = append(method.Values, fmt.Sprintf("m%d", k))
	}
	params := []Parameter{method}
	for k := range h.branches {
		above := Expr(In{Param: 0, Values: []float64{float64(k)}})
		for d := range h.depth {
			params = append(params, Parameter{Name: fmt.Sprintf("s%d.%d", k, d), Kind: Bool, Values: []string{"false", "true"},
				Condition: above, Default: &zero})
			above = In{Param: len(params) - 1, Values: []float64{1}}
		}
		params = append(params, Parameter{Name: fmt.Sprintf("x%d", k), Kind: Float, High: 1, Condition: above,
			Default: &half})
	}
	for len(params) < h.params {
		params = append(params, Parameter{Name: fmt.Sprintf("y%d", len(params)), Kind: Float, High: 1, Default: &half})
	}
	var forbidden []Clause
	for k := range h.clauses { // each allows half of the values of a plain number at one method
		y := len(params) - 1 - k%8
		e := And{In{Param: 0, Values: []float64{float64(k % h.branches)}},
			Compare{Gt, Ref{y}, Const(0.5 + 0.4*float64(k)/float64(h.clauses))}}
		forbidden = append(forbidden, Clause{Expr: e, Text: fmt.Sprintf("clause %d", k)})
	}
	s, err := New(params, forbidden, nil)
	must(t, err)
	return s
}

func defaults(s *Space) Assignment {
	out := Assignment{}
	for i, p := range s.Params() {
		if p.Default != nil {
			out[i] = *p.Default
		}
	}
	return out
}

// The cost of dividing a space grows with parameters times branches, and with clauses;
// that of its defaults and of random points with parameters alone.
func BenchmarkShapes(b *testing.B) {
	for _, h := range []shape{
		{50, 10, 2, 0}, {100, 10, 2, 0}, {200, 10, 2, 0}, {400, 10, 2, 0}, {800, 10, 2, 0},
		{800, 20, 2, 0}, {800, 40, 2, 0}, {800, 80, 2, 0}, {800, 20, 4, 0}, {800, 20, 8, 0},
		{200, 20, 2, 10}, {200, 20, 2, 100}, {200, 20, 2, 1000},
	} {
		name := fmt.Sprintf("params=%d/branches=%d/depth=%d/clauses=%d", h.params, h.branches, h.depth, h.clauses)
		b.Run("divide/"+name, func(b *testing.B) {
			for b.Loop() {
				if n := len(h.space(b).Branches()); n != h.branches*(h.depth+1) {
					b.Fatal(n, "branches")
				}
			}
		})
		s := h.space(b)
		b.Run("defaults/"+name, func(b *testing.B) {
			for b.Loop() {
				s.Fill(Assignment{}, defaults(s))
			}
		})
		b.Run("point/"+name, func(b *testing.B) {
			for k := 0; b.Loop(); k++ {
				if _, err := s.DesignPoint("halton", 1, k); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A space is divided as it is counted by hand, and its defaults are one configuration that needs no division.
func TestShapes(t *testing.T) {
	for _, h := range []shape{{20, 3, 1, 0}, {60, 5, 3, 0}, {138, 12, 4, 40}} {
		s := h.space(t)
		got := s.Fill(Assignment{}, defaults(s))
		c, err := s.Assemble(got)
		if must(t, err); s.Validate(c) != nil || !c.Active[1] || c.Active[2] ||
			len(got) != 2+h.params-1-h.branches*(h.depth+1) {
			t.Errorf("%v: %d defaults are left: %v", h, len(got), s.Validate(c))
		}
		if n := h.branches * (h.depth + 1); len(s.Branches()) != n || !s.HasBranches(n) || s.HasBranches(n+1) {
			t.Errorf("%v: %d branches, not %d", h, len(s.Branches()), n)
		}
	}
}

// Where wishes go together, taking them at once leaves the same as asking of each whether the rest can follow.
func TestFillAsksNoMoreThanItMust(t *testing.T) {
	atOnce := 0
	rapid.Check(t, func(t *rapid.T) {
		s, r := drawSpace(t, rapid.Bool().Draw(t, "constrained")), drawRand(t)
		if len(s.Branches()) == 0 {
			return
		}
		c, err := s.Sample(r, 1)
		if err != nil {
			t.Skip(err)
		}
		wished, given := c[0].Assignment(), Assignment{}
		for i := range s.Params() {
			switch {
			case s.Param(i).Kind == Constant:
				delete(wished, i)
			case rapid.IntRange(0, 4).Draw(t, "more") == 0:
				wished[i] = s.draw(i, &s.all[i], r.Float64())
			case rapid.IntRange(0, 4).Draw(t, "fewer") == 0:
				delete(wished, i)
			case c[0].Active[i] && rapid.IntRange(0, 4).Draw(t, "given") == 0:
				given[i] = c[0].Value[i]
			}
		}
		got, ok := s.fill(given, wished, nil)
		want, _ := s.fill(given, wished, func(a Assignment) bool {
			_, err := s.Complete(a, rand.New(rand.NewPCG(0, 0)))
			return err == nil
		})
		if ok {
			atOnce++
			if !maps.Equal(got, want) {
				t.Fatalf("%v with %v is %v at once, %v one by one", given, wished, got, want)
			}
		}
		if _, err := s.Complete(want, r); err != nil {
			t.Fatalf("%v with %v is %v: %v", given, wished, want, err)
		}
	})
	if atOnce == 0 {
		t.Error("nothing was taken at once")
	}
}
