package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
)

type repairOptions struct {
	accept bool
}

func newRepair(g *globals) *cobra.Command {
	var o repairOptions
	c := &cobra.Command{
		Use:         "repair [flags]",
		Args:        args(0, 0, ""),
		Annotations: exits(5, 6, 7, 8, 9, 130),
		RunE:        g.run(o.run),
	}
	c.Flags().BoolVar(&o.accept, "accept", false, "adopt a journal that lost records or was replaced by a copy")
	return c
}

func (o *repairOptions) run(s call, args []string) error {
	options, err := s.existingJournal()
	if err != nil {
		return err
	}
	done, err := journal.Repair(s.ctx, options, o.accept)
	if err != nil {
		return err
	}
	s.Recorded = safe
	var b bytes.Buffer
	for _, line := range done.Done {
		fmt.Fprintln(&b, line)
	}
	if len(done.Done) == 0 {
		fmt.Fprintln(&b, "nothing to repair")
	}
	for _, p := range done.Dropped {
		fmt.Fprintf(&b, "dropped line %d: %s\n", p.Line, p.Cause)
	}
	if done.Saved != "" {
		fmt.Fprintf(&b, "the journal as it was: %s\n", done.Saved)
	}
	return s.print(b.Bytes())
}
