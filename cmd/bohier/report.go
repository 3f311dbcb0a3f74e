package main

import (
	"context"

	"github.com/spf13/cobra"

	"bohier/internal/figures"
	"bohier/internal/journal"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type reportOptions struct {
	place  place
	format format
	chosen bool // -o was given
	out    outFile
	count  int
}

func newReport(s *streams, g *globals) *cobra.Command {
	var o reportOptions
	c := &cobra.Command{
		Use: "report [flags]", Short: "Sum up the study: best trials, progress, surrogate, in Markdown or HTML.",
		Example: `  bohier report                           # Markdown
  bohier report --out report.html         # one self-contained page, with pictures
  bohier report -o json | jq .importance`,
		Long: `The best trials; the trials that improved on all before them, with what had been
spent by then where costs are reported; how many trials satisfy each constraint;
how much of the predicted objective's variation each parameter explains by itself;
and the surrogate: how well it predicts, hyperparameters, warnings. With too few
trials to fit a surrogate the report says so and does without.

The extension of an --out FILE asks for the format, where -o does not: .md, .html,
.json or .yaml. The file is replaced at once when the report is whole.`,
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9, 130),
		RunE: func(c *cobra.Command, _ []string) error {
			o.place, o.chosen = g.place, c.Flags().Changed("output")
			return runReport(c.Context(), *s, o)
		},
	}
	f := c.Flags()
	f.StringVar((*string)(&o.out), "out", "", "write the report to `FILE`")
	f.IntVarP(&o.count, "number", "n", 5, "`how many` of the best trials")
	g.addFormat(c, &o.format, "markdown", "html", "json", "yaml")
	return c
}

// reportKinds are the extensions of reports.
var reportKinds = []string{"md", "markdown", "html", "htm", "json", "yaml", "yml"}

func runReport(ctx context.Context, s streams, o reportOptions) error {
	if o.count < 1 {
		return usage("", "-n must be at least 1, not %d", o.count)
	}
	if o.chosen {
		if err := o.out.refuse(s); err != nil {
			return err
		}
	} else if kind, err := o.out.kind(s, reportKinds...); err != nil {
		return err
	} else if kind != "" {
		o.format.name = map[string]string{"md": "markdown", "htm": "html", "yml": "yaml"}[kind]
		if o.format.name == "" {
			o.format.name = kind
		}
	}
	v, err := look(ctx, s, o.place)
	if err != nil {
		return err
	}
	if err := v.fit(ctx, s, false); err != nil {
		return err
	}
	st, state, a := v.Study, v.state, v.a
	best := st.Best(state.Trials, o.count)
	var board *report.Leaderboard
	if a != nil && v.session.Noisy(state) {
		board = leaderboard(st, a.Leaders(state))
	}
	if board != nil {
		best = trialsOf(board, o.count)
	}
	sum := summarise(st, state, best, a, board)
	if v.unfit != nil {
		sum.Unfit = v.unfit.Error()
	}
	out, err := structured(o.format, []report.Summary{sum}, false)
	if err != nil {
		return err
	}
	if out == nil {
		progress, surrogate := v.pictures()
		var hyper *report.Table
		if sum.Model != nil {
			t := hyperTable(*sum.Model)
			hyper = &t
		}
		page := sum.Page(st, best, hyper, progress, surrogate)
		if out = page.Markdown(); o.format.name == "html" {
			out = page.HTML()
		}
	}
	if o.out.stdout() {
		return s.show(o.format, out)
	}
	return o.out.save(s, out)
}

func summarise(st *study.Study, state *journal.State, best []study.Trial, a *runner.Analysis, board *report.Leaderboard) report.Summary {
	sum := report.NewSummary(st, state.Trials, good(st, state.Trials))
	sum.Status = statusOf(st, state)
	leading(&sum.Status, st, state, board)
	for k := range best {
		t := faithful(st, state)(st.Space, &best[k])
		if board != nil {
			board.Mark(&t, k)
		}
		sum.Best = append(sum.Best, t)
	}
	if board != nil {
		sum.Leaders, sum.Leading = board, report.Leading(st, state.Trials, estimates(st, board, state.Trials))
	}
	if a == nil {
		return sum
	}
	m := report.Model{Schema: "bohier/model/1", Warnings: []string{}, Fallbacks: []string{}, Hyperparameters: map[string]float64{}}
	describeModel(&m, a)
	sum.Model = &m
	sum.Importance = importances(a, state.Seed)
	return sum
}

// pictures are those of a page: convergence, and the surrogate's calibration with
// slices along the parameters that matter most.
func (v *view) pictures() (progress, surrogate []plot.Figure) {
	if steps, spent := report.Progress(v.Study, v.Trials, good(v.Study, v.Trials)); len(steps) > 0 {
		progress = append(progress, figures.Convergence(v.Source, figures.ConvergenceOptions{}))
		if spent != nil {
			progress = append(progress, figures.Convergence(v.Source, figures.ConvergenceOptions{ByCost: true}))
		}
	}
	if v.a == nil {
		return progress, nil
	}
	surrogate = append(surrogate, figures.Calibration(v.Source, figures.LeftOut(v.a.LeftOut)))
	for _, i := range v.ByImportance()[:min(4, len(v.Importance))] {
		if place, ok := v.PlaceFor([]int{i}, nil); ok {
			surrogate = append(surrogate, figures.Slice(v.Source, i, place))
		}
	}
	return progress, surrogate
}
