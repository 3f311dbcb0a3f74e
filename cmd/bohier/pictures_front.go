package main

import (
	"slices"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// hypervolume is the picture of several objectives by trial, or by what trials have cost.
func (v *view) hypervolume(s call, byCost bool) (f plot.Figure, err error) {
	if v.Study.Front(study.Pointers(v.Trials)) == nil {
		return f, noBest(v.Study, v.Trials)
	}
	if _, spent := report.Progress(v.Study, v.Trials, good(v.Study, v.Trials)); byCost && spent == nil {
		return f, noCost()
	}
	if _, err := v.lead(s); err != nil {
		return f, err
	}
	return figures.Hypervolume(v.Source, byCost), nil
}

// lead has the pictures of several objectives show the front that is believed in, where
// values are noisy.
func (v *view) lead(s call) (*report.Leaderboard, error) {
	board, _, err := leaders(s, v.session, v.state)
	v.ledBy(board)
	return board, err
}

// ledBy has the pictures of several objectives show the front of a board, if there is one.
func (v *view) ledBy(board *report.Leaderboard) {
	if board != nil {
		v.Standing = board.Standing
	}
}

// all reports whether a picture is of several objectives, none of which is named.
func (o *plotOptions) all(st *study.Study) bool { return st.Several() && o.of == "" }

// together looks at a study for the named picture of all its objectives.
func (o *plotOptions) together(s call, name string) (*view, error) {
	v, err := look(s, s.place)
	switch {
	case err != nil:
		return nil, err
	case !v.Study.Several():
		return nil, usage("`bohier plot convergence` shows one", "plot %s is for several objectives", name)
	case o.of != "":
		return nil, usage("leave --objective out; `bohier plot convergence --objective NAME` shows one", "plot %s shows all objectives together", name)
	}
	return v, nil
}

func plotHypervolume(s call, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := o.together(s, "hypervolume")
	if err != nil {
		return f, err
	}
	return v.hypervolume(s, false)
}

func plotPareto(s call, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := o.together(s, "pareto")
	if err != nil {
		return f, err
	}
	v.Scale = o.scale()
	if v.Study.Front(study.Pointers(v.Trials)) == nil {
		return f, noBest(v.Study, v.Trials)
	}
	board, err := v.lead(s)
	if err != nil {
		return f, err
	}
	return v.pareto(s, board)
}

// ofEach draws the picture of each of several objectives, unless one is named, in panels
// of one.
func (k plotKind) ofEach(s call, o plotOptions, names []string) (all plot.Figure, err error) {
	session, err := s.session()
	if err != nil || !o.all(session.Study) {
		return k.draw(s, o, names)
	}
	goals, err := o.of.of(session)
	if err != nil {
		return all, err
	}
	var notes, drawn []string
	err = each(s, goals, func(goal runner.Session) error {
		name := goal.Study.Objective().Name
		o.of = objectiveFlag(name)
		f, err := k.draw(s, o, names)
		if err != nil {
			return err
		}
		for _, p := range f.Panels {
			p.Title = strings.TrimSuffix(name+": "+p.Title, ": ")
			all.Panels = append(all.Panels, p)
		}
		f.Panels = all.Panels
		all = f
		notes, drawn = append(notes, f.Note), append(drawn, name)
		return nil
	})
	if same := slices.Compact(slices.Clone(notes)); len(same) > 1 {
		all.Note = ""
		for i, name := range drawn {
			all.Note += name + ": " + notes[i] + " "
		}
	}
	return all, err
}
