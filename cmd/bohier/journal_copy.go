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
		Long: `TO must be absent, or a beginning of FROM: then what it lacks is added. Two that went
different ways are exit 6, with the merge to run; so is a TO that has more than FROM,
which was rolled back perhaps. An unfinished last line stays behind. Records and the
SHA-256 of the bytes of both are printed.`,
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
