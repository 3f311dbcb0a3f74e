package csp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// listing is every solution of a small problem.
func listing(p *Problem) (all [][]int64) {
	at := make([]int64, len(p.Vars))
	var visit func(v int)
	visit = func(v int) {
		if v == len(at) {
			if p.Holds(at) {
				all = append(all, slices.Clone(at))
			}
			return
		}
		for at[v] = p.Vars[v].Lo; at[v] <= p.Vars[v].Hi; at[v]++ {
			visit(v + 1)
		}
	}
	visit(0)
	return all
}

func row(r *rand.Rand, p *Problem) *Linear {
	x := &Linear{Op: Op(r.IntN(3)), Bound: r.Int64N(9) - 3}
	for v := range p.Vars {
		if r.IntN(2) == 0 {
			continue
		}
		t := Term{Var: v, Coef: r.Int64N(7) - 3}
		if r.IntN(6) == 0 {
			t.Coef = 0
			for range p.Vars[v].Hi - p.Vars[v].Lo + 1 {
				t.Table = append(t.Table, r.Int64N(9)-4)
			}
		}
		if t.Coef != 0 || t.Table != nil {
			x.Terms = append(x.Terms, t)
		}
	}
	return x
}

func formula(r *rand.Rand, p *Problem, depth int) Formula {
	switch k := r.IntN(6); {
	case k == 0 && depth > 0:
		return Any{formula(r, p, depth-1), formula(r, p, depth-1), formula(r, p, depth-1)}
	case k == 1 && depth > 0:
		return All{formula(r, p, depth-1), formula(r, p, depth-1)}
	case k == 2:
		return &Member{Var: r.IntN(len(p.Vars)), Places: []uint64{r.Uint64()}}
	case k == 3:
		a, b := r.IntN(len(p.Vars)), r.IntN(len(p.Vars))
		return &Test{Vars: []int{a, b}, Holds: func(at []int64) bool { return at[a]*at[b] <= 2 }}
	}
	return row(r, p)
}

func problem(r *rand.Rand) *Problem {
	p := &Problem{}
	for range 2 + r.IntN(3) {
		lo := r.Int64N(5) - 2
		p.Vars = append(p.Vars, Var{Lo: lo, Hi: lo + r.Int64N(6), Number: r.IntN(2) == 0})
	}
	for range 1 + r.IntN(5) {
		p.Clauses = append(p.Clauses, formula(r, p, 2))
	}
	p.Compile()
	return p
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// On small problems the search, the count and the walk agree with a list of all solutions.
func TestAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some, none := 0, 0
	for n := range 3000 {
		p := problem(r)
		all := listing(p)
		s := p.Begin()
		target := make([]float64, len(p.Vars))
		for v := range target {
			target[v] = float64(r.IntN(9) - 3)
		}
		at, proven := s.Near(target, ones(len(target)), r, 100_000)
		switch {
		case at != nil && !p.Holds(at):
			t.Fatalf("problem %d: %v is no solution", n, at)
		case at != nil && len(all) == 0, at == nil && len(all) > 0:
			t.Fatalf("problem %d: found %v of %d solutions", n, at, len(all))
		case at == nil && !proven:
			t.Fatalf("problem %d: a search of everything is no proof", n)
		}
		if got, exact := s.Count(1_000_000); !exact || got != float64(len(all)) {
			t.Fatalf("problem %d: %v solutions (%v), want %d", n, got, exact, len(all))
		}
		if at == nil {
			none++
			continue
		}
		some++
		w := s.NewWalk(at, r)
		for range 20 {
			if w.Steps(1); !p.Holds(w.At) {
				t.Fatalf("problem %d: the walk reached %v, which is no solution", n, w.At)
			}
		}
	}
	if some < 500 || none < 500 {
		t.Errorf("%d problems with solutions, %d without: too few of one kind", some, none)
	}
}

// A solution is its own nearest one.
func TestNearKeepsSolutions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	checks := 0
	for range 300 {
		p := problem(r)
		for _, want := range listing(p) {
			target := make([]float64, len(want))
			for v := range target {
				target[v] = float64(want[v])
			}
			got, _ := p.Begin().Near(target, ones(len(target)), r, 10_000)
			if !slices.Equal(got, want) {
				t.Fatalf("nearest to the solution %v is %v", want, got)
			}
			if checks++; checks%50 == 0 {
				break
			}
		}
	}
	if checks == 0 {
		t.Error("nothing was checked")
	}
}

