package figures

import (
	"math"

	"bohier/internal/plot"
	"bohier/internal/study"
)

// Parallel shows every trial as a thread through its values of the parameters and
// the objective, coloured by rank, as believed if anything is believed. It has a gap where a parameter is inactive;
// threads of trials without a value, or against a constraint, are grey.
func Parallel(s Source, params []int) plot.Figure {
	q := &plot.Parallel{}
	for _, i := range params {
		q.Axes = append(q.Axes, s.axis(i))
	}
	ranks := s.ranks()
	var values []float64
	for k := range s.Trials {
		t := &s.Trials[k]
		if t.Outside || t.State != study.Complete && t.State != study.Failed {
			continue
		}
		thread := plot.Thread{Trial: t.Number, Tip: s.tip(t), Shade: math.NaN()}
		if rank, ok := ranks[t.Number]; ok {
			thread.Shade = rank
		}
		for _, i := range params {
			v := math.NaN()
			if t.Config.Active[i] {
				v = t.Config.Value[i]
			}
			thread.At = append(thread.At, v)
		}
		v, ok := s.value(t)
		if !ok {
			v = math.NaN()
		} else {
			values = append(values, v)
		}
		thread.At = append(thread.At, v)
		q.Threads = append(q.Threads, thread)
	}
	q.Axes = append(q.Axes, plot.Axis{Label: s.Study.Objective().Name, Log: spread(values)})
	f := plot.Figure{
		Title: s.title("parallel coordinates"), Note: "A line for each trial, the best in front; a gap where a parameter is inactive." + s.byMeans(),
		Width: max(90*len(q.Axes)+40, 640), Height: 400,
	}
	if s.Believed != nil {
		f.Note += " The axis shows what was measured."
	}
	f.Panels = []plot.Panel{{Parallel: q}}
	return f
}
