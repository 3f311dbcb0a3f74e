package gp

import (
	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/points"
)

// Kin returns a predictor in standardised units for each of several models, for
// one goroutine together. Those of models that ConditionEach made with one factor
// share what depends on the points alone: when the first of them has been asked
// about some points, the others have little left to do for the same points. They
// are to be used in turn: what Open returns at the same shares, PullBatch before
// the first loads other points.
func Kin(models []*Model) []*Predictor {
	out := make([]*Predictor, len(models))
	var first *Predictor
	for k, m := range models {
		if first != nil && first.m.sharesFactor(m) {
			out[k] = &Predictor{m: m, cov: first.cov, one: points.New(1, m.x.Dim()), k: make([]float64, m.x.Len()),
				v: make([]float64, m.x.Len()), w: make([]float64, m.x.Len()), scale: first.scale, std: true}
			first.kin = append(first.kin, m)
			out[k].first, out[k].nth = first, len(first.kin)
			continue
		}
		first = m.Standard()
		out[k] = first
	}
	return out
}

// sharesFactor tells whether o differs from m by its observed values alone.
func (m *Model) sharesFactor(o *Model) bool {
	return m.parts == nil && o.parts == nil && m.x == o.x && m.l.n > 0 && &m.l.data[0] == &o.l.data[0]
}

// elder is the predictor that p shares with: itself where there is none.
func (p *Predictor) elder() *Predictor {
	if p.first != nil {
		return p.first
	}
	return p
}

// newMeans has room for the means of p and its kin.
func (p *Predictor) newMeans(n int) [][]float64 {
	out := make([][]float64, 1+len(p.kin))
	for k := range out {
		out[k] = make([]float64, n)
	}
	return out
}

// seen are points with the standardised means of a predictor and its kin there.
type seen struct {
	q     *points.Set
	means [][]float64
}

// meansAt sets the standardised means of p and its kin at point r, whose
// correlations are row.
func (p *Predictor) meansAt(means [][]float64, r int, row []float64) {
	means[0][r] = p.m.mean(row)
	for j, m := range p.kin {
		means[1+j][r] = m.mean(row)
	}
}

// mean is the standardised mean at a point with correlations k.
func (m *Model) mean(k []float64) float64 {
	return m.theta[m.own+2] + blas64.Dot(vector(k), vector(m.beta))
}

// mine are p's means among those that it or its elder computed: the elder
// computes everybody's, in order, and the others only their own.
func (p *Predictor) mine(means [][]float64) []float64 { return means[min(p.nth, len(means)-1)] }

// same tells whether a and b are the same points in the same order.
func same(a, b *points.Set) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !a.Equal(i, b, i) {
			return false
		}
	}
	return true
}
