package main

import (
	"strings"

	"bohier/internal/figures"
	"bohier/internal/plot"
	"bohier/internal/study"
)

// overview is slices along the parameters that matter most (size 1), or contours over their
// pairs (size 2), in one figure. What no complete trial has active is left out.
func overview(s call, o plotOptions, size int) (all plot.Figure, err error) {
	v, err := o.look(s)
	if err != nil {
		return all, err
	}
	fixed, err := assignment(v.Study, o.fix)
	if err != nil {
		return all, err
	}
	if err := v.fitOrFail(s); err != nil {
		return all, err
	}
	var order []int
	for _, i := range v.ByImportance() {
		if _, held := fixed[i]; !held {
			order = append(order, i)
		}
	}
	if len(order) < size {
		return all, usage("bohier plot slice draws one", "there are no two parameters to draw")
	}
	for _, along := range mostImportant(order, size) {
		place, cutErr := v.cut(along, o)
		if study.HasCode(cutErr, study.NoResult) {
			err = cutErr
			continue
		}
		if cutErr != nil {
			return all, cutErr
		}
		f := figures.Slice(v.Source, along[0], place)
		if size == 2 {
			f = figures.Contour(v.Source, along[0], along[1], place)
		}
		for _, p := range f.Panels {
			var names []string
			for _, i := range along {
				names = append(names, v.Study.Space.Param(i).Name)
			}
			p.Title = strings.TrimSuffix(strings.Join(names, " and ")+": "+p.Title, ": ")
			all.Panels = append(all.Panels, p)
		}
		all.Height = f.Height
	}
	if len(all.Panels) == 0 {
		return all, err
	}
	all.Title = strings.TrimPrefix(v.Study.Title()+": the parameters that matter most", ": ")
	all.Note = "The most important first; the other parameters are held at the best trial in which those drawn are active."
	all.Columns, all.Width = 2, 460
	return all, nil
}

// mostImportant are the first six of the parameters, each alone, or the pairs of the first
// three.
func mostImportant(order []int, size int) (out [][]int) {
	if size == 1 {
		for _, i := range order[:min(6, len(order))] {
			out = append(out, []int{i})
		}
		return out
	}
	order = order[:min(3, len(order))]
	for a, i := range order {
		for _, j := range order[a+1:] {
			out = append(out, []int{i, j})
		}
	}
	return out
}
