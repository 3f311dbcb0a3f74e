package space

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/points"
)

// sumOf is a comparison of a weighted sum of the parameters with a number.
func sumOf(op Op, bound float64, coefs ...float64) Clause {
	var sum Sum = Const(0)
	for i, a := range coefs {
		if a != 0 {
			sum = Binary{'+', sum, Binary{'*', Const(a), Ref{i}}}
		}
	}
	return Clause{Compare{op, sum, Const(bound)}, fmt.Sprintf("%v %v %v", coefs, op, bound)}
}

// tied is a small random space with linear constraints: ints, steps and a choice on which
// a parameter, and a constraint, depend.
func tied(r *rand.Rand) (*Space, error) {
	params := []Parameter{
		{Name: "k", Kind: Categorical, Values: []string{"u", "v", "w"}},
		{Name: "a", Kind: Int, Low: 0, High: 6},
		{Name: "b", Kind: Float, Low: 0, High: 1, Step: 0.1},
		{Name: "c", Kind: Float, Low: 0.5, High: 2, Step: 0.25, Condition: In{0, []float64{0, 1}}},
		{Name: "d", Kind: Int, Low: -2, High: 3},
	}
	var require []Clause
	for range 1 + r.IntN(3) {
		coefs := make([]float64, 5)
		for i := 1; i < 5; i++ {
			coefs[i] = []float64{0, 0, 1, 1, -1, 0.5, 2}[r.IntN(7)]
		}
		k := sumOf(Op(r.IntN(6)), float64(r.IntN(12))/2-1, coefs...)
		if e := k.Expr.(Compare); r.IntN(3) == 0 { // a ratio to what may be 0
			e.Left = Binary{'/', e.Left, []Sum{Ref{1}, Ref{4}, Binary{'-', Ref{1}, Const(7)}}[r.IntN(3)]}
			k.Expr = e
		}
		if r.IntN(3) == 0 {
			k.Expr = Or{Compare{Eq, Ref{0}, Const(float64(r.IntN(3)))}, k.Expr}
		}
		require = append(require, k)
	}
	return New(params, nil, require)
}

// Every way to a configuration gives one that satisfies the constraints wherever there is
// one, and says that there is none only where a list of all combinations has none.
func TestTiedSpacesAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some, none, near, mended := 0, 0, 0, 0
	for n := range 50 {
		s, err := tied(r)
		must(t, err)
		all := map[string]bool{}
		for _, c := range s.Enumerate(1 << 20) {
			all[s.Key(c)] = true
		}
		cs, err := s.Sample(r, 30)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("space %d: %d configurations, and %v\n%s", n, len(all), err, s.Describe())
		}
		if err != nil {
			none++
			continue
		}
		some++
		if size, known := s.Count(); !known || size != float64(len(all)) {
			t.Fatalf("space %d: %v configurations, want %d", n, size, len(all))
		}
		check := func(what string, c Configuration) {
			if s.Validate(c) != nil || !all[s.Key(c)] {
				t.Fatalf("space %d: %s gives %s: %v\n%s", n, what, s.Key(c), s.Validate(c), s.Describe())
			}
		}
		for _, c := range cs {
			check("Sample", c)
		}
		for _, kind := range Designs() {
			for k := range 5 {
				c, err := s.DesignPoint(kind, 1, k)
				must(t, err)
				check(kind, c)
			}
		}
		d := NewDomain(s, nil)
		q := d.Sample(r, 20)
		for i := range q.Len() {
			check("Domain.Sample", s.Decode(q, i))
			moves := d.Neighbors(r, q, i)
			for j := range moves.Len() {
				check("Neighbors", s.Decode(moves, j))
				near++
			}
			p := q.Clone()
			for _, co := range d.Smooth(p, i) {
				p.Set(co, i, min(max(p.At(co, i)+0.3*r.NormFloat64(), 0), 1), true)
			}
			if d.Repair(p, i) {
				check("Repair", s.Decode(p, i))
				mended++
			}
		}
	}
	if some < 20 || none < 2 || near < 500 || mended < 500 {
		t.Errorf("%d spaces with and %d without configurations, %d neighbours, %d repaired points: too few of one kind",
			some, none, near, mended)
	}
}

func mixture(t *testing.T, n int, step float64) *Space {
	t.Helper()
	var params []Parameter
	for i := range n {
		params = append(params, Parameter{Name: fmt.Sprintf("p%d", i), Kind: Float, High: 1, Step: step})
	}
	s, err := New(params, nil, []Clause{sumOf(Eq, 1, slices.Repeat([]float64{1}, n)...)})
	must(t, err)
	return s
}

// Draws of a mixture are uniform on the simplex: each share has mean 1/n and variance (n − 1)/(n²(n + 1)) (Dirichlet).
// The margins are five standard errors of independent draws, twice over as the walk's are not.
func TestMixturesAreUniform(t *testing.T) {
	const n, draws = 5, 4000
	s := mixture(t, n, 0)
	q := NewDomain(s, nil).Sample(rand.New(rand.NewPCG(3, 4)), draws)
	want, variance := 1.0/n, float64(n-1)/(n*n*(n+1))
	for co := range n {
		mean, squares := 0.0, 0.0
		for _, x := range q.Col(co) {
			mean += x / draws
			squares += (x - want) * (x - want) / draws
		}
		if math.Abs(mean-want) > 10*math.Sqrt(variance/draws) || math.Abs(squares/variance-1) > 0.2 {
			t.Errorf("share %d: mean %.4f, want %.4f; variance %.5f, want %.5f", co, mean, want, squares, variance)
		}
	}
}

