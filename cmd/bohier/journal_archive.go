package main

import (
	"context"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
)

type archiveOptions struct {
	place place
	to    string
}

func newArchive(s *streams, g *globals) *cobra.Command {
	var o archiveOptions
	return &cobra.Command{
		Use: "archive [FILE] [flags]", Short: "Move the journal aside, so that the study begins anew.",
		Example:     "  bohier journal archive\n  bohier journal archive first-try.jsonl",
		Long:        "The new name is printed. Nothing is ever overwritten.",
		Args:        args(0, 1, ""),
		Annotations: exits(5, 6, 7, 8, 130),
		RunE: func(c *cobra.Command, got []string) error {
			o.place = g.place
			if len(got) > 0 {
				o.to = got[0]
			}
			return runArchive(c.Context(), *s, o)
		},
	}
}

func runArchive(ctx context.Context, s streams, o archiveOptions) error {
	options, err := o.place.journalOptions(s) // Archive itself tells a missing journal from one it has moved
	if err != nil {
		return err
	}
	name, err := journal.Archive(ctx, options, s.path(o.to))
	if err != nil {
		return err
	}
	s.Recorded = safe
	return s.write([]byte(name + "\n"))
}
