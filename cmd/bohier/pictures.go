package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/lists"
	"bohier/internal/page"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// importances are shares by name, the most important first.
func importances(shares map[string]float64) []report.Importance {
	out := []report.Importance{}
	for name, share := range shares {
		out = append(out, report.Importance{Name: name, Share: share})
	}
	slices.SortFunc(out, func(a, b report.Importance) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Name, b.Name))
	})
	return out
}

func plotConvergence(v *view, _ []int) (f plot.Figure, err error) {
	if v.flag("x") == "cost" && report.Spent(v.Trials) == nil {
		return f, study.Errorf(study.NoResult, "report costs with `bohier observe --cost`", "no trial has a cost")
	}
	if v.Study.Several() {
		if strings.TrimPrefix(v.flag("y"), "auto") != "" {
			return f, usage("leave --y out, or add --objective NAME for one of them",
				"the hypervolume is a share of 1, which needs no scale of its own")
		}
		return figures.Hypervolume(v.Source, v.flag("x")), nil
	}
	steps := report.Progress(v.Study.Standing(nil), v.Trials)
	if len(steps) == 0 {
		return f, nil
	}
	for _, step := range steps {
		if v.flag("y") == "log" && step.Value <= 0 {
			return f, usage("leave --y away: poor values then move to the edge",
				"a log axis has no place for the value %s of trial %s", report.Rounded(step.Value), step.ID)
		}
	}
	return figures.Convergence(v.Source, v.flag("x")), nil
}

func plotPareto(v *view, _ []int) (plot.Figure, error) {
	expected, err := v.expected()
	return figures.Pareto(v.Source, expected, v.board), err
}

func (v *view) calibration() plot.Figure {
	return figures.Calibration(v.Source, v.a.LeftOut())
}

// frontFigures are the pictures of several objectives: all together, once there is a front, then the surrogate of every
// objective.
func (v *view) frontFigures(begun bool) (cards []page.Figure, err error) {
	if begun {
		front, err := plotPareto(v, nil)
		if err != nil {
			return nil, err
		}
		question, span := "Which compromises are there?", 2
		if len(front.Panels) > 1 {
			question, span = "Which compromises are there, pair by pair?", 3
		}
		cards = append(cards,
			page.Picture(span, "Front", question, front, 420, 340),
			page.Picture(1, "Hypervolume", "Does the front still grow?", figures.Hypervolume(v.Source, "trial"), 340, 0),
			v.parallel("What do the trials of the front have in common?"))
	}
	for k := range v.Study.Objectives {
		goal := v.goal(k)
		if err := goal.fit(false); err != nil {
			return nil, err
		}
		if goal.a != nil {
			cards = append(cards, goal.goalPictures()...)
		}
	}
	return cards, nil
}

// goalPictures are the pictures of an objective's surrogate: the importance of parameters, the effect of the most
// important one, and the error of predictions.
func (v *view) goalPictures() []page.Figure {
	name := v.Study.Objective().Name
	importance, calibration := figures.Importance(v.Source), v.calibration()
	calibration.Panels = calibration.Panels[:1]
	list := []page.Figure{page.Picture(1, "Importance for "+name, "Which parameters matter at all?",
		importance, importance.Height, 0)}
	for _, p := range v.slices(1) {
		p.Title = name + strings.Replace(p.Title, "Along", " along", 1)
		list = append(list, p)
	}
	return append(list, page.Picture(1, "Calibration of "+name, "Can the surrogate's predictions be trusted?",
		calibration, high, 0))
}

// expected are the predictions of several objectives for the pending trials, by number; empty if a
// surrogate cannot be fitted.
func (v *view) expected() (map[int][]study.Estimate, error) {
	pending := lists.Only(study.In(study.Pending, v.Trials), func(t *study.Trial) bool { return !t.Outside })
	if len(pending) == 0 {
		return nil, nil
	}
	at := lists.Of(pending, func(t *study.Trial) space.Configuration { return t.Config })
	out := map[int][]study.Estimate{}
	for k := range v.Study.Objectives {
		a, err := v.goal(k).analysis()
		if study.HasCode(err, study.NoResult) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("objective %s: %w", v.Study.Objectives[k].Name, err)
		}
		mean, std, _ := a.Predict(at)
		for i, t := range pending {
			out[t.Number] = append(out[t.Number], study.Estimate{Mean: mean[i], Std: std[i]})
		}
	}
	return out, nil
}

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
			with = " with " + strings.Join(v.list("fix"), ", ")
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

// cuts draws a cut along so many parameters or, where none is named, cuts along the important ones.
func cuts(size int) func(*view, []int) (plot.Figure, error) {
	return func(v *view, along []int) (f plot.Figure, err error) {
		switch len(along) {
		case 0:
			return v.overview(size)
		case size - 1:
			return f, usage("name two parameters, or none for the ones that matter most: bohier plot contour NAME NAME",
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
	order := lists.Only(v.ByImportance(), func(i int) bool { _, held := v.fixed[i]; return !held })
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
		names := lists.Of(along, func(i int) string { return v.Study.Space.Param(i).Name })
		all.Height = f.Height
		all.Panels = append(all.Panels, titled(f.Panels, strings.Join(names, " and "))...)
	}
	if len(all.Panels) == 0 {
		return all, err
	}
	all.Title = strings.TrimPrefix(v.Study.Name+": the parameters that matter most", ": ")
	all.Note = "The most important first; the others are held at the best trial in which the drawn ones are active."
	all.Columns, all.Width = 2, 460
	return all, nil
}

// titled are panels with their subjects as titles.
func titled(panels []plot.Panel, of string) []plot.Panel {
	for k := range panels {
		panels[k].Title = strings.TrimSuffix(of+": "+panels[k].Title, ": ")
	}
	return panels
}

// mostImportant are the first six of the parameters, each alone, or the pairs of the first three.
func mostImportant(order []int, size int) (out [][]int) {
	if size == 1 {
		return lists.Of(order[:min(6, len(order))], func(i int) []int { return []int{i} })
	}
	order = order[:min(3, len(order))]
	for a, i := range order {
		for _, j := range order[a+1:] {
			out = append(out, []int{i, j})
		}
	}
	return out
}

// important are the parameters that matter most, so many; which those are is known where a surrogate can be fitted.
func (v *view) important(most int) ([]int, error) {
	if len(v.Study.Space.Coordinates()) > most {
		if err := v.fit(false); err != nil {
			return nil, err
		}
	}
	along := v.ByImportance()
	return along[:min(most, len(along))], nil
}
