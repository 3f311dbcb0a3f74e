package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/study"
)

type plotOptions struct {
	place place
	out   outFile
	kind  string // of the file
	x     string // of convergence
}

func newPlot(s *streams, g *globals) *cobra.Command {
	var o plotOptions
	c := &cobra.Command{
		Use: "plot KIND [flags]", Short: "Draw the study as SVG, PNG or text.",
		Example: `  bohier plot convergence --out convergence.svg
  bohier plot slice lr --out lr.svg
  bohier plot calibration --out calibration.png`,
		Long: `convergence shows the best value so far by trial or by cost; slice NAME the surrogate along
one parameter; calibration whether its predictions keep their promises. The
picture goes to --out FILE, in the format of its extension: .svg, or .png with
Latin, Greek and Cyrillic letters. Without --out it goes to standard output: as
SVG, or as text where that is a terminal.`,
		Args:        args(1, -1, "what to draw: convergence, slice NAME or calibration"),
		Annotations: exits(6, 7, 9, 11, 130),
		RunE: func(c *cobra.Command, got []string) error {
			switch got[0] {
			case "contour", "parallel", "importance":
				return usage(plots, "plot %s is not available yet", got[0])
			}
			return usage(plots, "unknown plot %q", got[0])
		},
	}
	c.PersistentFlags().StringVar((*string)(&o.out), "out", "", "write the picture to `FILE`: .svg or .png")
	c.PersistentPreRunE = func(c *cobra.Command, got []string) (err error) {
		if err = c.Root().PersistentPreRunE(c, got); err == nil {
			o.kind, err = o.out.kind(*s, "svg", "png")
		}
		return err
	}
	c.AddCommand(newPlotConvergence(s, g, &o), newPlotSlice(s, g, &o), newPlotCalibration(s, g, &o))
	return c
}

const plots = "there are: convergence, slice NAME, calibration"

