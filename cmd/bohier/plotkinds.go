package main

import (
	"github.com/spf13/cobra"

	"bohier/internal/plot"
)

// A plotKind is a picture that there is, as a command.
type plotKind struct {
	use, short, example, long string
	draw                      func(call, plotOptions, []string) (plot.Figure, error)
	least, most               int    // parameters that are named; most < 0: any number
	names                     string // what is named, where it has to be
	fix                       bool   // others can be held
	quick                     bool   // no surrogate is fitted: nothing to interrupt
	each                      bool   // of several objectives, each has its panels
	log                       bool   // has an axis of an objective, which --log makes logarithmic
	flags                     func(*plotOptions, *globals, *cobra.Command)
}

// plotKinds are all pictures, in the order of the help.
var plotKinds = []plotKind{
	{
		use: "convergence", short: "How good is the best so far, and does it still improve?", log: true, draw: plotConvergence, flags: (*plotOptions).scales,
		example: `  bohier plot convergence -o convergence.svg
  bohier plot convergence --x cost --y log -o cost.svg`,
		long: `Every result and the best so far; where values are noisy the leader instead, as the
surrogate sees it now, ± its standard deviation. Failed trials are ticks below.
--y linear or --y log shows everything on that scale. Of several objectives the
same as hypervolume, or one of them with --objective NAME.`,
	},
	{
		use: "slice [NAME]", short: "What does one parameter do, the others held?", log: true, draw: plotSlice, each: true, least: 0, most: 1, fix: true,
		example: `  bohier plot slice -o slices.svg           # the parameters that matter most
  bohier plot slice lr -o lr.svg
  bohier plot slice lr --fix optimizer=sgd --fix layers=3 -o sgd.svg
  bohier plot slice optimizer > optimizer.svg`,
		long: `The posterior mean with one and two standard deviations on both sides, along NAME,
the other parameters held at the incumbent, or, where NAME is inactive there, at the
best trial of the branch in which it is active; --fix holds them elsewhere. Grey
dots are the observed trials. Hatched is where outcomes probably violate a
constraint, or the space forbids the value. Parameters that only some values of NAME
activate take their defaults, or the middle of their range. Without NAME the six parameters
that matter most, each in a panel.`,
	},
	{
		use: "contour [NAME NAME]", short: "What do two parameters do together?", log: true, draw: plotContour, least: 0, most: 2, fix: true,
		example: `  bohier plot contour -o contours.svg       # the parameters that matter most
  bohier plot contour lr depth -o contour.svg
  bohier plot contour lr optimizer --fix depth=3 -o contour.svg`,
		long: `The posterior mean over two parameters, beside it its standard deviation; the other
parameters as in slice. Rings are the observed trials. A veil covers where outcomes
probably violate a constraint. Without names the pairs of the three parameters that matter
most.`,
	},
	{
		use: "parallel [NAME…]", short: "What do the good trials have in common?", log: true, draw: plotParallel, least: 0, most: -1,
		example: `  bohier plot parallel -o parallel.svg
  bohier plot parallel lr optimizer momentum -o three.svg`,
		long: `A line for each trial through its values of the parameters named, or of the twelve
that matter most, and of the objective, coloured by rank; it is dotted where a
parameter is inactive. Parameters follow those that activate them. Trials that failed or violate a constraint are grey.`,
	},
	{
		use: "importance", short: "Which parameters matter at all?", draw: plotImportance, each: true, flags: (*plotOptions).measure,
		example: "  bohier plot importance -o importance.svg\n  bohier plot importance --by permutation   # with what parameters do together",
		long: `The share of the variance of the predicted objective, over random configurations, that
each parameter explains by itself: its first-order Sobol index, for a conditional
parameter among the configurations in which it is active, weighted with their share
in the variance. What is missing to 100 % are interactions. Constraints between
parameters tie them together: then shares can overlap, and the picture says so.

With --by permutation the share that is lost when a parameter's values are shuffled among
the configurations in which it is active: its total index, what it does together with
others included. Shares of parameters that interact overlap: they may add up to more than
100 %, and the picture says so.`,
	},
	{
		use: "pareto", short: "Of several objectives: which trials does no other one beat?", log: true, draw: plotPareto,
		example: "  bohier plot pareto -o front.svg",
		long: `The front as a staircase, dominated trials faint, trials against a constraint hollow,
pending ones where the surrogates expect them, ± one standard deviation; reference
point and targets as lines. Of three and more objectives every pair, each with the
front of that pair.`,
	},
	{
		use: "hypervolume", short: "Of several objectives: does the front still grow?", draw: plotHypervolume,
		example: "  bohier plot hypervolume -o hypervolume.svg",
		long: `The normalised hypervolume after every complete trial, with one reference point
throughout, which is said below the title; 1 would be the best values of every
objective in one trial. Where values are noisy it is that of the posterior means of the
trials up to each, as the surrogates see them now, so that it ends with the front that
bohier best shows.`,
	},
	{
		use: "rank [NAME…]", short: "Where do good trials lie, two parameters at a time?", draw: plotRank, least: 0, most: 6,
		example: `  bohier plot rank -o rank.svg
  bohier plot rank lr depth -o lr-depth.svg`,
		long: `A dot for each trial over every pair of the parameters named, or of the three that
matter most, coloured from the best to the worst; crosses are trials without a
result. Only trials in which both parameters are active appear.`,
	},
	{
		use: "distribution", short: "Did the model do better than the initial design?", log: true, draw: plotDistribution,
		example: "  bohier plot distribution -o distribution.svg",
		long: `The empirical distribution of the objective: the share of trials up to each value, of
all, of those that the model suggested, of the initial design, and of those given by
the user.`,
	},
	{
		use: "timeline", short: "When did trials run, on which worker? What failed?", draw: plotTimeline,
		example: "  bohier plot timeline -o timeline.svg",
		long: `A bar for each trial from its suggestion to its result, or for as long as it was
measured to run; a row for each worker, several where it ran trials at once.`,
	},
	{
		use: "calibration", short: "Can the surrogate's predictions be trusted?", draw: plotCalibration, each: true,
		example: "  bohier plot calibration -o calibration.svg",
		long: `Every trial's value is predicted from all the others, with the hyperparameters
kept. The left panel shows which share of the values lies inside the intervals of
each nominal coverage: below the diagonal the surrogate is too sure of itself,
above it too timid; nine in ten calibrated surrogates are inside the band at each
coverage. The right panel shows every value against its prediction.`,
	},
	{
		use: "curves", short: "What did trials come to on their way, and where did they end?", log: true, draw: plotCurves, quick: true,
		example: "  bohier plot curves -o curves.svg",
		long: `In a study with a fidelity: a line for each trial by resource, of folds and repeats
the mean of the first ones. Complete trials are coloured, those that wait or run
dashed, ended ones grey; the levels are rules. Below the title is where the units
went.`,
	},
}

// command is the command that draws the picture.
func (k plotKind) command(g *globals, o *plotOptions) *cobra.Command {
	codes := []int{6, 7, 9, 11}
	if !k.quick {
		codes = append(codes, 130)
	}
	c := &cobra.Command{
		Use: k.use + " [flags]", Short: k.short, Example: k.example, Long: k.long,
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
