package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// triangle checks the whole Gram matrix against rows, to the bit, for several numbers of points on one tape, and its
// pullback against those of pairs of points alone. The kernel was bound to other hyperparameters before.
func (c *Counts) triangle(t Failer, r *rand.Rand, k kernels.Kernel, theta []float64, x *points.Set) {
	t.Helper()
	var tape kernels.Tape
	for drop := range 4 {
		y := x.Slice(0, x.Len()-drop)
		rows := k.Bind(theta, y)
		cov := k.Bind(Theta(rand.New(rand.NewPCG(uint64(drop), 1)), k.Params()), y)
		cov.Row(make([]float64, y.Len()), x, 0, 0)
		cov.Rebind(theta)
		again, first := make([]float64, y.Len()), make([]float64, y.Len())
		cov.Row(again, x, 0, 0)
		if rows.Row(first, x, 0, 0); !slices.Equal(again, first) {
			t.Errorf("a row is %v after other hyperparameters, and %v without", again, first)
		}
		n, stride := y.Len(), y.Len()+2
		const empty = -77.25
		taped, w := make([]float64, n*stride), make([]float64, n*stride)
		for i := range w {
			taped[i], w[i] = empty, r.NormFloat64()
		}
		cov.Gram(taped, stride, &tape)
		row := make([]float64, n)
		for i := range n {
			rows.Row(row, y, i, 0)
			for j := range stride {
				v := empty
				if j <= i {
					v = row[j]
				}
				if at := i*stride + j; taped[at] != v {
					t.Errorf("entry (%d, %d) of %d×%d is %v, want %v", i, j, n, n, taped[at], v)
					return
				}
			}
		}
		if got := make([]float64, len(theta)); drop%2 == 1 {
			cov.PullGram(got, slices.Clone(w), stride, &tape)
			want, scale := byPairs(k, theta, y, w, stride)
			for p, v := range got {
				c.Triangle++
				if !(math.Abs(v-want[p]) <= 1e-11*(scale[p]+1e-3)) {
					t.Errorf("derivative by %s over all pairs is %v, by pairs %v", k.Params()[p].Name, v, want[p])
				}
			}
		}
	}
}

// byPairs is the pullback over all pairs as the sum of those over single pairs, and the sum of their sizes.
func byPairs(k kernels.Kernel, theta []float64, y *points.Set, w []float64, stride int) (want, scale []float64) {
	want, scale = make([]float64, len(theta)), make([]float64, len(theta))
	for i := range y.Len() {
		for j := range i + 1 {
			at, one := []int{j, i}, []float64{0, 0, w[i*stride+j], 0}
			if i == j {
				at, one = at[:1], one[2:3]
			}
			for p, v := range pullback(k, theta, y.Select(at), one) {
				want[p] += v
				scale[p] += math.Abs(v)
			}
		}
	}
	return want, scale
}