func newPlotConvergence(s *streams, g *globals, o *plotOptions) *cobra.Command {
	c := &cobra.Command{
		Use: "convergence [flags]", Short: "Draw the best value so far by trial, or by cost.",
		Example: `  bohier plot convergence --out convergence.svg
  bohier plot convergence --x cost --out cost.svg`,
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9, 11),
		RunE: func(c *cobra.Command, _ []string) error {
			o.place = g.place
			return runPlotConvergence(c.Context(), *s, *o)
		},
	}
	c.Flags().StringVar(&o.x, "x", "trial", "along the bottom: `trial` number, or cost of all trials so far")
	_ = c.RegisterFlagCompletionFunc("x", cobra.FixedCompletions([]string{"trial", "cost"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func newPlotSlice(s *streams, g *globals, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "slice NAME [flags]", Short: "Draw the surrogate along one parameter.",
		Example: `  bohier plot slice lr --out lr.svg
  bohier plot slice optimizer > optimizer.svg`,
		Long: `The posterior mean with one standard deviation on both sides, along NAME, the
other parameters held at the best trial in which NAME is active; grey dots are
the observed trials. Parameters that only some values of NAME activate take
their defaults, or the middle of their range.`,
		Args:              args(1, 1, "the name of a parameter"),
		ValidArgsFunction: g.completeParameters(s),
		Annotations:       exits(6, 7, 9, 11, 130),
		RunE: func(c *cobra.Command, got []string) error {
			o.place = g.place
			return runPlotSlice(c.Context(), *s, *o, got[0])
		},
	}
}

func newPlotCalibration(s *streams, g *globals, o *plotOptions) *cobra.Command {
	return &cobra.Command{
		Use: "calibration [flags]", Short: "Draw whether the surrogate's predictions hold.",
		Example: "  bohier plot calibration --out calibration.svg",
		Long: `Every trial's value is predicted from all the others, with the hyperparameters
kept. The left panel shows which share of the values lies inside the intervals of
each nominal coverage: below the diagonal the surrogate is too sure of itself,
above it too timid; nine in ten calibrated surrogates are inside the band at each
coverage. The right panel shows every value against its prediction.`,
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9, 11, 130),
		RunE: func(c *cobra.Command, _ []string) error {
			o.place = g.place
			return runPlotCalibration(c.Context(), *s, *o)
		},
	}
}

// completeParameters offers the names of parameters.
func (g *globals) completeParameters(s *streams) cobra.CompletionFunc {
	return func(_ *cobra.Command, got []string, _ string) (names []string, d cobra.ShellCompDirective) {
		st, _, err := g.place.read(*s)
		if err != nil || len(got) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for i := range st.Space.Params() {
			if st.Space.CoordOf(i) >= 0 {
				names = append(names, st.Space.Param(i).Name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

func runPlotConvergence(ctx context.Context, s streams, o plotOptions) error {
	if o.x != "trial" && o.x != "cost" {
		return usage("write --x trial or --x cost", "unknown axis %q", o.x)
	}
	session, err := o.place.session(s)
	if err != nil {
		return err
	}
	state, warnings, err := session.Read(ctx)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	counts := good(session.Study, state.Trials)
	steps, spent := report.Progress(session.Study, state.Trials, counts)
	if len(steps) == 0 {
		return noBest(session.Study, state.Trials)
	}
	if o.x == "cost" && spent == nil {
		return study.Errorf(study.NoResult, "report costs with `bohier observe --cost`", "no trial has a cost")
	}
	board, _, err := leaders(ctx, s, session, state)
	if err != nil {
		return err
	}
	believed := estimates(session.Study, board, state.Trials)
	return o.deliver(s, report.Convergence(session.Study, state.Trials, counts, believed, o.x == "cost"))
}

// good tells which trials can be the best: the complete ones whose outcomes
// satisfy the constraints.
func good(st *study.Study, trials []study.Trial) func(*study.Trial) bool {
	counted := map[int]bool{}
	for _, t := range st.Best(trials, len(trials)) {
		counted[t.Number] = true
	}
	return func(t *study.Trial) bool { return counted[t.Number] }
}

func runPlotSlice(ctx context.Context, s streams, o plotOptions, name string) error {
	session, err := o.place.session(s)
	if err != nil {
		return err
	}
	st := session.Study
	i, err := st.Space.Lookup(name)
	if err != nil {
		return usage("", "%v", err)
	}
	if st.Space.CoordOf(i) < 0 {
		return usage("", "%s is constant", name)
	}
	state, warnings, err := session.Read(ctx)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	a, err := analyze(ctx, s, session, state)
	if err != nil {
		return err
	}
	s.Log.warn(a.Warnings...)
	for _, t := range st.Best(state.Trials, len(state.Trials)) {
		if !t.Outside && t.Config.Active[i] {
			return o.deliver(s, report.Slice(st, i, t.Config, state.Trials, a))
		}
	}
	return study.Errorf(study.NoResult, "report results with `bohier observe`", "%s is active in no complete trial", name)
}

func runPlotCalibration(ctx context.Context, s streams, o plotOptions) error {
	session, err := o.place.session(s)
	if err != nil {
		return err
	}
	state, warnings, err := session.Read(ctx)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	a, err := analyze(ctx, s, session, state)
	if err != nil {
		return err
	}
	s.Log.warn(a.Warnings...)
	return o.deliver(s, report.Calibration(session.Study, report.LeftOut(a.LeftOut)))
}

// deliver writes the picture where it was asked for.
func (o plotOptions) deliver(s streams, f report.Figure) error {
	switch {
	case o.out.stdout() && o.out != "-" && s.Screen:
		return s.print(f.Text(cmp.Or(s.Columns, 80)))
	case o.out.stdout():
		return s.write(f.SVG())
	case o.kind == "png":
		picture, err := f.PNG()
		if err != nil {
			return err
		}
		return o.out.save(s, picture)
	}
	return o.out.save(s, f.SVG())
}
