package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/study"
)

type verifyOptions struct {
	format format
}

func newVerify(g *globals) *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use:         "verify [flags]",
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9),
		RunE:        g.run(o.run),
	}
	g.addFormat(c, &o.format, "text", "json", "yaml")
	return c
}

func (o *verifyOptions) run(s call, args []string) error {
	options, err := s.existingJournal()
	if err != nil {
		return err
	}
	found, err := journal.Verify(s.ctx, options)
	if err != nil {
		return err
	}
	s.Log.warn(found.Warnings...)
	result := report.Verify{
		Schema: "bohier/verify/1", Journal: found.Path, OK: len(found.Problems) == 0,
		Records: found.Records, Trials: found.Trials, Torn: found.Torn, Problems: []report.LineProblem{},
	}
	for _, p := range found.Problems {
		result.Problems = append(result.Problems, report.LineProblem{Line: p.Line, Cause: p.Cause})
	}
	err = present(s, o.format, []report.Verify{result}, false, func() []byte { return verifyText(found) })
	if err != nil || result.OK {
		return err
	}
	if found.Newer != nil {
		return found.Newer
	}
	hint := "`bohier journal repair` keeps what holds and saves the rest"
	if options.Store != nil {
		hint = journal.ByCopy(found.Path)
	}
	return study.Errorf(study.Damaged, hint,
		"the journal %s is damaged at line %d: %s", found.Path, found.Problems[0].Line, found.Problems[0].Cause)
}

func verifyText(r *journal.Report) []byte {
	var b bytes.Buffer
	verdict := "whole"
	switch {
	case r.Newer != nil:
		verdict = "not understood by this version"
	case len(r.Problems) > 0:
		verdict = "damaged"
	}
	fmt.Fprintf(&b, "%s: %s; %s, %s\n", r.Path, verdict, study.Count(r.Records, "record"), study.Count(r.Trials, "trial"))
	if r.Torn > 0 {
		fmt.Fprintf(&b, "an unfinished last line of %d bytes, which the next writer saves and cuts\n", r.Torn)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "line %d: %s\n", p.Line, p.Cause)
	}
	if r.Stranded > 0 {
		fmt.Fprintf(&b, "%d further lines hold by themselves\n", r.Stranded)
	}
	return b.Bytes()
}
