package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/config"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type replayOptions struct {
	format format
	verify bool
}

func newReplay(g *globals) *cobra.Command {
	var o replayOptions
	c := &cobra.Command{
		Use:         "replay [flags]",
		Args:        args(0, 0, ""),
		Annotations: exits(6, 7, 9, 130),
		RunE:        g.run(o.run),
	}
	c.Flags().BoolVar(&o.verify, "verify", false, "fail unless all suggestions are the same")
	g.addFormat(c, &o.format, "text", "json", "yaml")
	return c
}

// recordedStudy reads a study that the journal recorded, as st's file once said.
func recordedStudy(st *study.Study) func(text []byte) (*study.Study, error) {
	return func(text []byte) (*study.Study, error) {
		past, found := config.Parse(st.File, text, options())
		if err := found.Err(); err != nil {
			return nil, err
		}
		return past, nil
	}
}

func (o *replayOptions) run(s call, args []string) error {
	session, err := s.session()
	if err != nil {
		return err
	}
	result := report.Replay{Schema: "bohier/replay/1", Different: []string{}}
	var b bytes.Buffer
	err = session.Replay(s.ctx, recordedStudy(session.Study), func(r runner.Replayed) {
		name := r.Trial.ID()
		if r.Decision == "" {
			result.Computed++
		} else {
			result.Decisions++
			name += " " + r.Decision
		}
		verdict := "same"
		if !r.Same() {
			result.Different = append(result.Different, r.Trial.ID())
			verdict = fmt.Sprintf("different: %s, now %s", r.Want, r.Got)
			if r.Err != nil {
				verdict = fmt.Sprintf("different: %s, now an error: %v", r.Want, r.Err)
			}
		}
		fmt.Fprintf(&b, "%s %s\n", name, verdict)
	})
	if err != nil {
		return err
	}
	result.OK = len(result.Different) == 0
	out, err := structured(o.format, []report.Replay{result}, false)
	if err != nil {
		return err
	}
	if out == nil {
		what := fmt.Sprintf("%d suggestions", result.Computed)
		if result.Decisions > 0 {
			what += fmt.Sprintf(" and %d decisions about levels", result.Decisions)
		}
		fmt.Fprintf(&b, "%s computed again, %d different\n", what, len(result.Different))
		out = b.Bytes()
	}
	if err := s.show(o.format, out); err != nil || result.OK || !o.verify {
		return err
	}
	return study.Errorf(study.Mismatch, "another version of the program, or another kind of processor, made the journal; `bohier journal replay` shows both configurations",
		"%d of %d suggestions come out differently", len(result.Different), result.Computed+result.Decisions)
}
