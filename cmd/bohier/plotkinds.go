package main

import (
	"github.com/spf13/cobra"

	"bohier/internal/plot"
)

// A plotKind is a picture that there is, as a command.
type plotKind struct {
	use         string
	draw        func(call, plotOptions, []string) (plot.Figure, error)
	least, most int    // parameters that are named; most < 0: any number
	names       string // what is named, where it has to be
	fix         bool   // others can be held
	quick       bool   // no surrogate is fitted: nothing to interrupt
	each        bool   // of several objectives, each has its panels
	log         bool   // has an axis of an objective, which --log makes logarithmic
	flags       func(*plotOptions, *globals, *cobra.Command)
}

// plotKinds are all pictures, in the order of the help.
var plotKinds = []plotKind{
	{use: "convergence", log: true, draw: plotConvergence, flags: (*plotOptions).scales},
	{use: "slice [NAME]", log: true, draw: plotSlice, each: true, least: 0, most: 1, fix: true},
	{use: "contour [NAME NAME]", log: true, draw: plotContour, least: 0, most: 2, fix: true},
	{use: "parallel [NAME…]", log: true, draw: plotParallel, least: 0, most: -1},
	{use: "importance", draw: plotImportance, each: true, flags: (*plotOptions).measure},
	{use: "pareto", log: true, draw: plotPareto},
	{use: "hypervolume", draw: plotHypervolume},
	{use: "rank [NAME…]", draw: plotRank, least: 0, most: 6},
	{use: "distribution", log: true, draw: plotDistribution},
	{use: "timeline", draw: plotTimeline},
	{use: "calibration", draw: plotCalibration, each: true},
	{use: "curves", log: true, draw: plotCurves, quick: true},
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
			draw := k.draw
			if k.each {
				draw = k.ofEach
			}
			f, err := draw(s, *o, names)
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
