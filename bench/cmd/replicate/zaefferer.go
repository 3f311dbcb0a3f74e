package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"bohier/bench/zaefferer"
)

func replicateZaefferer(ctx context.Context, o options, out, log io.Writer) error {
	book, err := zaefferer.Open(o.results)
	if err != nil {
		return err
	}
	defer book.Close()
	n := cmp.Or(o.runs, 100)
	if o.quick {
		n = 4
	}
	tasks := zaefferer.Tasks(n)
	if !o.reportOnly {
		progress := ticker(log)
		if err := book.Run(ctx, tasks, o.workers, func(r *zaefferer.Result, n int, left time.Duration) {
			progress("%d of %d, %v left: %v", n, len(tasks), left.Round(time.Second), r.Key)
		}); err != nil {
			return err
		}
	}
	return zaefferer.Report(out, book.Results, o.pictures)
}

// ticker prints a line every five seconds at most.
func ticker(log io.Writer) func(format string, args ...any) {
	var last time.Time
	return func(format string, args ...any) {
		if now := time.Now(); now.Sub(last) > 5*time.Second {
			last = now
			fmt.Fprintf(log, format+"\n", args...)
		}
	}
}
