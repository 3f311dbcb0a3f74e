package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"bohier/internal/runner"
)

// watch calls step for the journal as it is, and again whenever it has grown, until
// the study is over; last says that this is so. It looks as often as --every says.
func watch(s call, step func(last bool) error) error {
	every := s.span("every")
	if every < time.Second/10 {
		return usage("", "--every must be at least 100ms, not %s", every)
	}
	session, err := s.session()
	if err != nil {
		return err
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for seen := -1; ; {
		state, _, err := session.Read(s.ctx)
		if err != nil {
			return err
		}
		if state.Seq != seen {
			seen = state.Seq
			last := runner.Over(session.Study, state.Trials, state.LastFit()) != nil
			if err := step(last); err != nil || last {
				return err
			}
		}
		select {
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		case <-tick.C:
		}
	}
}

// watchReport rewrites the report as the journal grows.
func watchReport(s call, out outFile) error {
	if out.stdout() {
		return usage("bohier report --watch --out report.html", "--watch needs a file to rewrite")
	}
	seconds := max(int(s.span("every").Seconds()), 1)
	return watch(s, func(last bool) error {
		if last {
			seconds = 0
		}
		text, err := makeReport(s, seconds)
		if err != nil {
			return err
		}
		if last {
			s.Log.Info().Msg(fmt.Sprintf("%s: the study is over", string(out)))
		}
		return out.save(s, text)
	})
}

// watchStatus shows the status as the journal grows: on a terminal in place, with the
// picture of convergence where it fits.
func watchStatus(s call) error {
	return watch(s, func(bool) error {
		var screen bytes.Buffer
		one := s
		one.Stdout = &screen
		if s.Screen && s.format == "text" {
			screen.WriteString("\x1b[H\x1b[2J") // to the corner, and clear
		}
		if err := showStatus(one); err != nil {
			return err
		}
		if s.Screen && s.format == "text" {
			f, err := plotKinds[0].picture(one, plotOptions{x: "trial", y: "auto"}, nil)
			if err == nil {
				screen.WriteByte('\n')
				screen.Write(f.Text(cmp.Or(s.Columns, 80)))
			}
		}
		return s.deliver(screen.Bytes())
	})
}
