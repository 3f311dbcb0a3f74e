package gp

import (
	"math"
	"math/rand/v2"

	"bohier/internal/points"
)

// At is the prediction of one point.
func At(predict func(mean, variance []float64, q *points.Set), q *points.Set, i int) (mean, variance float64) {
	var m, v [1]float64
	predict(m[:], v[:], q.Slice(i, i+1))
	return m[0], v[0]
}

// PullAt is PullBatch for one point.
func PullAt(p *Predictor, dx []float64, dmean, dvar float64, q *points.Set, i int) {
	var m, v [1]float64
	p.LoadBatch([][]float64{m[:]}, v[:], q.Slice(i, i+1))
	p.PullBatch(0, [][]float64{dx}, []float64{dmean}, []float64{dvar})
}

// scale is the standard deviation in objective units.
func (u Units) scale() float64 { return math.Ldexp(u.sd, u.exp) }

// Sample draws the latent function jointly at the points of q from the posterior, in the units of y.
func (m *Model) Sample(r *rand.Rand, q *points.Set) ([]float64, error) {
	draws, err := m.Draws(r, q, 1)
	if err != nil {
		return nil, err
	}
	return draws[0], nil
}

// slopes evaluates the likelihood and its gradient.
func (e *evaluator) slopes(theta []float64) bool {
	ok := e.evaluate(theta)
	if ok {
		e.differentiate(theta)
	}
	return ok
}
