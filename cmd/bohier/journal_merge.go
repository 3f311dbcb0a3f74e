package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/config"
	"bohier/internal/journal"
	"bohier/internal/study"
)

type mergeOptions struct {
	other string
}

func newMerge(g *globals) *cobra.Command {
	var o mergeOptions
	return &cobra.Command{
		Use:         "merge OTHER [flags]",
		Args:        args(1, 1, "the other journal"),
		Annotations: exits(5, 6, 7, 8, 9, 130),
		RunE:        g.run(o.run),
	}
}

func (o *mergeOptions) run(s call, args []string) error {
	session, err := s.session()
	if err != nil {
		return err
	}
	other, err := s.open(args[0], config.Stem(session.Study.File), true)
	if err != nil {
		return err
	}
	done, err := journal.Merge(s.ctx, session.Journal, other)
	if err != nil {
		return err
	}
	for _, c := range done.Conflicts {
		s.Log.warn(c)
	}
	s.Recorded = safe
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s added, %d observed\n", study.Count(done.Added, "trial"), done.Observed)
	return s.print(b.Bytes())
}
