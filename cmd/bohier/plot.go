package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/figures"
	"bohier/internal/plot"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

type plotOptions struct {
	out outFile
	x   string // of convergence
	y   string
	log bool // axes of objectives
	fix []string
	of  objectiveFlag
}

func newPlot(g *globals) *cobra.Command {
	var o plotOptions
	c := &cobra.Command{
		Use:         "plot KIND [flags]",
		Args:        args(1, -1, "what to draw; see bohier plot --help"),
		Annotations: exits(6, 7, 9, 11, 130),
		RunE: func(c *cobra.Command, got []string) error {
			if err := gone("plot " + got[0]); err != nil {
				return err
			}
			var uses, names []string
			for _, k := range plotKinds {
				name, _, _ := strings.Cut(k.use, " ")
				uses, names = append(uses, strings.TrimSuffix(k.use, " [NAME…]")), append(names, name)
			}
			hint := "there are: " + strings.Join(uses, ", ")
			if near, ok := space.Nearest(got[0], names); ok {
				hint = "did you mean " + near + "?"
			}
			return usage(hint, "unknown plot %q", got[0])
		},
	}
	f := c.PersistentFlags()
	f.StringVarP((*string)(&o.out), "out", "o", "", "write the picture to `FILE`, as SVG")
	c.PersistentPreRunE = func(c *cobra.Command, got []string) (err error) {
		if err = c.Root().PersistentPreRunE(c, got); err == nil {
			_, err = o.out.kind(g.call, "svg")
		}
		if strings.EqualFold(filepath.Ext(string(o.out)), ".png") {
			err = usage("write -o FILE.svg; `rsvg-convert FILE.svg -o FILE.png` makes dots of it",
				"pictures are no longer written as PNG")
		}
		if err == nil && slices.Contains([]string{"svg", "text", "json"}, string(o.out)) {
			err = usage("write -o FILE."+string(o.out), "-o names a file, not a format")
		}
		return err
	}
	o.of.add(f, c, g)
	for _, k := range plotKinds {
		c.AddCommand(k.command(g, &o))
	}
	return c
}

