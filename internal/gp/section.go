package gp

import "bohier/internal/points"

// Section is the model seen by someone who knows all coordinates but the last,
// which is at: one task of a model of several. Points given to it and to its
// predictors lack that coordinate, and gradients do; points that have it are
// taken as they are.
func (m *Model) Section(at float64) *Model {
	out := *m
	out.section = &at
	out.samples = nil
	for _, s := range m.samples {
		out.samples = append(out.samples, s.Section(at))
	}
	return &out
}

// lift completes points that lack the last coordinate.
func (m *Model) lift(q *points.Set) *points.Set {
	if m.section == nil || q.Dim() == m.x.Dim() {
		return q
	}
	return q.Extend(*m.section)
}

// lift completes point i of q, which may need no completion.
func (p *Predictor) lift(q *points.Set, i int) (*points.Set, int) {
	if p.m.section == nil || q.Dim() == p.m.x.Dim() {
		return q, i
	}
	if p.whole == nil {
		p.whole = points.New(1, p.m.x.Dim())
	}
	for c := range q.Dim() {
		p.whole.Set(c, 0, q.At(c, i), q.Active(c, i))
	}
	p.whole.Set(q.Dim(), 0, *p.m.section, true)
	return p.whole, 0
}