// A solution stays the nearest one where an alternative with a table, which it does not satisfy,
// comes before the one that it satisfies.
func TestNearKeepsTheAlternativeThatHolds(t *testing.T) {
	p := &Problem{Vars: []Var{{Hi: 2}, {Hi: 100_000, Number: true}}, Clauses: []Formula{Any{
		&Linear{Terms: []Term{{Var: 0, Table: []int64{0, 50, 60}}, {Var: 1, Coef: 1}}, Op: Le, Bound: 100},
		&Linear{Terms: []Term{{Var: 1, Coef: -1}}, Op: Le, Bound: -500},
	}}}
	p.Compile()
	want := []int64{1, 600}
	if got, _ := p.Begin().Near([]float64{1, 600}, ones(2), rand.New(rand.NewPCG(1, 1)), 1000); !slices.Equal(got, want) {
		t.Errorf("nearest to the solution %v is %v", want, got)
	}
}

func simplex(n int, total int64) *Problem {
	p := &Problem{}
	x := &Linear{Op: Eq, Bound: total}
	for v := range n {
		p.Vars = append(p.Vars, Var{Lo: 0, Hi: total, Number: true})
		x.Terms = append(x.Terms, Term{Var: v, Coef: 1})
	}
	p.Clauses = []Formula{x}
	p.Compile()
	return p
}

func ordered(n int, most int64) *Problem {
	p := &Problem{}
	for v := range n {
		p.Vars = append(p.Vars, Var{Lo: 0, Hi: most, Number: true})
		if v > 0 {
			p.Clauses = append(p.Clauses, &Linear{Terms: []Term{{Var: v - 1, Coef: 1}, {Var: v, Coef: -1}}})
		}
	}
	p.Compile()
	return p
}

func different(n int) *Problem {
	p := &Problem{}
	for v := range n {
		p.Vars = append(p.Vars, Var{Lo: 0, Hi: int64(n - 1)})
		for w := range v {
			p.Clauses = append(p.Clauses, &Linear{Terms: []Term{{Var: w, Coef: 1}, {Var: v, Coef: -1}}, Op: Ne})
		}
	}
	p.Compile()
	return p
}

// The walk visits every solution of a small lattice equally often: the statistic of Pearson's test stays below its mean
// k − 1 plus five standard deviations √(2(k − 1)), on draws so far apart that they are nearly independent.
func TestWalksAreUniform(t *testing.T) {
	pairs := &Problem{}
	for range 3 {
		pairs.Vars = append(pairs.Vars, Var{Hi: 3})
	}
	for v := range 3 {
		for w := range v {
			pairs.Clauses = append(pairs.Clauses, Any{
				&Member{Var: v, Places: []uint64{0b1110}}, &Member{Var: w, Places: []uint64{0b0111}}})
		}
	}
	pairs.Compile()
	two := &Problem{Vars: slices.Repeat([]Var{{Hi: 6, Number: true}}, 4)}
	two.Clauses = []Formula{
		&Linear{Terms: []Term{{Var: 0, Coef: 1}, {Var: 1, Coef: 1}, {Var: 2, Coef: 1}, {Var: 3, Coef: 1}}, Op: Eq, Bound: 9},
		&Linear{Terms: []Term{{Var: 0, Coef: 1}, {Var: 1, Coef: 2}, {Var: 3, Coef: -1}}, Op: Eq, Bound: 3},
	}
	two.Compile()
	each := &Problem{Vars: append([]Var{{Hi: 1}}, slices.Repeat([]Var{{Hi: 6, Number: true}}, 3)...)}
	each.Clauses = []Formula{ // of the same variables
		Any{&Member{Places: []uint64{0b10}}, &Linear{Terms: []Term{{Var: 1, Coef: 1}, {Var: 2, Coef: 1}, {Var: 3, Coef: 1}},
			Op: Eq, Bound: 7}},
		Any{&Member{Places: []uint64{0b01}}, &Linear{Terms: []Term{{Var: 1, Coef: 1}, {Var: 2, Coef: 2}, {Var: 3, Coef: 3}},
			Op: Eq, Bound: 14}},
	}
	each.Compile()
	for _, c := range []struct {
		name string
		p    *Problem
		want int
	}{
		{"simplex", simplex(3, 10), 66},     // C(12, 2)
		{"ordered", ordered(3, 5), 56},      // C(8, 3)
		{"all different", different(4), 24}, // 4!
		{"forbidden pairs", pairs, len(listing(pairs))},
		{"two equalities", two, len(listing(two))},
		{"an equality for each choice", each, len(listing(each))},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			at, _ := c.p.Begin().Near(make([]float64, len(c.p.Vars)), ones(len(c.p.Vars)), r, 10_000)
			if at == nil {
				t.Fatal("no solution")
			}
			w := c.p.Begin().NewWalk(at, r)
			seen := map[string]float64{}
			draws := 300 * c.want
			for range draws {
				w.Steps(10)
				seen[fmt.Sprint(w.At)]++
			}
			if len(seen) != c.want {
				t.Fatalf("%d solutions seen, want %d", len(seen), c.want)
			}
			mean, chi := float64(draws)/float64(c.want), 0.0
			for _, n := range seen {
				chi += (n - mean) * (n - mean) / mean
			}
			k := float64(c.want - 1)
			if most := k + 5*math.Sqrt(2*k); chi > most {
				t.Errorf("chi-squared %.0f of %.0f degrees, at most %.0f", chi, k, most)
			}
		})
	}
}

