package main

import (
	"context"

	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/study"
)

type abandonOptions struct {
	place  place
	format format
	note   string
	ids    []string
}

func newAbandon(s *streams, g *globals) *cobra.Command {
	var o abandonOptions
	c := &cobra.Command{
		Use: "abandon ID... [flags]", Short: "Free pending trials that nobody will report.",
		Example:           "  bohier abandon 7 --note \"no oven free\"\n  bohier abandon $(bohier trials --state pending -o id)",
		Long:              "A result that comes late all the same is accepted.",
		Args:              args(1, -1, "the trial's id"),
		Annotations:       exits(4, 5, 6, 7, 8, 9, 130),
		ValidArgsFunction: g.completeTrials(s, study.Pending),
		RunE: func(c *cobra.Command, got []string) error {
			o.place, o.ids = g.place, got
			return runAbandon(c.Context(), *s, o)
		},
	}
	c.Flags().StringVar(&o.note, "note", "", "reason or remark, as `TEXT`")
	g.addFormat(c, &o.format, receiptFormats...)
	return c
}

func runAbandon(ctx context.Context, s streams, o abandonOptions) error {
	session, err := o.place.session(s)
	if err != nil {
		return err
	}
	var done []report.Receipt
	for _, id := range o.ids {
		t, recorded, err := session.Abandon(ctx, id, o.note)
		if err != nil {
			return err
		}
		done = append(done, report.ReceiptOf(session.Study, &t, recorded))
	}
	return printReceipts(s, o.format, done, len(o.ids) > 1, safe)
}
