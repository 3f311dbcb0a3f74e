package figures

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/plot"
	"bohier/internal/study"
)

// families orders parameters so that each comes after the ones that activate it and beside the
// ones that are active with it, else as they are.
func (s Source) families(params []int) (out []int) {
	together := func(i, j int) bool {
		return !slices.ContainsFunc(s.Trials, func(t study.Trial) bool {
			a := t.Config.Active
			return len(a) > 0 && a[i] != a[j]
		})
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
				sibling := s.Study.Space.Conditional(i) && s.Study.Space.Conditional(j) && together(i, j)
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

// meets are the values at which a trial meets the axes of parameters and objectives; NaN for none.
func (s Source) meets(t *study.Trial, params []int) (at []float64) {
	add := func(v float64, has bool) {
		if !has {
			v = math.NaN()
		}
		at = append(at, v)
	}
	for _, i := range params {
		add(t.Config.Value[i], t.Config.Active[i])
	}
	_, measured := s.value(t)
	for _, ob := range s.Study.Objectives {
		add(t.Values.Of(ob.Name), measured)
	}
	return at
}

// Parallel shows every trial as a thread through its values of the parameters and the objectives, coloured by rank, by
// posterior means where there are any; of several objectives the front by the first of them. A dotted line bridges
// parameters that are inactive; threads of trials without a value, against a constraint or behind the front are grey.
func Parallel(s Source, params []int) plot.Figure {
	several, st := s.Study.Several(), s.Study
	q := &plot.Parallel{Front: several}
	params = s.families(params)
	q.Axes = lists.Of(params, s.axis)
	shades, best := s.ranks(), []study.Trial(nil)
	if several {
		if front := s.standing().Front(); front != nil {
			best = front.Trials
		}
	}
	incumbent, shown := s.Incumbent(nil), s.sample()
	for k := range s.Trials {
		t := &s.Trials[k]
		shade, ranked := shades[t.Number]
		if !shown(k) && t != incumbent && !(several && ranked) {
			continue
		}
		_, measured := s.value(t)
		if ended := t.State == study.Complete || t.State == study.Failed; !measured && (several || t.Outside || !ended) {
			continue
		}
		if !ranked {
			shade = math.NaN()
		}
		q.Threads = append(q.Threads, plot.Thread{Trial: t.Number, Tip: s.tip(t), Shade: shade, At: s.meets(t, params)})
	}
	more := ""
	for _, ob := range st.Objectives {
		a := plot.Axis{Label: ob.Name}
		var all, front []float64
		var moved [][]float64
		for _, t := range q.Threads {
			at := t.At[len(q.Axes) : len(q.Axes)+1]
			all, moved = append(all, at...), append(moved, at)
		}
		for k := range best {
			front = append(front, best[k].Values.Of(ob.Name))
		}
		if s.window(&a, ob, all, front, nil, moved...) {
			a.Label = ob.Name
			more += " Poor values of " + ob.Name + " are at the edge."
		}
		q.Axes = append(q.Axes, a)
	}
	f := plot.Figure{Title: s.title("parallel coordinates"), Width: max(90*len(q.Axes)+40, 640), Height: 400}
	if len(q.Threads) > 0 {
		f.Panels = []plot.Panel{{Parallel: q}}
	}
	if noisy := s.byMeans(); noisy != "" {
		more += noisy + " The axes show measured values."
	}
	line := "A line for each trial"
	if n := s.oneOf(); n > 1 {
		line = fmt.Sprintf("A line for one of %d trials", n)
	}
	f.Note = line + ", the best in front; dotted where a parameter is inactive." + more
	if several {
		f.Plain = line + "." + more
		f.Note = line + "; the front is coloured by " + st.Objective().Name + ", the rest is grey." + more
	}
	return f
}
