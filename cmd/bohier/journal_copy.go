package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/study"
)

type copyOptions struct {
	place    place
	from, to string
}

func newCopy(s *streams, g *globals) *cobra.Command {
	var o copyOptions
	return &cobra.Command{
		Use: "copy FROM TO [flags]", Short: "Copy a journal between files and databases, byte for byte.",
		Example: `  bohier journal copy bohier.journal.jsonl postgres://db.example.org/tuning#NAME
  bohier journal copy postgres://db.example.org/tuning#NAME backup.jsonl   # again: what came since`,
		Long: `TO is absent or a beginning of FROM; records that it lacks are appended. If the two have
diverged, the exit code is 6 and the message names the merge to run. If TO has more than
FROM, the exit code is 6, too: FROM may have been rolled back. An unfinished last line is
not copied. The number of records and the SHA-256 of the bytes of both are printed.`,
		Args:        args(2, 2, "two journals"),
		Annotations: exits(5, 6, 7, 8, 130),
		RunE: func(c *cobra.Command, got []string) error {
			o.place, o.from, o.to = g.place, got[0], got[1]
			return runCopy(c.Context(), *s, o)
		},
	}
}

func runCopy(ctx context.Context, s streams, o copyOptions) error {
	name := config.Stem(o.place.file(s))
	from, err := o.place.open(s, o.from, name, true)
	if err != nil {
		return err
	}
	to, err := o.place.open(s, o.to, name, true)
	if err != nil {
		return err
	}
	done, err := journal.Copy(ctx, from, to)
	if err != nil {
		return err
	}
	s.Log.warn(done.Warnings...)
	s.Recorded = safe
	return s.print(fmt.Appendf(nil, "%s, %d added; SHA-256 of both %x\n", study.Count(done.Records, "record"), done.Added, done.Sum))
}
