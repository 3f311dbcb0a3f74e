package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/internal/plot"
	"bohier/internal/study"
)

// families orders parameters so that each comes after the ones that activate it and beside the
// ones that are active with it, else as they are.
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
	var moved [][]float64
	for _, t := range q.Threads {
		moved = append(moved, t.At[k:k+1])
	}
	if s.window(&a, ob, values, front, nil, moved...) {
		a.Label, words = ob.Name, " Poor values of "+ob.Name+" are at the edge."
	}
	q.Axes = append(q.Axes, a)
	return words
}

// Parallel shows every trial as a thread through its values of the parameters and the
// objectives, coloured by rank, as believed if anything is believed; of several objectives the
// front by the first of them. A dotted line bridges parameters that are inactive; threads of
// trials without a value, against a constraint or behind the front are grey.
func Parallel(s Source, params []int) plot.Figure {
	several := s.Study.Several()
	q := &plot.Parallel{Front: several}
	params = s.families(params)
	for _, i := range params {
		q.Axes = append(q.Axes, s.axis(i))
	}
	shades := s.ranks()
	var front *study.Front
	if several {
		in := s.standing()
		shades, front = frontPlaces(in), in.Front()
	}
	values := make([][]float64, len(s.Study.Objectives))
	for k := range s.Trials {
		t := &s.Trials[k]
		_, measured := s.value(t)
		if ended := t.State == study.Complete || t.State == study.Failed; !measured && (several || t.Outside || !ended) {
			continue
		}
		thread := plot.Thread{Trial: t.Number, Tip: s.tip(t), Shade: math.NaN()}
		if shade, ok := shades[t.Number]; ok {
			thread.Shade = shade
		}
		for _, i := range params {
			v := math.NaN()
			if t.Config.Active[i] {
				v = t.Config.Value[i]
			}
			thread.At = append(thread.At, v)
		}
		for j, ob := range s.Study.Objectives {
			v := math.NaN()
			if measured {
				v = t.Values.Of(ob.Name)
				values[j] = append(values[j], v)
			}
			thread.At = append(thread.At, v)
		}
		q.Threads = append(q.Threads, thread)
	}
	more := ""
	for j, ob := range s.Study.Objectives {
		var best []float64
		if front != nil {
			for k := range front.Trials {
				best = append(best, front.Trials[k].Values.Of(ob.Name))
			}
		}
		more += s.goal(q, ob, values[j], best)
	}
	f := plot.Figure{Title: s.title("parallel coordinates"), Width: max(90*len(q.Axes)+40, 640), Height: 400}
	if len(q.Threads) > 0 {
		f.Panels = []plot.Panel{{Parallel: q}}
	}
	const line = "A line for each trial"
	switch {
	case several && s.Standing != nil:
		more += " " + nowBelieved + " The axes show what was measured."
	case !several && s.Believed != nil:
		more += s.byMeans() + " The axis shows what was measured."
	}
	if several {
		f.Plain = line + "." + more
		f.Note = line + "; the front is coloured by " + s.Study.Objective().Name + ", the rest is grey." + more
	} else {
		f.Note = line + ", the best in front; dotted where a parameter is inactive." + more
	}
	return f
}

// frontPlaces are the places of the trials on a front, by number: 0 the best in the first
// objective, 1 the worst.
func frontPlaces(in *study.Standing) map[int]float64 {
	out := map[int]float64{}
	if front := in.Front(); front != nil {
		for k := range front.Trials {
			out[front.Trials[k].Number] = float64(k) / float64(max(len(front.Trials)-1, 1))
		}
	}
	for number, k := range in.Again {
		if v, ok := out[in.Trials[k].Number]; ok {
			out[number] = v
		}
	}
	return out
}