// completeParameters offers the names of parameters, up to so many; most < 0: any
// number.
func (g *globals) completeParameters(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, got []string, _ string) (names []string, d cobra.ShellCompDirective) {
		st, _, err := g.read()
		if err != nil || most >= 0 && len(got) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, i := range st.Space.Coordinates() {
			if name := st.Space.Param(i).Name; !slices.Contains(got, name) {
				names = append(names, name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// scale is the scale of axes of objectives; empty: what shows the good values.
func (o *plotOptions) scale() string {
	if o.log {
		return "log"
	}
	return strings.TrimPrefix(o.y, "auto")
}

// deliver writes the picture where it was asked for.
func (o *plotOptions) deliver(s call, f plot.Figure) error {
	switch {
	case o.out.stdout() && o.out != "-" && s.Screen:
		return s.print(f.Text(cmp.Or(s.Columns, 80)))
	case o.out.stdout():
		return s.write(f.SVG())
	}
	return o.out.save(s, f.SVG())
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
	use   string
	check func(*view, plotOptions, []string) error // of what is asked for, before anything is fitted
	needs func(*view) error                        // what the surrogate is asked; nil: nothing
	draw  func(*view, plotOptions, []int) (plot.Figure, error)
	most  int   // parameters that can be named; < 0: any number
	along int   // how many are drawn where none is named
	fix   bool  // others can be held
	goals goals // how several objectives are shown
	log   bool  // has an axis of an objective, which --log makes logarithmic
	flags func(*plotOptions, *globals, *cobra.Command)
}

// goals is how a picture shows several objectives.
type goals int

const (
	one      goals = iota // the one that is named
	each                  // the one that is named, or each in panels of its own
	whole                 // the one that is named, or all together
	together              // all together
)

// source makes a picture of what is drawn from a source alone.
func source(of func(figures.Source) plot.Figure) func(*view, plotOptions, []int) (plot.Figure, error) {
	return func(v *view, _ plotOptions, _ []int) (plot.Figure, error) { return of(v.Source), nil }
}

// surrogate is what a picture of what the surrogate says needs.
func surrogate(v *view) error { return v.fit(true) }

// plotKinds are all pictures, in the order of the help.
var plotKinds = []plotKind{
	{use: "convergence", log: true, goals: whole, needs: (*view).trust, draw: plotConvergence,
		flags: (*plotOptions).scales,
		check: func(v *view, o plotOptions, _ []string) error {
			if o.x != "resource" {
				return nil
			}
			return levelled(v.Study, "there is no fidelity to spend")
		}},
	{use: "slice [NAME]", log: true, needs: surrogate, draw: cuts(1), goals: each, most: 1, fix: true, check: checkFixed},
	{use: "contour [NAME NAME]", log: true, needs: surrogate, draw: cuts(2), most: 2, fix: true, check: checkFixed},
	{use: "parallel [NAME…]", log: true, goals: whole, needs: (*view).trust, most: -1, along: mostAxes,
		draw: func(v *view, _ plotOptions, along []int) (plot.Figure, error) {
			return figures.Parallel(v.Source, along), nil
		}},
	{use: "importance", needs: surrogate, goals: each,
		draw: func(v *view, _ plotOptions, _ []int) (plot.Figure, error) {
			return figures.Importance(v.Source, coupled(v.Study.Space)), nil
		}},
	{use: "pareto", log: true, goals: together, needs: (*view).trust, draw: plotPareto},
	{use: "hypervolume", goals: together, needs: (*view).trust,
		draw: source(func(s figures.Source) plot.Figure { return figures.Hypervolume(s, "trial") })},
	{use: "calibration", needs: surrogate, goals: each,
		draw: func(v *view, _ plotOptions, _ []int) (plot.Figure, error) { return v.calibration(), nil }},
	{use: "curves", log: true, goals: whole, needs: (*view).trust, draw: source(figures.Curves),
		check: func(v *view, _ plotOptions, _ []string) error {
			return levelled(v.Study, "there is no fidelity to draw")
		}},
}

func (k plotKind) picture(s call, o plotOptions, names []string) (f plot.Figure, err error) {
	v, err := look(s)
	if err != nil {
		return f, err
	}
	v.Scale = o.scale()
	kind, _, _ := strings.Cut(k.use, " ")
	switch list, err := o.of.of(v.session); {
	case k.goals == together && !v.Study.Several():
		return f, usage("`bohier plot convergence` shows one", "plot %s is for several objectives", kind)
	case k.goals == together && o.of != "":
		return f, usage("leave --objective out; `bohier plot convergence --objective NAME` shows one",
			"plot %s shows all objectives together", kind)
	case err != nil:
		return f, err
	case len(list) == 1:
		return k.drawn(v.of(list[0]), o, names)
	case k.goals == each:
		return k.ofEach(v, list, o, names)
	case k.goals == one:
		return f, usage("add --objective "+list[0].Study.Objective().Name, "the study has %d objectives", len(list))
	}
	return k.drawn(v, o, names)
}

// drawn is the picture of a view; one that shows nothing is an error.
func (k plotKind) drawn(v *view, o plotOptions, names []string) (f plot.Figure, err error) {
	if k.check != nil {
		if err := k.check(v, o, names); err != nil {
			return f, err
		}
	}
	along, err := parameters(v.Study, names)
	if err == nil && k.along > 0 && len(names) == 0 {
		along, err = v.important(k.along)
	}
	if err == nil && k.needs != nil {
		err = k.needs(v)
	}
	if err != nil {
		return f, err
	}
	if f, err = k.draw(v, o, along); err == nil && len(f.Panels) == 0 {
		err = noBest(v.Study, v.Trials)
	}
	return f, err
}

// ofEach draws the picture of each of several objectives, in panels of one.
func (k plotKind) ofEach(v *view, list []runner.Session, o plotOptions, names []string) (all plot.Figure, err error) {
	var notes, drawn []string
	err = forEach(v.call, list, func(goal runner.Session) error {
		name := goal.Study.Objective().Name
		f, err := k.drawn(v.of(goal), o, names)
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

func (k plotKind) command(g *globals, o *plotOptions) *cobra.Command {
	c := &cobra.Command{
		Use:  k.use + " [flags]",
		Args: args(0, k.most, ""), Annotations: exits(6, 7, 9, 11, 130),
		RunE: g.run(func(s call, names []string) error {
			f, err := k.picture(s, *o, names)
			if err != nil {
				return err
			}
			return o.deliver(s, f)
		}),
	}
	if k.most != 0 {
		c.ValidArgsFunction = g.completeParameters(k.most)
	}
	if k.fix {
		c.Flags().StringArrayVar(&o.fix, "fix", nil, "keep a parameter at a value: `NAME=VALUE`; repeatable")
		g.completes(c, "fix", g.completeAssignments())
	}
	if k.log {
		c.Flags().BoolVar(&o.log, "log", false, "logarithmic axes of objectives, with all of their positive values")
	}
	if k.flags != nil {
		k.flags(o, g, c)
	}
	return c
}

func (o *plotOptions) scales(g *globals, c *cobra.Command) {
	g.oneOf(c, c.Flags(), &o.x, "x", "horizontal axis; cost and resource are sums over the trials so far", "trial",
		"cost", "resource")
	g.oneOf(c, c.Flags(), &o.y, "y", "scale of the objective", "auto", "linear", "log")
}
