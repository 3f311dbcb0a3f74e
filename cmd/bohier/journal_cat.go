package main

import (
	"github.com/spf13/cobra"

	"bohier/internal/journal"
)

type catOptions struct {
	follow bool
}

func newCat(g *globals) *cobra.Command {
	var o catOptions
	c := &cobra.Command{
		Use:         "cat [flags]",
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9, 130),
		RunE:        g.run(o.run),
	}
	c.Flags().BoolVarP(&o.follow, "follow", "f", false, "")
	_ = c.Flags().MarkHidden("follow") // it was dropped
	return c
}

func (o *catOptions) run(s call, args []string) error {
	if o.follow {
		return usage("tail -f on a file; bohier status --watch", "bohier journal cat no longer waits for new lines")
	}
	options, err := s.existingJournal()
	if err != nil {
		return err
	}
	lines, err := journal.Lines(s.ctx, options)
	if len(lines) > 0 {
		if err := s.write(lines); err != nil {
			return err
		}
	}
	return err
}
