package main

import (
	"cmp"
	"slices"
	"strings"

	"bohier/internal/figures"
	"bohier/internal/lists"
	"bohier/internal/plot"
	"bohier/internal/study"
)

// flag is the value of a flag that some pictures have; empty: this one has it not.
func (s call) flag(name string) string {
	if f := s.command.Flag(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// parameters finds parameters that vary by their names.
func parameters(st *study.Study, names []string) ([]int, error) {
	var out []int
	for _, name := range names {
		i, err := st.Space.Lookup(name)
		switch {
		case err != nil:
			return nil, usage("", "%v", err)
		case st.Space.CoordOf(i) < 0:
			return nil, usage("", "%s is constant", name)
		case slices.Contains(out, i):
			return nil, usage("", "%s is named twice", name)
		}
		out = append(out, i)
	}
	return out, nil
}

// A plotKind is a picture that there is, as a command.
type plotKind struct {
	name   string
	draw   func(v *view, along []int) (plot.Figure, error)
	levels func(*view) string // why it needs a fidelity; nil, empty: it needs none
	fits   bool               // it shows the surrogate
	along  int                // how many parameters are drawn where none is named
	goals  goals              // how several objectives are shown
}

// goals is how a picture shows several objectives.
type goals int

const (
	one      goals = iota // the one that is named
	each                  // the one that is named, or each in panels of its own
	whole                 // the one that is named, or all together
	together              // all together
)

// plotKinds are all pictures, in the order of the help.
var plotKinds = []plotKind{
	{name: "convergence", goals: whole, draw: plotConvergence, levels: func(v *view) string {
		return map[string]string{"resource": "there is no fidelity to spend"}[v.flag("x")]
	}},
	{name: "slice", fits: true, draw: cuts(1), goals: each},
	{name: "contour", fits: true, draw: cuts(2)},
	{name: "parallel", goals: whole, along: mostAxes, draw: func(v *view, along []int) (plot.Figure, error) {
		return figures.Parallel(v.Source, along), nil
	}},
	{name: "importance", fits: true, goals: each, draw: func(v *view, _ []int) (plot.Figure, error) {
		return figures.Importance(v.Source), nil
	}},
	{name: "pareto", goals: together, draw: plotPareto},
	{name: "hypervolume", goals: together, draw: func(v *view, _ []int) (plot.Figure, error) {
		return figures.Hypervolume(v.Source, "trial"), nil
	}},
	{name: "calibration", fits: true, goals: each, draw: func(v *view, _ []int) (plot.Figure, error) {
		return v.calibration(), nil
	}},
	{name: "curves", goals: whole, draw: func(v *view, _ []int) (plot.Figure, error) {
		return figures.Curves(v.Source), nil
	}, levels: func(*view) string { return "there is no fidelity to draw" }},
}

func (k plotKind) picture(s call, names []string) (f plot.Figure, err error) {
	v, err := s.unread()
	if err != nil {
		return f, err
	}
	if v.Scale = strings.TrimPrefix(s.flag("y"), "auto"); s.flag("log") == "true" {
		v.Scale = "log"
	}
	places, err := v.asked(s.flag("objective"))
	switch {
	case k.goals == together && !v.Study.Several():
		return f, usage("`bohier plot convergence` shows one", "plot %s is for several objectives", k.name)
	case k.goals == together && s.flag("objective") != "":
		return f, usage("leave --objective out; `bohier plot convergence --objective NAME` shows one",
			"plot %s shows all objectives together", k.name)
	case err == nil && len(places) > 1 && k.goals == one:
		return f, usage("add --objective "+v.Study.Goals()[0], "the study has %d objectives", len(places))
	case err == nil && k.levels != nil && k.levels(v) != "":
		err = levelled(v.Study, k.levels(v))
	case err == nil && v.command.Flag("fix") != nil:
		v.fixed, err = assignment(v.Study, v.list("fix"))
	}
	var along []int
	if err == nil {
		along, err = parameters(v.Study, names)
	}
	err = v.read(err)
	switch list := lists.Of(places, v.goal); {
	case err != nil:
		return f, err
	case len(list) == 1:
		return k.drawn(list[0], along)
	case k.goals == each:
		return k.ofEach(list, along)
	}
	return k.drawn(v, along)
}

// drawn is the picture of a view, along parameters; one that shows nothing is an error.
func (k plotKind) drawn(v *view, along []int) (f plot.Figure, err error) {
	if k.along > 0 && len(along) == 0 {
		along, err = v.important(k.along)
	}
	if err == nil && k.fits {
		err = v.fit(true)
	} else if err == nil {
		err = v.trust()
	}
	if err != nil {
		return f, err
	}
	if f, err = k.draw(v, along); err == nil && len(f.Panels) == 0 {
		err = noBest(v.Study, v.Trials)
	}
	return f, err
}

// ofEach draws the picture of each of several objectives, in panels of one.
func (k plotKind) ofEach(list []*view, along []int) (all plot.Figure, err error) {
	var notes, drawn []string
	err = forEach(list, func(goal *view) error {
		name := goal.Study.Objective().Name
		f, err := k.drawn(goal, along)
		if err != nil {
			return err
		}
		f.Panels = append(all.Panels, titled(f.Panels, name)...)
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

// run draws the picture and writes it where it was asked for.
func (k plotKind) run(s call, names []string) error {
	out := outFile(s.text("out"))
	if slices.Contains([]outFile{"svg", "text", "json"}, out) {
		return usage("write -o FILE."+string(out), "-o names a file, not a format")
	}
	if _, err := out.kind(s, "svg"); err != nil {
		return err
	}
	f, err := k.picture(s, names)
	switch {
	case err != nil:
		return err
	case out.stdout() && out != "-" && s.Screen:
		return s.print(f.Text(cmp.Or(s.Columns, 80)))
	case out.stdout():
		return s.write(f.SVG())
	default:
		return out.save(s, f.SVG())
	}
}
