package main

import (
	"github.com/spf13/cobra"
)

// newJournal groups the commands that look after the journal.
func newJournal(g *globals) *cobra.Command {
	c := &cobra.Command{
		Use:         "journal COMMAND",
		Args:        cobra.ArbitraryArgs,
		Annotations: exits(),
		RunE: func(c *cobra.Command, got []string) error {
			if len(got) > 0 {
				return unknownCommand(c, got[0])
			}
			help(g.Stdout, c)
			return nil
		},
	}
	c.AddCommand(newVerify(g), newRepair(g), newReplay(g), newMerge(g), newArchive(g),
		newCopy(g), newCat(g), newDatabaseSchema(g))
	return c
}
