package gp

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/points"
)

// Leading chooses n points of q one after the other: that with the highest score given
// those before, each of which is believed to come out as predicted. The score is of a
// standardised mean and a latent variance, and grows with the variance. Of a model in
// parts all points are chosen.
func (m *Model) Leading(q *points.Set, n int, score func(mean, variance float64) float64) []int {
	q = m.lift(q)
	k := q.Len()
	if n >= k || m.parts != nil {
		all := make([]int, k)
		for i := range all {
			all[i] = i
		}
		return all
	}
	p := m.latest.latent(m, q)
	mean := p.mean
	noise := max(m.StandardNoise(), jitterLadder[1])
	variance, bound := make([]float64, k), make([]float64, k)
	for i := range bound {
		p.row(variance[i:i+1], i, i)
		variance[i] = max(0, variance[i])
		bound[i] = score(mean[i], variance[i]) // no choice raises it
	}
	var out []int
	chosen := make([]bool, k)
	var factor [][]float64 // rows of the transposed Cholesky factor, one for each choice
	for len(out) < n {
		best, fresh := -1, -1
		for best < 0 || best != fresh {
			if fresh = best; best >= 0 {
				bound[best] = score(mean[best], variance[best])
			}
			best = -1
			for i, b := range bound {
				if !chosen[i] && (best < 0 || b > bound[best]) {
					best = i
				}
			}
		}
		row, root := make([]float64, k), math.Sqrt(variance[best]+noise)
		p.row(row, best, 0)
		for _, f := range factor {
			blas64.Axpy(-f[best], vector(f), vector(row))
		}
		for i := range row {
			row[i] /= root
			variance[i] = max(0, variance[i]-row[i]*row[i])
		}
		chosen[best], out, factor = true, append(out, best), append(factor, row)
	}
	return out
}
