package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"bohier/internal/study"
)

type showOptions struct {
	place  place
	format format
	prefix string
	id     string
}

// oneFormats are trialFormats with the table first.
var oneFormats = []string{"table", "json", "jsonl", "yaml", "env", "args", "args0", "csv", "id", "template=…"}

// rankedFormats are those in which a trial has its rank among several objectives.
var rankedFormats = []string{"json", "jsonl", "yaml"}

func newShow(s *streams, g *globals) *cobra.Command {
	var o showOptions
	c := &cobra.Command{
		Use: "show ID [flags]", Short: "Show one trial.",
		Example: `  bohier show 7
  bohier show 7-k3f9 -o json
  bohier show 7 -o args                   # its configuration as arguments`,
		Args:              args(1, 1, "the trial's id"),
		Annotations:       exits(4, 6, 7, 9),
		ValidArgsFunction: g.completeTrials(s),
		RunE: func(c *cobra.Command, got []string) error {
			o.place, o.id = g.place, got[0]
			return runShow(c.Context(), *s, o)
		},
	}
	c.Flags().StringVar(&o.prefix, "prefix", "", "prefix of the variables of -o env, as `TEXT`")
	g.addFormat(c, &o.format, oneFormats...)
	return c
}

func runShow(ctx context.Context, s streams, o showOptions) error {
	session, err := o.place.session(s)
	if err != nil {
		return err
	}
	printer := trialPrinter{st: session.Study, format: o.format, prefix: o.prefix, details: true, colour: s.Color}
	if err := printer.prepare(1); err != nil {
		return err
	}
	state, err := s.read(ctx, session)
	if err != nil {
		return err
	}
	t, err := state.Trial(o.id)
	if err != nil {
		return err
	}
	printer.By = session.Study.Measurements(state.Trials)
	var in *study.Standing
	if slices.Contains(rankedFormats, o.format.name) {
		if in, err = shownStanding(ctx, s, session, state, true); err != nil {
			return err
		}
	}
	out, err := render(&printer, []study.Trial{*t}, ranked(session.Study, in, faithful(session.Study, state)))
	if err != nil {
		return err
	}
	return s.show(o.format, out)
}
