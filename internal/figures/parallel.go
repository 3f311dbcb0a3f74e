package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/internal/plot"
	"bohier/internal/study"
)

// families orders parameters so that each comes after those that activate it and beside those
// that are active with it, else as they are.
func (s Source) families(params []int) (out []int) {
	branch := func(i int) string {
		var on strings.Builder
		for k := range s.Trials {
			if a := s.Trials[k].Config.Active; len(a) > 0 {
				fmt.Fprint(&on, a[i])
			}
		}
		return on.String()
	}
	var add func(i int)
	add = func(i int) {
		if slices.Contains(out, i) || !slices.Contains(params, i) {
			return
		}
		for _, p := range s.Study.Space.Parents(i) {
			add(p)
		}
		if slices.Contains(out, i) {
			return
		}
		out = append(out, i)
		for _, same := range []bool{true, false} {
			for _, j := range params {
				child := slices.Contains(s.Study.Space.Parents(j), i)
				sibling := s.Study.Space.Conditional(i) && s.Study.Space.Conditional(j) && branch(j) == branch(i)
				if same && sibling || !same && child {
					add(j)
				}
			}
		}
	}
	for _, i := range params {
		add(i)
	}
	return out
}

// goal adds the axis of an objective, the next value of every thread; its words say what a
// picture of it leaves to its edge.
func (s Source) goal(q *plot.Parallel, ob study.Objective, values, front []float64) (words string) {
	a, k := plot.Axis{Label: ob.Name}, len(q.Axes)
	if s.window(&a, ob.Direction.Sign(), values, front, nil) {
		words = " Poor values of " + ob.Name + " are at the edge."
		for _, t := range q.Threads {
			clip(a, t.At[k:k+1])
		}
	}
	q.Axes = append(q.Axes, a)
	return words
}

// Parallel shows every trial as a thread through its values of the parameters and
// the objective, coloured by rank, as believed if anything is believed. A dotted line bridges parameters that are inactive;
// threads of trials without a value, or against a constraint, are grey.
func Parallel(s Source, params []int) plot.Figure {
	q := &plot.Parallel{}
	params = s.families(params)
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
	clipped := s.goal(q, s.Study.Objective(), values, nil)
	f := plot.Figure{
		Title: s.title("parallel coordinates"), Note: "A line for each trial, the best in front; dotted where a parameter is inactive." + clipped + s.byMeans(),
		Width: max(90*len(q.Axes)+40, 640), Height: 400,
	}
	if s.Believed != nil {
		f.Note += " The axis shows what was measured."
	}
	f.Panels = []plot.Panel{{Parallel: q}}
	return f
}
