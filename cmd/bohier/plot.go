package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"bohier/internal/plot"
	"bohier/internal/space"
	"bohier/internal/study"
)

type plotOptions struct {
	place place
	out   outFile
	kind  string // of the file
	theme string
	x     string // of convergence
	y     string
	by    string // of importance
	fix   []string
	of    objectiveFlag
}

func newPlot(s *streams, g *globals) *cobra.Command {
	var o plotOptions
	c := &cobra.Command{
		Use: "plot KIND [flags]", Short: "Draw the study as SVG, PNG or text.",
		Example: `  bohier plot convergence -o convergence.svg
  bohier plot slice lr --fix optimizer=adam -o lr.svg
  bohier plot contour lr depth --theme dark -o contour.png
  bohier plot importance                  # on a terminal: as text`,
		Long: `Which picture answers what:

  convergence        How good is the best so far, and does it still improve?
  slice NAME         What does one parameter do, the others held? How sure is that?
  contour NAME NAME  And two of them together?
  parallel [NAME…]   What do the good trials have in common?
  importance         Which parameters matter at all?
  rank [NAME…]       Where do good trials lie, two parameters at a time?
  distribution       Did the model do better than the initial design?
  timeline           When did trials run, on which worker? What failed, and when?
  calibration        Can the surrogate's predictions be trusted?
  curves             What did trials come to on their way, and where did they end?
  pareto             Of several objectives: which trials does no other one beat?
  hypervolume        Of several objectives: does the front still grow?

The picture goes to the file -o FILE, in the format of its extension: .svg, or .png
with Latin, Greek and Cyrillic letters. Without it, it goes to standard output: as
SVG, or as text where that is a terminal. SVG follows the viewer's preference for
light or dark unless --theme says which; points tell their trial on hovering.`,
		Args:        args(1, -1, "what to draw; see bohier plot --help"),
		Annotations: exits(6, 7, 9, 11, 130),
		RunE: func(c *cobra.Command, got []string) error {
			hint := plots
			if near, ok := space.Nearest(got[0], plotKinds); ok {
				hint = "did you mean " + near + "?"
			}
			return usage(hint, "unknown plot %q", got[0])
		},
	}
	f := c.PersistentFlags()
	f.StringVarP((*string)(&o.out), "out", "o", "", "write the picture to `FILE`: .svg or .png")
	f.StringVar(&o.theme, "theme", "auto", "`colours`: light, dark or auto")
	_ = c.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions([]string{"auto", "light", "dark"}, cobra.ShellCompDirectiveNoFileComp))
	c.PersistentPreRunE = func(c *cobra.Command, got []string) (err error) {
		if err = c.Root().PersistentPreRunE(c, got); err == nil {
			o.kind, err = o.out.kind(*s, "svg", "png")
		}
		if err == nil && slices.Contains([]string{"svg", "png", "text", "json"}, string(o.out)) {
			err = usage("write -o FILE."+string(o.out), "-o names a file, not a format")
		}
		if _, known := themes[o.theme]; err == nil && !known {
			err = usage("write --theme light, dark or auto", "unknown theme %q", o.theme)
		}
		o.place = g.place
		return err
	}
	o.of.add(f, c, g, s)
	c.AddCommand(
		newPlotConvergence(s, &o), newPlotSlice(s, g, &o), newPlotContour(s, g, &o), newPlotParallel(s, g, &o), newPlotImportance(s, &o),
		newPlotPareto(s, &o), newPlotHypervolume(s, &o),
		newPlotRank(s, g, &o), newPlotDistribution(s, &o), newPlotTimeline(s, &o), newPlotCalibration(s, &o),
		newPlotCurves(s, &o),
	)
	return c
}

var (
	plotKinds = []string{"convergence", "slice", "contour", "parallel", "importance", "rank", "distribution", "timeline", "calibration", "curves", "pareto", "hypervolume"}
	themes    = map[string]plot.Theme{"auto": plot.Auto, "light": plot.Light, "dark": plot.Dark}
)

const plots = "there are: convergence, slice NAME, contour NAME NAME, parallel, importance, rank, distribution, timeline, calibration, curves, pareto, hypervolume"

// draws runs a kind of plot.
func draws(s *streams, o *plotOptions, picture func(context.Context, streams, plotOptions, []string) (plot.Figure, error)) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, got []string) error {
		f, err := picture(c.Context(), *s, *o, got)
		if err != nil {
			return err
		}
		return o.deliver(*s, f)
	}
}

