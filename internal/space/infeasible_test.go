package space

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func infeasible(t *testing.T, s *Space) *InfeasibleError {
	t.Helper()
	_, err := s.Sample(rand.New(rand.NewPCG(1, 2)), 1)
	var none *InfeasibleError
	if !errors.As(err, &none) {
		t.Fatalf("%v", err)
	}
	return none
}

func above(i int, v float64) Clause {
	return Clause{Compare{Gt, Ref{i}, Const(v)}, fmt.Sprintf("x%d > %v", i, v)}
}

func below(i int, v float64) Clause {
	return Clause{Compare{Lt, Ref{i}, Const(v)}, fmt.Sprintf("x%d < %v", i, v)}
}

// TestInfeasibleNamesWhatIsInvolved: those constraints that cannot hold together, and none that could be kept.
func TestInfeasibleNamesWhatIsInvolved(t *testing.T) {
	x := []Parameter{{Name: "x0", High: 1}, {Name: "x1", High: 1}}
	for _, k := range []struct {
		forbidden, require []Clause
		want               string
	}{
		{nil, []Clause{above(0, 2)}, "require: x0 > 2"},
		{nil, []Clause{above(1, 0.9), above(0, 0.6), below(0, 0.4)}, "require: x0 > 0.6; require: x0 < 0.4"},
		{[]Clause{below(0, 0.5)}, []Clause{below(1, 0.5), below(0, 0.5)}, "forbidden: x0 < 0.5; require: x0 < 0.5"},
		{[]Clause{above(0, -1)}, []Clause{below(0, 0.4), above(0, 0.6)}, "forbidden: x0 > -1"},
	} {
		s, err := New(x, k.forbidden, k.require)
		must(t, err)
		none := infeasible(t, s)
		if !strings.HasSuffix(none.Error(), k.want) || !none.Proven {
			t.Errorf("%v\nnot %s", none, k.want)
		}
	}
}

// TestImpossibleMeasuresTheShare: of the configurations drawn, of which a quarter satisfies the constraint.
func TestImpossibleMeasuresTheShare(t *testing.T) {
	s, err := New([]Parameter{{Name: "x0", High: 1}}, nil, []Clause{above(0, 0.75)})
	must(t, err)
	var none *InfeasibleError
	if err := s.whole().impossible(rand.New(rand.NewPCG(1, 2))); !errors.As(err, &none) ||
		!(none.Feasible > 0.22 && none.Feasible < 0.28) {
		t.Errorf("%v, a share of %v", err, none.Feasible)
	}
}

// bools makes n of them of which any two exclude each other: n + 1 configurations out of 2ⁿ.
func bools(t *testing.T, n int, more ...Clause) *Space {
	var p []Parameter
	var forbidden []Clause
	for i := range n {
		p = append(p, Parameter{Name: fmt.Sprintf("b%d", i), Kind: Bool, Values: []string{"false", "true"}})
		for j := range i {
			forbidden = append(forbidden, Clause{And{In{i, []float64{1}}, In{j, []float64{1}}},
				fmt.Sprintf("b%d and b%d", j, i)})
		}
	}
	s, err := New(p, forbidden, more)
	must(t, err)
	return s
}

// TestNothingFoundIsNotNothing: a message claims that there is no configuration only where every combination was tried.
func TestNothingFoundIsNotNothing(t *testing.T) {
	product := Clause{Compare{Eq, Binary{'*', Ref{0}, Ref{1}}, Const(0.123456789)}, "x * y == 0.123456789"}
	s, err := New([]Parameter{{Name: "x", Kind: Float, High: 1}, {Name: "y", Kind: Float, High: 1}}, nil,
		[]Clause{product})
	must(t, err)
	none := infeasible(t, s)
	if none.Proven || none.Error() != "no configuration that satisfies the constraints was found in 20000 draws; in the "+
		"way: require: x * y == 0.123456789" {
		t.Error(none)
	}
	forty := bools(t, 40) // of 2^40
	if n, finite := forty.Size(); n != 41 || !finite {
		t.Errorf("%v configurations", n)
	}
	if cs, err := forty.Sample(rand.New(rand.NewPCG(1, 2)), 100); err != nil || len(cs) != 100 {
		t.Errorf("%d of 100 configurations: %v", len(cs), err)
	}
	two := Clause{Compare{Gt, Binary{'+', Ref{0}, Ref{1}}, Const(1)}, "b0 + b1 > 1"}
	none = infeasible(t, bools(t, 8, two))
	if !none.Proven || none.Error() != "no configuration satisfies the constraints; in the way together: forbidden: b0 "+
		"and b1; require: b0 + b1 > 1" {
		t.Error(none)
	}
}

// TestSizeDecidesEarly: constraints that are decided as values come count as those that are decided at the end.
func TestSizeDecidesEarly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, true)
		all := 1.0
		for i := range s.Params() {
			if all *= s.count(i); all > 2000 {
				t.Skip("too large")
			}
		}
		want := 0.0
		every := slices.Repeat([]bool{true}, s.Len())
		if _, all := s.tally(every, nil, nil, func(c Configuration, _ float64) bool {
			if s.Allows(c) {
				want++
			}
			return true
		}); !all {
			t.Skip("too large")
		}
		if n, _ := s.Size(); n != want {
			t.Fatalf("%v configurations, not %v:\n%s", n, want, s.Describe())
		}
	})
}

// TestTooManyToWalk: of more configurations than are walked none is listed, and telling
// whether they are more than a number that they do not reach is given up.
func TestTooManyToWalk(t *testing.T) {
	var p []Parameter
	var all []Expr
	for i := range 18 { // twice maxVisits
		p = append(p, Parameter{Name: fmt.Sprintf("b%d", i), Kind: Bool, Values: []string{"false", "true"}})
		all = append(all, In{i, []float64{1}})
	}
	s, err := New(p, []Clause{{And(all), "all of them"}}, nil)
	must(t, err)
	if listed := s.Enumerate(1 << 20); listed != nil {
		t.Errorf("%d configurations are listed", len(listed))
	}
	if !s.MoreThan(1<<19, nil) {
		t.Error("all configurations were walked")
	}
	if n, finite := s.Size(); !finite || n < 1<<17 || n > 1<<18 {
		t.Errorf("%v configurations of 2¹⁸", n)
	}
}
