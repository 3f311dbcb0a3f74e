package gp

import "bohier/internal/points"

// SharedPredictors returns a predictor in standardised units for each of several
// models, all for the same goroutine. Models that differ in their observed values
// alone (ConditionEach) share one factor: the first predictor asked about some points
// computes covariances and solves, the others reuse them. They are to be asked about
// the same points in order. PullBatch panics once the first has loaded other points,
// and what Open returned must be called with the same shares.
func SharedPredictors(models []*Model) []Predictor {
	out := make([]Predictor, len(models))
	var first *exact
	for k, m := range models {
		switch {
		case first != nil && first.models[0].sharesFactor(m):
			out[k] = &follower{newExact(m, first.cov), first, len(first.models)}
			first.models = append(first.models, m)
		default:
			first = newExact(m, nil)
			out[k] = first
		}
		out[k] = m.ofSection(out[k])
	}
	return out
}

// sharesFactor reports whether o differs from m by its observed values alone.
func (m *Model) sharesFactor(o *Model) bool {
	return m.x == o.x && m.l.n > 0 && &m.l.data[0] == &o.l.data[0]
}

// A follower takes what another predictor computed for the same points. About other
// points it asks itself.
type follower struct {
	*exact
	first *exact
	nth   int // the model's place among those of first
}

// A meanCache is points with the means of several models there.
type meanCache struct {
	q  *points.Set
	of [][]float64
}

func (p *follower) Means(mean []float64, q *points.Set) {
	if s := p.first.cached; s != nil && equalPoints(s.q, q) {
		copy(mean, s.of[p.nth])
		return
	}
	p.exact.Means(mean, q)
}

func (p *follower) Open(mean, bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	if o := p.first.open; o != nil && equalPoints(o.q, q) {
		return o.start(mean, bound, p.nth)
	}
	return p.exact.Open(mean, bound, q)
}

func (p *follower) LoadBatch(mean, variance []float64, q *points.Set) {
	if b := &p.first.loaded; b.q != nil && equalPoints(b.q, q) {
		p.hold(mean, variance, b, p.nth)
		return
	}
	p.exact.LoadBatch(mean, variance, q)
}

// equalPoints reports whether a and b are the same points in the same order.
func equalPoints(a, b *points.Set) bool {
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
