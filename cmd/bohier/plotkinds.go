package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/plot"
	"bohier/internal/runner"
)

// A plotKind is a picture that there is, as a command.
type plotKind struct {
	use         string
	draw        func(*view, plotOptions, []string) (plot.Figure, error)
	least, most int    // parameters that are named; most < 0: any number
	names       string // what is named, where it has to be
	fix         bool   // others can be held
	quick       bool   // no surrogate is fitted: nothing to interrupt
	goals       goals  // how several objectives are shown
	log         bool   // has an axis of an objective, which --log makes logarithmic
	flags       func(*plotOptions, *globals, *cobra.Command)
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
	{use: "convergence", log: true, goals: whole, draw: plotConvergence, flags: (*plotOptions).scales},
	{use: "slice [NAME]", log: true, draw: plotSlice, goals: each, least: 0, most: 1, fix: true},
	{use: "contour [NAME NAME]", log: true, draw: plotContour, least: 0, most: 2, fix: true},
	{use: "parallel [NAME…]", log: true, goals: whole, draw: plotParallel, least: 0, most: -1},
	{use: "importance", draw: plotImportance, goals: each, flags: (*plotOptions).measure},
	{use: "pareto", log: true, goals: together, draw: plotPareto},
	{use: "hypervolume", goals: together, draw: plotHypervolume},
	{use: "rank [NAME…]", draw: plotRank, least: 0, most: 6},
	{use: "distribution", log: true, draw: plotDistribution},
	{use: "timeline", goals: whole, draw: plotTimeline},
	{use: "calibration", draw: plotCalibration, goals: each},
	{use: "curves", log: true, goals: whole, draw: plotCurves, quick: true},
}

// picture draws what is asked for.
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
		return f, usage("leave --objective out; `bohier plot convergence --objective NAME` shows one", "plot %s shows all objectives together", kind)
	case err != nil:
		return f, err
	case len(list) == 1:
		return k.draw(v.of(list[0]), o, names)
	case k.goals == each:
		return k.ofEach(v, list, o, names)
	case k.goals == one:
		return f, usage("add --objective "+list[0].Study.Objective().Name, "the study has %d objectives", len(list))
	}
	return k.draw(v, o, names)
}

// ofEach draws the picture of each of several objectives, in panels of one.
func (k plotKind) ofEach(v *view, list []runner.Session, o plotOptions, names []string) (all plot.Figure, err error) {
	var notes, drawn []string
	err = forEach(v.call, list, func(goal runner.Session) error {
		name := goal.Study.Objective().Name
		f, err := k.draw(v.of(goal), o, names)
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

// command is the command that draws the picture.
func (k plotKind) command(g *globals, o *plotOptions) *cobra.Command {
	codes := []int{6, 7, 9, 11}
	if !k.quick {
		codes = append(codes, 130)
	}
	c := &cobra.Command{
		Use:  k.use + " [flags]",
		Args: args(k.least, k.most, k.names), Annotations: exits(codes...),
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

// scales are the flags of convergence.
func (o *plotOptions) scales(g *globals, c *cobra.Command) {
	g.oneOf(c, c.Flags(), &o.x, "x", "horizontal axis; cost and resource are sums over the trials so far", "trial", "cost", "resource")
	g.oneOf(c, c.Flags(), &o.y, "y", "scale of the objective", "auto", "linear", "log")
}

// measure is the flag of importance.
func (o *plotOptions) measure(g *globals, c *cobra.Command) {
	g.oneOf(c, c.Flags(), &o.by, "by", "measure of importance", "sobol", "permutation")
}
