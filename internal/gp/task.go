package gp

import "bohier/internal/points"

// FixTask returns the model with its last coordinate, the task of a model of several,
// fixed. Points given to it and to its predictors lack that coordinate, and gradients
// do; points that have it are taken as they are.
func (m *Model) FixTask(task float64) *Model {
	out := *m
	out.task = &task
	out.samples = nil
	for _, s := range m.samples {
		out.samples = append(out.samples, s.FixTask(task))
	}
	return &out
}

// lift completes points that lack the last coordinate.
func (m *Model) lift(q *points.Set) *points.Set {
	if m.task == nil || q.Dim() == m.x.Dim() {
		return q
	}
	return q.Extend(*m.task)
}

// forTask makes p, a predictor of m, one of its task if it is fixed.
func (m *Model) forTask(p Predictor) Predictor {
	if m.task == nil {
		return p
	}
	return &taskPredictor{Predictor: p, m: m}
}

// A taskPredictor completes the points that another predictor is asked about.
type taskPredictor struct {
	Predictor
	m      *Model
	narrow bool // the points loaded lacked the task
}

func (p *taskPredictor) PredictBatch(mean, variance []float64, q *points.Set) {
	p.Predictor.PredictBatch(mean, variance, p.m.lift(q))
}

func (p *taskPredictor) Means(mean []float64, q *points.Set) { p.Predictor.Means(mean, p.m.lift(q)) }

func (p *taskPredictor) Open(mean, bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	return p.Predictor.Open(mean, bound, p.m.lift(q))
}

func (p *taskPredictor) LoadBatch(mean, variance []float64, q *points.Set) {
	whole := p.m.lift(q)
	p.narrow = whole != q
	p.Predictor.LoadBatch(mean, variance, whole)
}

func (p *taskPredictor) PullBatch(dx [][]float64, dmean, dvar []float64) {
	if !p.narrow {
		p.Predictor.PullBatch(dx, dmean, dvar)
		return
	}
	wide := make([][]float64, len(dx))
	for i, d := range dx {
		if d != nil {
			wide[i] = make([]float64, len(d)+1)
		}
	}
	p.Predictor.PullBatch(wide, dmean, dvar)
	for i, d := range dx {
		for c := range d {
			d[c] += wide[i][c]
		}
	}
}