func newPlotConvergence(s *streams, o *plotOptions) *cobra.Command {
	c := &cobra.Command{
		Use: "convergence [flags]", Short: "How good is the best so far, and does it still improve?",
		Example: `  bohier plot convergence -o convergence.svg
  bohier plot convergence --x cost --y log -o cost.svg`,
		Long: `Every result and the best so far; where values are noisy the leader instead, as the
surrogate sees it now, ± its standard deviation. Failed trials are ticks below. The
axis of the objective is logarithmic where all values are positive and spread over two
decades; elsewhere poor values are moved to its edge where they would flatten the
rest. --y linear or --y log shows everything on that scale.`,
		Args: args(0, 0, ""), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotConvergence),
	}
	c.Flags().StringVar(&o.x, "x", "trial", "along the bottom: `trial` number, or cost or resource of all trials so far")
	c.Flags().StringVar(&o.y, "y", "auto", "`scale` of the objective: auto, linear or log")
	_ = c.RegisterFlagCompletionFunc("x", cobra.FixedCompletions([]string{"trial", "cost", "resource"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("y", cobra.FixedCompletions([]string{"auto", "linear", "log"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func newPlotPareto(s *streams, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "pareto [flags]", Short: "Of several objectives: which trials does no other one beat?",
		Example: "  bohier plot pareto -o front.svg",
		Long: `The front as a staircase, dominated trials faint, trials against a constraint hollow,
pending ones where the surrogates expect them, ± one standard deviation; reference
point and targets as lines. Of three and more objectives every pair, each with the
front of that pair.`,
		Args: args(0, 0, ""), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotPareto),
	}
}

func newPlotCurves(s *streams, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "curves [flags]", Short: "What did trials come to on their way, and where did they end?",
		Example: "  bohier plot curves -o curves.svg",
		Long: `In a study with a fidelity: a line for each trial by resource, of folds and repeats
the mean of the first ones. Complete trials are coloured, those that wait or run
dashed, ended ones grey; the levels are rules. Below the title is where the units
went.`,
		Args: args(0, 0, ""), Annotations: exits(2, 6, 7, 9, 11),
		RunE: draws(s, o, plotCurves),
	}
}

func newPlotHypervolume(s *streams, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "hypervolume [flags]", Short: "Of several objectives: does the front still grow?",
		Example: "  bohier plot hypervolume -o hypervolume.svg",
		Long: `The normalised hypervolume after every complete trial, with one reference point
throughout, which is said below the title; 1 would be the best values of every
objective in one trial.`,
		Args: args(0, 0, ""), Annotations: exits(6, 7, 9, 11),
		RunE: draws(s, o, plotHypervolume),
	}
}

const fixHelp = "hold `NAME=VALUE`; may be repeated"

func newPlotSlice(s *streams, g *globals, o *plotOptions) *cobra.Command {
	c := &cobra.Command{
		Use: "slice NAME [flags]", Short: "What does one parameter do, the others held?",
		Example: `  bohier plot slice lr -o lr.svg
  bohier plot slice lr --fix optimizer=sgd --fix layers=3 -o sgd.svg
  bohier plot slice optimizer > optimizer.svg`,
		Long: `The posterior mean with one and two standard deviations on both sides, along NAME,
the other parameters held at the incumbent, or, where NAME is inactive there, at the
best trial of the branch in which it is active; --fix holds them elsewhere. Grey
dots are the observed trials. Hatched is where outcomes probably violate a
constraint, or the space forbids the value. Parameters that only some values of NAME
activate take their defaults, or the middle of their range.`,
		Args: args(1, 1, "the name of a parameter"), ValidArgsFunction: g.completeParameters(s, 1), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotSlice),
	}
	c.Flags().StringArrayVar(&o.fix, "fix", nil, fixHelp)
	_ = c.RegisterFlagCompletionFunc("fix", g.completeAssignments(s))
	return c
}

func newPlotContour(s *streams, g *globals, o *plotOptions) *cobra.Command {
	c := &cobra.Command{
		Use: "contour NAME NAME [flags]", Short: "What do two parameters do together?",
		Example: `  bohier plot contour lr depth -o contour.svg
  bohier plot contour lr optimizer --fix depth=3 -o contour.png`,
		Long: `The posterior mean over two parameters, beside it its standard deviation; the other
parameters as in slice. Rings are the observed trials. A veil covers where outcomes
probably violate a constraint.`,
		Args: args(2, 2, "the names of two parameters"), ValidArgsFunction: g.completeParameters(s, 2), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotContour),
	}
	c.Flags().StringArrayVar(&o.fix, "fix", nil, fixHelp)
	_ = c.RegisterFlagCompletionFunc("fix", g.completeAssignments(s))
	return c
}

