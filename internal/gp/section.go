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