// Decimals with 12 digits, coefficients that share no factor and two equalities at once come out whole.
func TestLongLattices(t *testing.T) {
	const unit = 1_000_000_000_000
	for _, c := range []struct {
		name string
		rows [][]int64 // coefficients, then the bound
	}{
		{"mixture", [][]int64{{1, 1, 1, 1, 1, unit}}},
		{"weighted", [][]int64{{2, 3, 0, 0, 0, unit}}},
		{"uneven", [][]int64{{7919, 0, 104729, 0, 0, 50000 * unit / 10}}},
		{"two", [][]int64{{1, 1, 1, 0, 0, unit}, {3, 5, 2, 0, 0, 3 * unit}}},
		{"sharing", [][]int64{{1, 1, 1, 0, 0, unit}, {0, 0, 1, 1, 1, unit}}},
	} {
		p := &Problem{Vars: slices.Repeat([]Var{{Hi: unit, Number: true}}, 5)}
		for _, coefs := range c.rows {
			x := &Linear{Op: Eq, Bound: coefs[5]}
			for v, a := range coefs[:5] {
				if a != 0 {
					x.Terms = append(x.Terms, Term{Var: v, Coef: a})
				}
			}
			p.Clauses = append(p.Clauses, x)
		}
		p.Compile()
		r := rand.New(rand.NewPCG(9, 10))
		for range 50 {
			target, weight := make([]float64, 5), make([]float64, 5)
			for v := range target {
				target[v], weight[v] = unit*r.Float64(), 1.0/unit
			}
			at, _ := p.Begin().Near(target, weight, r, 5000)
			if at == nil || !p.Holds(at) {
				t.Fatalf("%s: no solution near %v", c.name, target)
			}
			w := p.Begin().NewWalk(at, r)
			if w.Steps(5); !p.Holds(w.At) {
				t.Fatalf("%s: the walk left the solutions", c.name)
			}
			if slices.Equal(w.At, at) {
				t.Fatalf("%s: the walk stood still", c.name)
			}
		}
	}
}

// Twenty choices of four with 250 or 400 of the pairs forbidden at random, one solution kept.
func TestForbiddenPairs(t *testing.T) {
	for _, n := range []int{250, 400} {
		r := rand.New(rand.NewPCG(11, uint64(n)))
		p := &Problem{Vars: slices.Repeat([]Var{{Hi: 3}}, 20)}
		kept := make([]uint64, 20)
		for v := range kept {
			kept[v] = 1 << r.IntN(4)
		}
		for len(p.Clauses) < n {
			a, b := r.IntN(20), r.IntN(20)
			x, y := uint64(1)<<r.IntN(4), uint64(1)<<r.IntN(4)
			if a == b || x == kept[a] && y == kept[b] {
				continue
			}
			p.Clauses = append(p.Clauses, Any{&Member{Var: a, Places: []uint64{0b1111 &^ x}},
				&Member{Var: b, Places: []uint64{0b1111 &^ y}}})
		}
		p.Compile()
		at, _ := p.Begin().Near(make([]float64, 20), ones(20), r, 100_000)
		if at == nil || !p.Holds(at) {
			t.Errorf("%d pairs: found %v", n, at)
		}
	}
}