// A design of a mixture stands for the simplex better than as many random points: its
// energy distance from many draws is smaller.
func TestDesignsSpreadOverMixtures(t *testing.T) {
	s := mixture(t, 4, 0)
	pool := NewDomain(s, nil).Sample(rand.New(rand.NewPCG(5, 6)), 1000)
	m := NewGower(s)
	energy := func(x *points.Set) float64 {
		across, within := 0.0, 0.0
		for i := range x.Len() {
			for j := range pool.Len() {
				across += m.Distance(x, i, pool, j) / float64(x.Len()*pool.Len())
			}
			for j := range x.Len() {
				within += m.Distance(x, i, x, j) / float64(x.Len()*x.Len())
			}
		}
		return 2*across - within
	}
	of := func(kind string, seed uint64) float64 {
		cs, err := designed(s, kind, 12, seed)
		must(t, err)
		return energy(s.EncodeAll(cs))
	}
	better := 0
	for seed := range uint64(10) {
		if of("halton", seed) < of("uniform", seed) {
			better++
		}
	}
	if better < 9 {
		t.Errorf("%d of 10 designs are better than random points", better)
	}
}

// Climbs see the constraints: rows in coordinates that points of the domain satisfy.
func TestRowsHold(t *testing.T) {
	s := mixture(t, 5, 0)
	d := NewDomain(s, nil)
	q := d.Sample(rand.New(rand.NewPCG(7, 8)), 50)
	for i := range q.Len() {
		rows := d.Rows(q, i)
		if len(rows) != 1 || !rows[0].Equal {
			t.Fatalf("rows %+v", rows)
		}
		sum := -rows[0].Bound
		for co, a := range rows[0].Coef {
			sum += a * q.At(co, i)
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("a point of the domain misses its row by %g", sum)
		}
	}
}

// Constraints on products are followed to corners that no draw meets.
func TestCurvedCorners(t *testing.T) {
	x, y := Ref{0}, Ref{1}
	for _, require := range [][]Expr{
		{Compare{Le, Binary{'*', x, y}, Const(0.001)}, Compare{Ge, Binary{'+', x, y}, Const(0.99)}},
		{Compare{Ge, Binary{'*', x, y}, Const(0.24999)}, Compare{Le, Binary{'+', x, y}, Const(1.0001)}},
		{Compare{Gt, Binary{'*', x, y}, Const(0.999999)}},
		{Compare{Ge, plus(Binary{'*', x, x}, Binary{'*', y, y}), Const(0.999)}, // two circles touch at (1, 0)
			Compare{Le, plus(Binary{'*', plus(x, Const(-0.8)), plus(x, Const(-0.8))}, Binary{'*', y, y}), Const(0.0401)}},
	} {
		var clauses []Clause
		for _, e := range require {
			clauses = append(clauses, Clause{Expr: e})
		}
		s, err := New([]Parameter{{Name: "x", Kind: Float, High: 1}, {Name: "y", Kind: Float, High: 1}}, nil, clauses)
		must(t, err)
		cs, err := s.Sample(rand.New(rand.NewPCG(9, 10)), 50)
		must(t, err)
		found := map[string]bool{}
		for _, c := range cs {
			must(t, s.Validate(c))
			found[s.Key(c)] = true
		}
		if len(found) < 45 {
			t.Errorf("%d different configurations of 50", len(found))
		}
	}
}

// A ratio is linear where its divisor has one sign.
func TestRatios(t *testing.T) {
	s, err := New([]Parameter{
		{Name: "a", Kind: Float, Low: 1e-3, High: 10, Scale: Log},
		{Name: "b", Kind: Float, Low: 1e-3, High: 10, Scale: Log},
	}, nil, []Clause{
		{Compare{Le, Binary{'/', Ref{0}, Ref{1}}, Const(2)}, "a / b <= 2"},
		{Compare{Le, Const(1.99), Binary{'/', Ref{0}, Ref{1}}}, "1.99 <= a / b"},
	})
	must(t, err)
	if !s.tied() {
		t.Fatal("the ratio is not linear")
	}
	cs, err := s.Sample(rand.New(rand.NewPCG(9, 10)), 200)
	must(t, err)
	small := 0
	for _, c := range cs {
		if v := c.Value[0] / c.Value[1]; v < 1.99-1e-9 || v > 2+1e-9 {
			t.Errorf("%v / %v is %v", c.Value[0], c.Value[1], v)
		}
		if c.Value[0] < 0.1 {
			small++
		}
	}
	if small < 50 || small > 150 { // half of the scale
		t.Errorf("%d of 200 values are in the lower half of the scale", small)
	}
}
