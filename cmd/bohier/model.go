package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/study"
)

type modelOptions struct {
	place  place
	format format
	gram   bool
	points string
}

func newModel(s *streams, g *globals) *cobra.Command {
	var o modelOptions
	c := &cobra.Command{
		Use: "model [flags]", Short: "Show the surrogate: hyperparameters and how well it predicts.",
		Example: `  bohier model
  bohier model -o json | jq .loo
  bohier model --gram --points points.jsonl -o json`,
		Long: `The surrogate is fitted to the trials so far. Its predictions of each trial from
all others (leave one out) are rated by their root mean squared error, mean
negative log density, and how many of the 90 % intervals hold the value. With
--gram also the kernel matrix between the given configurations, without noise;
where hyperparameters are not fixed, those of the fit, or their initial values
while there are too few trials.`,
		Args:        args(0, 0, ""),
		Annotations: exits(3, 6, 7, 9, 130),
		RunE: func(c *cobra.Command, _ []string) error {
			o.place = g.place
			return runModel(c.Context(), *s, o)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.gram, "gram", false, "also the kernel matrix between --points")
	f.StringVar(&o.points, "points", "", "configurations, one JSON object a line, in `FILE`; - is stdin")
	g.addFormat(c, &o.format, "text", "json", "yaml")
	return c
}

func runModel(ctx context.Context, s streams, o modelOptions) error {
	if o.gram != (o.points != "") {
		return usage("", "--gram and --points FILE go together")
	}
	cycle, err := o.place.cycle(s)
	if err != nil {
		return err
	}
	state, warnings, err := cycle.Read(ctx)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	result := report.Model{Schema: "bohier/model/1", Warnings: []string{}, Hyperparameters: map[string]float64{}}
	if !o.gram || len(selectTrials(state.Trials, []study.State{study.Complete})) > 0 {
		a, err := cycle.Analyse(ctx, state)
		if err != nil {
			return err
		}
		result.Kernel, result.Hyperparameters = a.Kernel, a.Hyper
		result.LogMarginalLikelihood, result.Noise = finite(a.LogMarginalLikelihood), finite(a.Noise)
		result.Warnings = append(result.Warnings, a.Warnings...)
		result.LOO = &report.LOO{RMSE: a.LOO.RMSE, LogLoss: a.LOO.LogLoss, Coverage90: a.LOO.Coverage90}
	}
	if o.gram {
		points, err := readPoints(s, cycle.Study.Space, o.points)
		if err != nil {
			return err
		}
		if result.Gram, err = cycle.Gram(ctx, state, points); err != nil {
			return err
		}
	}
	out, err := structured(o.format, []report.Model{result}, false)
	if err != nil {
		return err
	}
	if out == nil {
		out = modelText(result)
	}
	return s.write(out)
}

func modelText(r report.Model) []byte {
	var b bytes.Buffer
	if r.Kernel != "" {
		fmt.Fprintf(&b, "kernel  %s\n", r.Kernel)
	}
	if r.LogMarginalLikelihood != nil {
		fmt.Fprintf(&b, "log marginal likelihood  %.6g\n", *r.LogMarginalLikelihood)
	}
	if r.LOO != nil {
		fmt.Fprintf(&b, "leave one out  rmse %.4g, log loss %.4g, %.0f %% inside the 90 %% interval\n",
			r.LOO.RMSE, r.LOO.LogLoss, 100*r.LOO.Coverage90)
	}
	if len(r.Hyperparameters) > 0 {
		b.WriteByte('\n')
		t := report.Table{Head: []string{"hyperparameter", "value"}, Right: []bool{false, true}}
		for _, name := range slices.Sorted(maps.Keys(r.Hyperparameters)) {
			t.Rows = append(t.Rows, []string{name, fmt.Sprintf("%.6g", r.Hyperparameters[name])})
		}
		b.Write(t.Text(false))
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(&b, "warning:", w)
	}
	if r.Gram != nil {
		b.WriteString("\nkernel matrix\n")
	}
	for _, row := range r.Gram {
		for j, v := range row {
			if j > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%-11.6g", v)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// finite is v for JSON, which has no NaN.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
