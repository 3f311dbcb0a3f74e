package main

import (
	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/study"
)

type returnOptions struct {
	format format
}

func newReturn(g *globals) *cobra.Command {
	var o returnOptions
	c := &cobra.Command{
		Use:               "return ID... [flags]",
		Args:              args(1, -1, "the trial's id"),
		Annotations:       exits(4, 5, 6, 7, 8, 9, 130),
		ValidArgsFunction: g.completeTrials(study.Pending),
		RunE:              g.run(o.run),
	}
	g.addFormat(c, &o.format, receiptFormats...)
	return c
}

func (o *returnOptions) run(s call, args []string) error {
	session, err := s.session()
	if err != nil {
		return err
	}
	var done []report.Receipt
	for _, id := range args {
		t, recorded, err := session.Return(s.ctx, id)
		if err != nil {
			return err
		}
		done = append(done, report.ReceiptOf(session.Study, &t, recorded))
	}
	return printReceipts(s, o.format, done, len(args) > 1, safe)
}
