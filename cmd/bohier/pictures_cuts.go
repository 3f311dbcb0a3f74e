package main

import (
	"strings"

	"bohier/internal/figures"
	"bohier/internal/plot"
	"bohier/internal/study"
)

// cut is where to cut along parameters with values fixed by the user.
func (v *view) cut(along []int) (figures.Place, error) {
	names := make([]string, len(along))
	for k, i := range along {
		names[k] = v.Study.Space.Param(i).Name
		if _, both := v.fixed[i]; both {
			return figures.Place{}, usage("leave --fix "+names[k]+" away", "%s cannot be held: it is drawn", names[k])
		}
	}
	place, ok := v.PlaceFor(along, v.fixed)
	if !ok {
		with := ""
		if len(v.fixed) > 0 {
			with = " with " + strings.Join(v.fix, ", ")
		}
		return place, study.Errorf(study.NoResult, "report results of such configurations with `bohier observe`",
			"%s: active%s in no complete trial", strings.Join(names, ", "), with)
	}
	return place, nil
}

// drawCut is a slice along one parameter, or a contour over two.
func (v *view) drawCut(along []int, place figures.Place) plot.Figure {
	if len(along) == 1 {
		return figures.Slice(v.Source, along[0], place)
	}
	return figures.Contour(v.Source, along[0], along[1], place)
}

// hold reads the values at which the user holds parameters.
func (v *view) hold() (err error) {
	v.fixed, err = assignment(v.Study, v.fix)
	return err
}

// cuts draws a cut along so many parameters or, where none is named, cuts along the important ones.
func cuts(size int) func(*view, []int) (plot.Figure, error) {
	return func(v *view, along []int) (f plot.Figure, err error) {
		switch len(along) {
		case 0:
			return v.overview(size)
		case size - 1:
			return f, usage("bohier plot contour NAME NAME, or without names those that matter most",
				"missing argument: the name of a second parameter")
		}
		at, err := v.cut(along)
		if err != nil {
			return f, err
		}
		return v.drawCut(along, at), nil
	}
}

// overview is slices along the parameters that matter most (size 1), or contours over their
// pairs (size 2), in one figure. Parameters that are active in no complete trial are left out.
func (v *view) overview(size int) (all plot.Figure, err error) {
	var order []int
	for _, i := range v.ByImportance() {
		if _, held := v.fixed[i]; !held {
			order = append(order, i)
		}
	}
	if len(order) < size {
		return all, usage("bohier plot slice draws one", "there are no two parameters to draw")
	}
	for _, along := range mostImportant(order, size) {
		place, cutErr := v.cut(along)
		if study.HasCode(cutErr, study.NoResult) {
			err = cutErr
			continue
		}
		if cutErr != nil {
			return all, cutErr
		}
		f := v.drawCut(along, place)
		var names []string
		for _, i := range along {
			names = append(names, v.Study.Space.Param(i).Name)
		}
		all.Height = f.Height
		all.Panels = append(all.Panels, titled(f.Panels, strings.Join(names, " and "))...)
	}
	if len(all.Panels) == 0 {
		return all, err
	}
	all.Title = strings.TrimPrefix(v.Study.Title()+": the parameters that matter most", ": ")
	all.Note = "The most important first; the other parameters are held at the best trial in which those drawn are active."
	all.Columns, all.Width = 2, 460
	return all, nil
}

// titled are panels whose titles say what they are of.
func titled(panels []plot.Panel, of string) []plot.Panel {
	for k := range panels {
		panels[k].Title = strings.TrimSuffix(of+": "+panels[k].Title, ": ")
	}
	return panels
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

// important are the parameters that matter most, so many; which those are is known where a
// surrogate can be fitted.
func (v *view) important(most int) ([]int, error) {
	if len(v.Study.Space.Coordinates()) > most && !v.Study.Several() {
		if err := v.fit(false); err != nil {
			return nil, err
		}
	}
	along := v.ByImportance()
	return along[:min(most, len(along))], nil
}