func newPlotParallel(s *streams, g *globals, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "parallel [NAME…] [flags]", Short: "What do the good trials have in common?",
		Example: `  bohier plot parallel -o parallel.svg
  bohier plot parallel lr optimizer momentum -o three.svg`,
		Long: `A line for each trial through its values of the parameters named, or of the twelve
that matter most, and of the objective, coloured by rank; it has a gap where a
parameter is inactive. Trials that failed or violate a constraint are grey.`,
		Args: args(0, -1, ""), ValidArgsFunction: g.completeParameters(s, -1), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotParallel),
	}
}

func newPlotImportance(s *streams, o *plotOptions) *cobra.Command {
	c := &cobra.Command{
		Use: "importance [flags]", Short: "Which parameters matter at all?",
		Example: "  bohier plot importance -o importance.svg\n  bohier plot importance --by permutation   # with what parameters do together",
		Long: `The share of the variance of the predicted objective, over random configurations, that
each parameter explains by itself: its first-order Sobol index, for a conditional
parameter among the configurations in which it is active, weighted with their share
in the variance. What is missing to 100 % are interactions. Constraints between
parameters tie them together: then shares can overlap, and the picture says so.

With --by permutation the share that is lost when a parameter's values are shuffled among
the configurations in which it is active: its total index, what it does together with
others included. Shares of parameters that interact overlap: they may add up to more than
100 %, and the picture says so.`,
		Args: args(0, 0, ""), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotImportance),
	}
	c.Flags().StringVar(&o.by, "by", "sobol", "`how` importance is counted: sobol or permutation")
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{"sobol", "permutation"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func newPlotRank(s *streams, g *globals, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "rank [NAME…] [flags]", Short: "Where do good trials lie, two parameters at a time?",
		Example: `  bohier plot rank -o rank.svg
  bohier plot rank lr depth -o lr-depth.svg`,
		Long: `A dot for each trial over every pair of the parameters named, or of the three that
matter most, coloured from the best to the worst; crosses are trials without a
result. Only trials in which both parameters are active appear.`,
		Args: args(0, 6, ""), ValidArgsFunction: g.completeParameters(s, 6), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotRank),
	}
}

func newPlotDistribution(s *streams, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "distribution [flags]", Short: "Did the model do better than the initial design?",
		Example: "  bohier plot distribution -o distribution.svg",
		Long: `The empirical distribution of the objective: the share of trials up to each value, of
all, of those that the model suggested, of the initial design, and of those given by
the user.`,
		Args: args(0, 0, ""), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotDistribution),
	}
}

func newPlotTimeline(s *streams, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "timeline [flags]", Short: "When did trials run, on which worker? What failed?",
		Example: "  bohier plot timeline -o timeline.svg",
		Long: `A bar for each trial from its suggestion to its result, or for as long as it was
measured to run; a row for each worker, several where it ran trials at once.`,
		Args: args(0, 0, ""), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotTimeline),
	}
}

func newPlotCalibration(s *streams, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "calibration [flags]", Short: "Can the surrogate's predictions be trusted?",
		Example: "  bohier plot calibration -o calibration.svg",
		Long: `Every trial's value is predicted from all the others, with the hyperparameters
kept. The left panel shows which share of the values lies inside the intervals of
each nominal coverage: below the diagonal the surrogate is too sure of itself,
above it too timid; nine in ten calibrated surrogates are inside the band at each
coverage. The right panel shows every value against its prediction.`,
		Args: args(0, 0, ""), Annotations: exits(6, 7, 9, 11, 130),
		RunE: draws(s, o, plotCalibration),
	}
}

// completeParameters offers the names of parameters, up to so many; most < 0: any
// number.
func (g *globals) completeParameters(s *streams, most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, got []string, _ string) (names []string, d cobra.ShellCompDirective) {
		st, _, err := g.read(*s)
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

// deliver writes the picture where it was asked for.
func (o plotOptions) deliver(s streams, f plot.Figure) error {
	theme := themes[o.theme]
	switch {
	case o.out.stdout() && o.out != "-" && s.Screen:
		return s.print(f.Text(cmp.Or(s.Columns, 80)))
	case o.out.stdout():
		return s.write(f.SVG(theme))
	case o.kind == "png":
		picture, err := f.PNG(theme)
		if err != nil {
			return err
		}
		return o.out.save(s, picture)
	}
	return o.out.save(s, f.SVG(theme))
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
