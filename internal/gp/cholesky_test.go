package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// randomSPD is A = BB'/n + 0.1·I, with garbage above the diagonal.
func randomSPD(n int) (matrix, *mat.SymDense) {
	r := rand.New(rand.NewPCG(uint64(n), 9))
	b := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			b.Set(i, j, r.NormFloat64())
		}
	}
	var p mat.Dense
	p.Mul(b, b.T())
	s, a := newMatrix(n), mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			v := p.At(i, j) / float64(n)
			if i == j {
				v += 0.1
			}
			s.data[i*n+j] = v
			if j > i {
				s.data[i*n+j] = math.NaN()
			} else {
				a.SetSym(i, j, v)
			}
		}
	}
	return s, a
}

// TestCholesky compares factor, inverse and solves with gonum's for every size of edge tile.
func TestCholesky(t *testing.T) {
	sizes := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 24, 25, 37, 64, 100, 131}
	for _, n := range sizes {
		s, a := randomSPD(n)
		var c mat.Cholesky
		if !c.Factorize(a) {
			t.Fatalf("n=%d: gonum finds the matrix not positive definite", n)
		}
		if !s.factor() {
			t.Fatalf("n=%d: refused", n)
		}
		var l mat.TriDense
		c.LTo(&l)
		worst := 0.0
		for i := range n {
			for j := 0; j <= i; j++ {
				worst = max(worst, math.Abs(s.data[i*n+j]-l.At(i, j)))
			}
		}
		near(t, fmt.Sprintf("n=%d: factor error", n), worst, 0, 1e-13)
		rows := n + 2
		b, want := make([]float64, rows*(n+1)), make([]float64, n)
		for i := range b {
			b[i] = math.Sin(float64(i))
		}
		orig := append([]float64(nil), b...)
		s.solveRows(b, rows, n+1)
		for r := range rows {
			copy(want, orig[r*(n+1):])
			s.solve(want)
			for j := range n {
				near(t, fmt.Sprintf("n=%d: solve", n), b[r*(n+1)+j], want[j], 1e-11)
			}
			v := mat.NewVecDense(n, append([]float64(nil), orig[r*(n+1):r*(n+1)+n]...))
			var x mat.VecDense
			must(t, c.SolveVecTo(&x, v))
			s.solveTransposed(want, 0)
			for j := range n {
				near(t, fmt.Sprintf("n=%d: both solves", n), want[j], x.AtVec(j), 1e-10)
			}
		}
		var inv mat.SymDense
		must(t, c.InverseTo(&inv))
		s.invert(newMatrix(n))
		for i := range n {
			for j := 0; j <= i; j++ {
				near(t, fmt.Sprintf("n=%d: inverse", n), s.data[i*n+j], inv.At(i, j), 1e-11)
			}
		}
	}
}

func TestFactorRefusesIndefiniteMatrices(t *testing.T) {
	for _, n := range []int{1, 2, 5, 30} {
		for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
			s, _ := randomSPD(n)
			s.data[n*n-1] = bad
			if s.factor() {
				t.Errorf("n=%d: factored a matrix with %v on the diagonal", n, bad)
			}
		}
	}
}

func BenchmarkCholesky(b *testing.B) {
	for _, n := range []int{50, 200, 500, 1000, 2000} {
		s, _ := randomSPD(n)
		orig := append([]float64(nil), s.data...)
		u := newMatrix(n)
		b.Run(fmt.Sprintf("factor and inverse/n=%d", n), func(b *testing.B) {
			for range b.N {
				copy(s.data, orig)
				s.factor()
				s.invert(u)
			}
		})
	}
}
