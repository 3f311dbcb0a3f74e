package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/study"
)

type copyOptions struct {
	from, to string
}

func newCopy(g *globals) *cobra.Command {
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
		RunE:        g.run(o.run),
	}
}

func (o *copyOptions) run(s call, args []string) error {
	name := config.Stem(s.file())
	from, err := s.open(args[0], name, true)
	if err != nil {
		return err
	}
	to, err := s.open(args[1], name, true)
	if err != nil {
		return err
	}
	done, err := journal.Copy(s.ctx, from, to)
	if err != nil {
		return err
	}
	s.Log.warn(done.Warnings...)
	s.Recorded = safe
	return s.print(fmt.Appendf(nil, "%s, %d added; SHA-256 of both %x\n", study.Count(done.Records, "record"), done.Added, done.Sum))
}
