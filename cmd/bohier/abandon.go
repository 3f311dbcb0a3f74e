package main

import (
	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/study"
)

type abandonOptions struct {
	format format
	note   string
}

func newAbandon(g *globals) *cobra.Command {
	var o abandonOptions
	c := &cobra.Command{
		Use:               "abandon ID... [flags]",
		Args:              args(1, -1, "the trial's id"),
		Annotations:       exits(4, 5, 6, 7, 8, 9, 130),
		ValidArgsFunction: g.completeTrials(study.Pending),
		RunE:              g.run(o.run),
	}
	c.Flags().StringVar(&o.note, "note", "", "reason or remark, as `TEXT`")
	g.addFormat(c, &o.format, receiptFormats...)
	return c
}

func (o *abandonOptions) run(s call, args []string) error {
	session, err := s.session()
	if err != nil {
		return err
	}
	var done []report.Receipt
	for _, id := range args {
		t, recorded, err := session.Abandon(s.ctx, id, o.note)
		if err != nil {
			return err
		}
		done = append(done, report.ReceiptOf(session.Study, &t, recorded))
	}
	return printReceipts(s, o.format, done, len(args) > 1, safe)
}
