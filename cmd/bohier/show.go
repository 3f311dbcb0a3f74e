package main

import (
	"slices"

	"github.com/spf13/cobra"

	"bohier/internal/study"
)

type showOptions struct {
	prefix string
}

// oneFormats are trialFormats with the table first.
var oneFormats = []string{"table", "json", "jsonl", "yaml", "env", "args", "args0", "csv", "id", "template=…"}

// rankedFormats are those in which a trial has its rank among several objectives.
var rankedFormats = []string{"json", "jsonl", "yaml"}

func newShow(g *globals) *cobra.Command {
	var o showOptions
	c := &cobra.Command{
		Use:               "show ID [flags]",
		Args:              args(1, 1, "the trial's id"),
		Annotations:       exits(4, 6, 7, 9),
		ValidArgsFunction: g.completeTrials(),
		RunE:              g.run(o.run),
	}
	c.Flags().StringVar(&o.prefix, "prefix", "", "prefix of the variables of -o env, as `TEXT`")
	g.addFormat(c, oneFormats...)
	return c
}

func (o *showOptions) run(s call, args []string) error {
	session, state, err := s.current()
	if err != nil {
		return err
	}
	printer := trialPrinter{st: session.Study, format: s.format, prefix: o.prefix, details: true, colour: s.Color}
	if err := printer.prepare(1); err != nil {
		return err
	}
	t, err := state.Trial(args[0])
	if err != nil {
		return err
	}
	printer.By = session.Study.Measurements(state.Trials)
	var in *study.Standing
	if slices.Contains(rankedFormats, s.format.name) {
		if in, err = shownStanding(s, session, state, true); err != nil {
			return err
		}
	}
	out, err := render(&printer, []study.Trial{*t}, ranked(session.Study, in, faithful(session.Study, state)))
	if err != nil {
		return err
	}
	return s.show(out)
}
