package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/study"
)

type verdictOptions struct {
	place  place
	format format
	id     string
}

func newVerdict(s *streams, g *globals) *cobra.Command {
	var o verdictOptions
	c := &cobra.Command{
		Use: "verdict ID [flags]", Short: "Say again whether a trial is to go on.",
		Example: `  bohier verdict 7                        # exit 10: it is to end here
  bohier verdict 7-k3f9 -o json`,
		Long: `The verdict answers the newest report of the trial, in a study with a fidelity: go on,
pause (the trial may be promoted later), stop, or done. Nothing is written. Exit code 0
means go on or done, 10 means pause or stop; errors keep their codes. "Go on" is for the
worker that has the leg. Once another worker has the next leg, the report before it is
answered by pause.`,
		Args:              args(1, 1, "the trial's id"),
		Annotations:       exits(4, 6, 9, 10, 130),
		ValidArgsFunction: g.completeTrials(s, study.Pending, study.Paused),
		RunE: func(c *cobra.Command, got []string) error {
			o.place, o.id = g.place, got[0]
			return runVerdict(c.Context(), *s, o)
		},
	}
	g.addFormat(c, &o.format, receiptFormats...)
	return c
}

func runVerdict(ctx context.Context, s streams, o verdictOptions) error {
	session, err := o.place.session(s)
	if err != nil {
		return err
	}
	if !session.Study.Fidelity.Early() {
		return usage("add it: fidelity: {name: epochs, low: 1, high: 27}", "there is no fidelity: trials are judged at their end")
	}
	state, err := s.read(ctx, session)
	if err != nil {
		return err
	}
	t, err := state.Trial(o.id)
	if err != nil {
		return err
	}
	if t.Course == nil {
		return study.Errorf(study.Conflict, "", "trial %s is %s, and has no verdict", t.ID(), t.State)
	}
	again := t.Again(t.Course.Newest())
	receipt := report.ReceiptOf(session.Study, &again, false)
	if err := printReceipts(s, o.format, []report.Receipt{receipt}, false, safe); err != nil {
		return err
	}
	return verdictError(receipt.Verdict)
}

// verdictError is exit code 10 for a trial that goes no further for now; the output
// has said so.
func verdictError(v study.Verdict) error {
	if !v.Ends() {
		return nil
	}
	return reported(&study.Error{Code: study.No, Msg: "the trial goes no further for now", Err: errEnds})
}

var errEnds = errors.New("a normal answer")
