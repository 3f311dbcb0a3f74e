package main

import (
	"context"

	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

type bestOptions struct {
	place  place
	format format
	prefix string
	by     string
	count  int
	array  bool
}

func newBest(s *streams, g *globals) *cobra.Command {
	var o bestOptions
	c := &cobra.Command{
		Use: "best [flags]", Short: "Show the best trial so far.",
		Example: `  bohier best
  bohier best -n 5                        # the five best
  bohier best --by posterior              # as the surrogate sees it, for noisy objectives
  ./train $(bohier best -o args)          # run it`,
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9, 11),
		RunE: func(c *cobra.Command, _ []string) error {
			o.place, o.array = g.place, c.Flags().Changed("number")
			return runBest(c.Context(), *s, o)
		},
	}
	f := c.Flags()
	f.IntVarP(&o.count, "number", "n", 1, "`how many`; JSON is then an array")
	f.StringVar(&o.by, "by", "observed", "`observed` value or posterior mean")
	f.StringVar(&o.prefix, "prefix", "", "put `TEXT` before the variables of -o env")
	_ = c.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{"observed", "posterior"}, cobra.ShellCompDirectiveNoFileComp))
	g.addFormat(c, &o.format, oneFormats...)
	return c
}

func runBest(ctx context.Context, s streams, o bestOptions) error {
	if o.count < 1 {
		return usage("", "-n must be at least 1, not %d", o.count)
	}
	if o.by != "observed" && o.by != "posterior" {
		return usage("write --by observed or --by posterior", "unknown order %q", o.by)
	}
	cycle, err := o.place.cycle(s)
	if err != nil {
		return err
	}
	printer := trialPrinter{st: cycle.Study, format: o.format, prefix: o.prefix, array: o.array, details: !o.array, colour: s.Color}
	if err := printer.prepare(o.count); err != nil {
		return err
	}
	state, warnings, err := cycle.Read(ctx)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	best := cycle.Study.Best(state.Trials, o.count)
	if o.by == "posterior" && len(best) > 0 {
		if best, printer.posterior, err = bestByPosterior(ctx, s, cycle, state, o.count); err != nil {
			return err
		}
	}
	if len(best) == 0 {
		return noBest(cycle.Study, state.Trials)
	}
	believed := map[int]*report.Estimate{} // by number
	for k := range printer.posterior {
		believed[best[k].Number] = &printer.posterior[k]
	}
	out, err := render(&printer, best, func(sp *space.Space, t *study.Trial) report.Trial {
		r := faithful(state)(sp, t)
		r.Posterior = believed[t.Number]
		return r
	})
	if err != nil {
		return err
	}
	return s.show(o.format, out)
}

// noBest says why no trial is the best.
func noBest(st *study.Study, trials []study.Trial) error {
	why, hint := runner.WithoutResult(st, trials)
	return study.Errorf(study.NoResult, hint, "there is no result yet: %s", why)
}
