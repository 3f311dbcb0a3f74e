package main

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

type trialsOptions struct {
	place  place
	format format
	states []string
	prefix string
}

// listFormats are trialFormats with the table first.
var listFormats = []string{"table", "json", "jsonl", "yaml", "csv", "id", "template=…"}

func newTrials(s *streams, g *globals) *cobra.Command {
	var o trialsOptions
	c := &cobra.Command{
		Use: "trials [flags]", Short: "List the trials.",
		Example: `  bohier trials
  bohier trials --state pending -o id
  bohier trials -o csv > trials.csv
  bohier trials -o jsonl | jq -c '[.id, .values]'`,
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9),
		RunE: func(c *cobra.Command, _ []string) error {
			o.place = g.place
			return runTrials(c.Context(), *s, o)
		},
	}
	c.Flags().StringSliceVar(&o.states, "state", nil, "only these: `pending`, complete, failed, abandoned")
	_ = c.RegisterFlagCompletionFunc("state", cobra.FixedCompletions(
		[]string{"pending", "complete", "failed", "abandoned"}, cobra.ShellCompDirectiveNoFileComp))
	g.addFormat(c, &o.format, listFormats...)
	return c
}

func runTrials(ctx context.Context, s streams, o trialsOptions) error {
	states := make([]study.State, len(o.states))
	for i, name := range o.states {
		states[i] = study.State(name)
		if !slices.Contains([]study.State{study.Pending, study.Complete, study.Failed, study.Abandoned}, states[i]) {
			return usage("states: pending, complete, failed, abandoned", "unknown state %q", name)
		}
	}
	cycle, err := o.place.cycle(s)
	if err != nil {
		return err
	}
	printer := trialPrinter{st: cycle.Study, format: o.format, array: true, colour: s.Color}
	if o.format.name == "template" {
		if err := printer.prepare(1); err != nil {
			return err
		}
	}
	state, warnings, err := cycle.Read(ctx)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	out, err := render(&printer, selectTrials(state.Trials, states), faithful(state))
	if err != nil {
		return err
	}
	return s.show(o.format, out)
}

// selectTrials are the trials in one of the states, or all that users may see.
func selectTrials(trials []study.Trial, states []study.State) []study.Trial {
	var out []study.Trial
	for _, t := range trials {
		if t.State != study.Reserved && (len(states) == 0 || slices.Contains(states, t.State)) {
			out = append(out, t)
		}
	}
	return out
}

// faithful is the contract form of trials, with the parameters the journal holds
// where a trial does not fit today's space.
func faithful(state *journal.State) func(*space.Space, *study.Trial) report.Trial {
	return func(s *space.Space, t *study.Trial) report.Trial {
		r := report.NewTrial(s, t)
		if t.Outside {
			r.Params = json.RawMessage(state.Params(t.Number))
		}
		return r
	}
}
