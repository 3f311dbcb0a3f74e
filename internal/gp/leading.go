package gp

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// Leading chooses n points of q one after the other: that with the highest score given the ones
// before, which are assumed to have the predicted values. The score is of a standardised mean and a
// latent variance, and grows with the variance.
func (m *Model) Leading(q *points.Set, n int, score func(mean, variance float64) float64) []int {
	q = m.completed(q)
	k := q.Len()
	if n >= k {
		return lists.Every(k)
	}
	g := &greedy{latent: m.cachedLatent(q), noise: max(m.StandardNoise(), jitterLadder[1]), factor: make([][]float64, k),
		variance: make([]float64, k)}
	bound := make([]float64, k)
	for i := range bound {
		g.row(g.variance[i:i+1], i, i)
		g.variance[i] = max(0, g.variance[i])
		bound[i] = score(g.mean[i], g.variance[i]) // no choice raises it
	}
	chosen := make([]bool, k)
	for len(g.chosen) < n {
		best, fresh := -1, -1
		for best < 0 || best != fresh {
			if fresh = best; best >= 0 {
				g.update(best)
				bound[best] = score(g.mean[best], g.variance[best])
			}
			best = -1
			for i, b := range bound {
				if !chosen[i] && (best < 0 || b > bound[best]) {
					best = i
				}
			}
		}
		chosen[best] = true
		g.chosen, g.roots = append(g.chosen, best), append(g.roots, math.Sqrt(g.variance[best]+g.noise))
	}
	return g.chosen
}

// A greedy is the state of a choice of points, one after the other. The variance of a point is
// given the choices that it was updated for.
type greedy struct {
	*latent
	noise    float64
	chosen   []int
	roots    []float64   // of the choices, the diagonal of their Cholesky factor
	factor   [][]float64 // of every point, its row in that factor, as far as it was updated
	variance []float64
}

// update brings the variance of point i up to the last choice.
func (g *greedy) update(i int) {
	for c := len(g.factor[i]); c < len(g.chosen); c++ {
		var cov [1]float64
		g.row(cov[:], i, g.chosen[c])
		f := (cov[0] - floats.Dot(g.factor[i], g.factor[g.chosen[c]][:c])) / g.roots[c]
		g.factor[i] = append(g.factor[i], f)
		g.variance[i] = max(0, g.variance[i]-f*f)
	}
}
