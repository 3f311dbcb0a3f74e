package gp

import "bohier/internal/points"

// A Fixed is a coordinate that all points have alike.
type Fixed struct {
	Value  float64
	Active bool
}

// Section returns the model with its last coordinates fixed. Points given to it and
// to its predictors lack those coordinates, and gradients do; points that have them
// are taken as they are.
func (m *Model) Section(last ...Fixed) *Model {
	out := *m
	out.fixed = last
	out.latest = nil
	return &out
}

// completed are points with the last coordinates where they lack those.
func (m *Model) completed(q *points.Set) *points.Set {
	if m.fixed == nil || q.Dim() == m.x.Dim() {
		return q
	}
	for _, f := range m.fixed {
		q = q.Extend(f.Value)
		if !f.Active {
			clear(q.MakeActivity(q.Dim() - 1))
		}
	}
	return q
}

// ofSection wraps p, a predictor of m, where m is a section: points that lack the fixed
// coordinates are completed before p is asked about them.
func (m *Model) ofSection(p Predictor) Predictor {
	if m.fixed == nil {
		return p
	}
	return &sectionPredictor{Predictor: p, m: m}
}

// A sectionPredictor completes the points that another predictor is asked about.
type sectionPredictor struct {
	Predictor
	m      *Model
	narrow bool // the points loaded lacked the fixed coordinates
}

func (p *sectionPredictor) PredictBatch(mean, variance []float64, q *points.Set) {
	p.Predictor.PredictBatch(mean, variance, p.m.completed(q))
}

func (p *sectionPredictor) Means(mean []float64, q *points.Set) {
	p.Predictor.Means(mean, p.m.completed(q))
}

func (p *sectionPredictor) Open(mean, bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	return p.Predictor.Open(mean, bound, p.m.completed(q))
}

func (p *sectionPredictor) LoadBatch(mean, variance []float64, q *points.Set) {
	whole := p.m.completed(q)
	p.narrow = whole != q
	p.Predictor.LoadBatch(mean, variance, whole)
}

func (p *sectionPredictor) PullBatch(dx [][]float64, dmean, dvar []float64) {
	if !p.narrow {
		p.Predictor.PullBatch(dx, dmean, dvar)
		return
	}
	wide := make([][]float64, len(dx))
	for i, d := range dx {
		if d != nil {
			wide[i] = make([]float64, len(d)+len(p.m.fixed))
		}
	}
	p.Predictor.PullBatch(wide, dmean, dvar)
	for i, d := range dx {
		for c := range d {
			d[c] += wide[i][c]
		}
	}
}
