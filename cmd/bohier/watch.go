package main

import (
	"context"
	"fmt"
	"time"

	"bohier/internal/runner"
)

// watch calls step for the journal as it is, and again whenever it has grown, until
// the study is over; last says that this is so. It looks so often.
func watch(ctx context.Context, s streams, p place, every time.Duration, step func(last bool) error) error {
	if every < time.Second/10 {
		return usage("", "--every must be at least 100ms, not %s", every)
	}
	session, err := p.session(s)
	if err != nil {
		return err
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for seen := -1; ; {
		state, _, err := session.Read(ctx)
		if err != nil {
			return err
		}
		if state.Seq != seen {
			seen = state.Seq
			last := runner.Over(session.Study, state.Trials) != nil
			if err := step(last); err != nil || last {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// watchReport rewrites the report as the journal grows.
func watchReport(ctx context.Context, s streams, o reportOptions) error {
	if o.out.stdout() {
		return usage("bohier report --watch --out report.html", "--watch needs a file to rewrite")
	}
	seconds := max(int(o.every.Seconds()), 1)
	return watch(ctx, s, o.place, o.every, func(last bool) error {
		if last {
			seconds = 0
		}
		out, err := o.make(ctx, s, seconds)
		if err != nil {
			return err
		}
		if last {
			s.Log.Info().Msg(fmt.Sprintf("%s: the study is over", string(o.out)))
		}
		return o.out.save(s, out)
	})
}
