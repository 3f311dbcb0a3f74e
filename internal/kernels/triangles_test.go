package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// triangle checks the whole Gram matrix against rows, to the bit, and its pullback
// against those of the rows, for several numbers of points on one tape. The kernel was bound
// to other hyperparameters before.
func (c *Counts) triangle(t Failer, r *rand.Rand, k kernels.Kernel, theta []float64, x *points.Set) {
	t.Helper()
	var tape kernels.Tape
	for drop := range 4 {
		y := x.Slice(0, x.Len()-drop)
		rows := k.Bind(theta, y)
		cov, ok := k.Bind(Theta(rand.New(rand.NewPCG(uint64(drop), 1)), k.Params()), y).(kernels.Triangle)
		if !ok {
			return
		}
		cov.Row(make([]float64, y.Len()), x, 0, 0)
		cov.Rebind(theta)
		again, first := make([]float64, y.Len()), make([]float64, y.Len())
		cov.Row(again, x, 0, 0)
		if rows.Row(first, x, 0, 0); !slices.Equal(again, first) {
			t.Errorf("a row is %v after other hyperparameters, and %v without", again, first)
		}
		n, stride := y.Len(), y.Len()+2
		const empty = -77.25
		plain, taped, w := make([]float64, n*stride), make([]float64, n*stride), make([]float64, n*stride)
		for i := range w {
			plain[i], taped[i], w[i] = empty, empty, r.NormFloat64()
		}
		cov.Gram(plain, stride, nil)
		cov.Gram(taped, stride, &tape)
		row := make([]float64, n)
		want, scale, one := make([]float64, len(theta)), make([]float64, len(theta)), make([]float64, len(theta))
		for i := range n {
			rows.Row(row, y, i, 0)
			for j := range stride {
				v := empty
				if j <= i {
					v = row[j]
				}
				if at := i*stride + j; plain[at] != v || taped[at] != v {
					t.Errorf("entry (%d, %d) of %d×%d is %v and, with a tape, %v; want %v", i, j, n, n, plain[at], taped[at], v)
					return
				}
			}
			for j := range i + 1 {
				clear(one)
				rows.Pull(one, nil, w[i*stride+j:][:1], y, i, j)
				for p, v := range one {
					want[p] += v
					scale[p] += math.Abs(v)
				}
			}
		}
		got := make([]float64, len(theta))
		cov.PullGram(got, w, stride, &tape)
		for p, v := range got {
			c.Triangle++
			if !(math.Abs(v-want[p]) <= 1e-11*(scale[p]+1e-3)) {
				t.Errorf("derivative by %s over all pairs is %v, by rows %v", k.Params()[p].Name, v, want[p])
			}
		}
	}
}
