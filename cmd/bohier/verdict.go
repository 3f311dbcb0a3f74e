package main

import (
	"errors"

	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/study"
)

func newVerdict(g *globals) *cobra.Command {
	c := &cobra.Command{
		Use:               "verdict ID [flags]",
		Args:              args(1, 1, "the trial's id"),
		Annotations:       exits(4, 6, 9, 10, 130),
		ValidArgsFunction: g.completeTrials(study.Pending, study.Paused),
		RunE:              g.run(runVerdict),
	}
	g.addFormat(c, receiptFormats...)
	return c
}

func runVerdict(s call, args []string) error {
	session, state, err := s.current()
	if err != nil {
		return err
	}
	if !session.Study.Fidelity.Early() {
		return usage("add it: fidelity: {name: epochs, low: 1, high: 27}", "there is no fidelity: trials are judged at their end")
	}
	t, err := state.Trial(args[0])
	if err != nil {
		return err
	}
	if t.Course == nil {
		return study.Errorf(study.Conflict, "", "trial %s is %s, and has no verdict", t.ID(), t.State)
	}
	again := t.Again(t.Course.Newest())
	receipt := report.ReceiptOf(session.Study, &again, false)
	if err := printReceipts(s, []report.Receipt{receipt}, false, safe); err != nil {
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
