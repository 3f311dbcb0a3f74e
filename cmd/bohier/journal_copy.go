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
		Use:         "copy FROM TO [flags]",
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
