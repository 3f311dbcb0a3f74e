package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"bohier/internal/runner"
)

// watch calls step for the journal as it is, and again whenever it has grown, until
// the study is over; last says that this is so. It looks so often.
func watch(s call, every time.Duration, step func(last bool) error) error {
	if every < time.Second/10 {
		return usage("", "--every must be at least 100ms, not %s", every)
	}
	session, err := s.session()
	if err != nil {
		return err
	}
	session.Journal.Memory.Once = false
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
func watchReport(s call, o *reportOptions) error {
	if o.out.stdout() {
		return usage("bohier report --watch --out report.html", "--watch needs a file to rewrite")
	}
	seconds := max(int(o.every.Seconds()), 1)
	return watch(s, o.every, func(last bool) error {
		if last {
			seconds = 0
		}
		out, err := o.make(s, seconds)
		if err != nil {
			return err
		}
		if last {
			s.Log.Info().Msg(fmt.Sprintf("%s: the study is over", string(o.out)))
		}
		return o.out.save(s, out)
	})
}

// watchStatus shows the status as the journal grows: on a terminal in place, with the
// picture of convergence where it fits.
func watchStatus(s call, o *statusOptions) error {
	atOnce := *o
	atOnce.watch, atOnce.over = false, false
	err := watch(s, o.every, func(bool) error {
		var screen bytes.Buffer
		one := s
		one.Stdout = &screen
		if err := atOnce.run(one, nil); err != nil {
			return err
		}
		if s.Screen && s.format.name == "text" {
			screen = *bytes.NewBuffer(append([]byte("\x1b[H\x1b[2J"), screen.Bytes()...)) // to the corner, and clear
			f, err := plotKinds[0].picture(one, plotOptions{x: "trial", y: "auto"}, nil)
			if err == nil {
				screen.WriteByte('\n')
				screen.Write(f.Text(cmp.Or(s.Columns, 80)))
			}
		}
		return s.deliver(screen.Bytes())
	})
	if err != nil || !o.over {
		return err
	}
	o.watch = false
	s.Stdout = io.Discard
	return o.run(s, nil)
}
