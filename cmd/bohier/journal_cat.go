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
	c.Flags().BoolVarP(&o.follow, "follow", "f", false, "print new lines as they arrive, until a signal")
	return c
}

func (o *catOptions) run(s call, args []string) error {
	options, err := s.journalOptions()
	if err == nil && !o.follow {
		options, err = s.existingJournal()
	}
	if err != nil {
		return err
	}
	for lines := journal.Follow(options); ; {
		got, err := lines.Next(s.ctx)
		if len(got) > 0 {
			if err := s.write(got); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		if !o.follow {
			return nil
		}
		if err := lines.Wait(s.ctx); err != nil {
			return err
		}
	}
}
