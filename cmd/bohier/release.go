package main

import (
	"errors"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func newReturn(g *globals) *cobra.Command {
	return g.forPending("return", (*journal.State).ReturnOne)
}

func newAbandon(g *globals) *cobra.Command {
	var note string
	c := g.forPending("abandon", func(s *journal.State, id string) ([]journal.Record, *study.Trial, error) {
		return s.Abandon(id, note)
	})
	c.Flags().StringVar(&note, "note", "", "reason or remark, as `TEXT`")
	return c
}

// forPending is a command that frees each of the trials that it is given.
func (g *globals) forPending(verb string,
	free func(s *journal.State, id string) ([]journal.Record, *study.Trial, error)) *cobra.Command {
	c := g.command(verb+" ID... [flags]", args(1, -1, "the trial's id"), onStudy(func(s call, session runner.Session,
		ids []string) error {
		var done []report.Receipt
		for _, id := range ids {
			t, recorded, err := session.Update(s.ctx, func(state *journal.State) ([]journal.Record, *study.Trial, error) {
				return free(state, id)
			})
			if err != nil {
				return err
			}
			done = append(done, report.ReceiptOf(session.Study, &t, recorded))
		}
		return printReceipts(s, done, len(ids) > 1, safe)
	}), 4, 5, 6, 7, 8, 9, 130)
	c.ValidArgsFunction = g.completeTrials(study.Pending)
	g.addFormat(c, receiptFormats...)
	return c
}

func newVerdict(g *globals) *cobra.Command {
	c := g.command("verdict ID [flags]", args(1, 1, "the trial's id"), onTrials(runVerdict), 4, 6, 9, 10, 130)
	c.ValidArgsFunction = g.completeTrials(study.Pending, study.Paused)
	g.addFormat(c, receiptFormats...)
	return c
}

func runVerdict(s call, session runner.Session, state *journal.State, args []string) error {
	if err := levelled(session.Study, "there is no fidelity: trials are judged at their end"); err != nil {
		return err
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
	return reported(study.Wrap(study.No, errEnds, "", "the trial goes no further for now"))
}

var errEnds = errors.New("a normal answer")
