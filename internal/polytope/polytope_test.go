package polytope

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/boxopt"
)

// random is a set of n coordinates that holds the middle of the box, with e equalities and m
// inequalities, and that point.
func random(r *rand.Rand, n, e, m int) (*Set, []float64) {
	s := &Set{Lo: make([]float64, n), Hi: make([]float64, n)}
	inside := make([]float64, n)
	for i := range n {
		s.Lo[i], s.Hi[i] = 0, 1
		inside[i] = 0.1 + 0.8*r.Float64()
	}
	for k := range e + m {
		row := Row{Coef: make([]float64, n), Equal: k < e}
		for i := range n {
			row.Coef[i] = r.NormFloat64()
		}
		row.Bound = boxopt.Dot(row.Coef, inside)
		if !row.Equal {
			row.Bound += 0.1 * r.Float64()
		}
		s.Rows = append(s.Rows, row)
	}
	return s, inside
}

func missed(s *Set, x []float64) float64 {
	most := 0.0
	for k := range s.count() {
		e := s.excess(k, x)
		if s.equal(k) {
			e = math.Abs(e)
		}
		most = max(most, e/max(s.length(k), 1e-300))
	}
	return most
}

// The nearest point y of a convex set is the one with (x − y)·(z − y) ≤ 0 for every point z.
func TestNearestPointsSatisfyTheVariationalInequality(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	checks := 0
	for range 400 {
		n := 2 + r.IntN(12)
		s, inside := random(r, n, r.IntN(min(n-1, 3)), r.IntN(6))
		x := make([]float64, n)
		for i := range x {
			x[i] = 3 * r.NormFloat64()
		}
		y, ok := s.Nearest(x)
		if !ok {
			t.Fatalf("a set with a point in it is empty: %+v", s)
		}
		if m := missed(s, y); m > 1e-8 {
			t.Fatalf("the nearest point misses a constraint by %g", m)
		}
		for range 20 { // points of the set: between one inside and the nearest of others
			z := make([]float64, n)
			for i := range z {
				z[i] = r.NormFloat64()
			}
			if z, ok = s.Nearest(z); !ok {
				t.Fatal("the set is empty at the second try")
			}
			u := r.Float64()
			turn := 0.0
			for i := range z {
				turn += (x[i] - y[i]) * (u*z[i] + (1-u)*inside[i] - y[i])
			}
			if turn > 1e-7 {
				t.Fatalf("a point of the set is nearer: %g", turn)
			}
			checks++
		}
	}
	if checks == 0 {
		t.Error("nothing was checked")
	}
}

func TestNearestPointOfTheSimplex(t *testing.T) {
	s := &Set{Lo: make([]float64, 3), Hi: []float64{1, 1, 1},
		Rows: []Row{{Coef: []float64{1, 1, 1}, Bound: 1, Equal: true}}}
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{0.5, 0.5, 0.5}, []float64{1. / 3, 1. / 3, 1. / 3}},
		{[]float64{2, 0, 0}, []float64{1, 0, 0}},
		{[]float64{0.9, 0.5, -1}, []float64{0.7, 0.3, 0}},
	} {
		y, ok := s.Nearest(c.x)
		for i := range y {
			if !ok || math.Abs(y[i]-c.want[i]) > 1e-12 {
				t.Errorf("nearest to %v: %v, want %v", c.x, y, c.want)
				break
			}
		}
	}
}

func TestEmptySets(t *testing.T) {
	box := func(rows ...Row) *Set { return &Set{Lo: []float64{0, 0}, Hi: []float64{1, 1}, Rows: rows} }
	for _, s := range []*Set{
		box(Row{Coef: []float64{1, 1}, Bound: -0.1}),
		box(Row{Coef: []float64{1, 1}, Bound: 2.1, Equal: true}),
		box(Row{Coef: []float64{1, 1}, Bound: 1, Equal: true}, Row{Coef: []float64{2, 2}, Bound: 2.2, Equal: true}),
		box(Row{Coef: []float64{1, -1}, Bound: -0.5}, Row{Coef: []float64{-1, 1}, Bound: 0.4}),
		box(Row{Coef: []float64{0, 0}, Bound: -1}),
	} {
		if y, ok := s.Nearest([]float64{0.3, 0.6}); ok {
			t.Errorf("%v of an empty set %+v", y, s.Rows)
		}
	}
	twice := box(Row{Coef: []float64{1, 1}, Bound: 1, Equal: true}, Row{Coef: []float64{2, 2}, Bound: 2, Equal: true})
	if y, ok := twice.Nearest([]float64{1, 1}); !ok || math.Abs(y[0]-0.5) > 1e-12 {
		t.Errorf("one equality told twice: %v, %v", y, ok)
	}
}

// The descent of a strictly convex quadratic, Hessian A'A + I, ends at the minimum that the
// quadratic program itself gives.
func TestDescentsEndAtTheMinimum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		n := 2 + r.IntN(8)
		s, start := random(r, n, r.IntN(2), r.IntN(5))
		a, b := make([]float64, n*n), make([]float64, n)
		for i := range a {
			a[i] = r.NormFloat64()
		}
		for i := range b {
			b[i] = 4 * r.NormFloat64()
		}
		f := func(x []float64) (float64, func(g []float64)) {
			v, g := 0.0, make([]float64, n)
			for i := range x {
				v += x[i]*x[i]/2 - b[i]*x[i]
				g[i] = x[i] - b[i]
			}
			for i := range n {
				row := boxopt.Dot(a[i*n:(i+1)*n], x)
				v += row * row / 2
				floats.AddScaled(g, row, a[i*n:(i+1)*n])
			}
			return v, func(out []float64) { copy(out, g) }
		}
		x := Minimize(f, s, start, 200, boxopt.Options{First: 0.1, Longest: 0.25, Trials: 10})
		if e := missed(s, x); e > 1e-8 {
			t.Fatalf("the descent left the set by %g", e)
		}
		// At the minimum no point of the set is in the direction of descent.
		g, far := make([]float64, n), make([]float64, n)
		_, gradient := f(x)
		gradient(g)
		for i := range far {
			far[i] = x[i] - g[i]
		}
		y, _ := s.Nearest(far)
		for i := range y {
			if math.Abs(y[i]-x[i]) > 1e-4 {
				t.Fatalf("the slope still leads from %v to %v", x, y)
			}
		}
	}
}
