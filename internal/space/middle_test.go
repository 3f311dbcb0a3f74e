package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The middle is a configuration with the same choices, and its own middle. Without constraints its numbers are in the
// middle of their ranges.
func TestMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		constrained := rapid.Bool().Draw(t, "constrained")
		s := drawSpace(t, constrained)
		c := sampled(t, s, drawRand(t), 1)[0]
		m := s.Middle(c)
		if err := s.Validate(m); err != nil {
			t.Fatalf("%v\n%s", err, s.Describe())
		}
		for i := range m.Value {
			switch number := s.Param(i).IsNumber() && !slices.Contains(slices.Concat(s.depend.Parents...), i); {
			case m.Active[i] != c.Active[i], !number && m.Value[i] != c.Value[i],
				number && m.Active[i] && !constrained && m.Value[i] != s.NumberAt(i, 0.5):
				t.Fatalf("%s is %v, of %v\n%s", s.Param(i).Name, m.Value[i], c.Value[i], s.Describe())
			}
		}
		if again := s.Middle(m); !again.Equal(m) {
			t.Fatalf("the middle of %v is %v\n%s", m.Value, again.Value, s.Describe())
		}
	})
}

// Constraints on the numbers together move all of them.
func TestMiddleOfConstraints(t *testing.T) {
	sum := Sum(Ref{0})
	for i := range 3 {
		sum = Binary{'+', sum, Ref{i + 1}}
	}
	order := And{Compare{Le, Ref{0}, Ref{1}}, Compare{Le, Ref{1}, Ref{2}}, Compare{Le, Ref{2}, Ref{3}}}
	for _, k := range []struct {
		kind    Kind
		high    float64
		require Expr
		want    []float64
		within  float64
	}{
		{Float, 1, Compare{Eq, sum, Const(1)}, []float64{0.25, 0.25, 0.25, 0.25}, 0.1},
		{Float, 1, Compare{Le, sum, Const(1)}, []float64{0.2, 0.2, 0.2, 0.2}, 0.1},
		{Float, 1, order, []float64{0.2, 0.4, 0.6, 0.8}, 0.1},
		{Int, 10, Compare{Eq, sum, Const(12)}, []float64{3, 3, 3, 3}, 1},
	} {
		var params []Parameter
		for _, name := range []string{"a", "b", "c", "d"} {
			params = append(params, Parameter{Name: name, Kind: k.kind, High: k.high})
		}
		s, err := New(params, nil, []Clause{{Text: "together", Expr: k.require}})
		must(t, err)
		cs, err := s.Sample(rand.New(rand.NewPCG(1, 0)), 1)
		must(t, err)
		got := s.Middle(cs[0]).Value
		if !slices.EqualFunc(got, k.want, func(a, b float64) bool { return math.Abs(a-b) <= k.within }) {
			t.Errorf("%v: %v, want %v", k.require, got, k.want)
		}
	}
}
