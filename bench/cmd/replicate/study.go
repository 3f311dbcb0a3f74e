package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"bohier/bench/results"
)

// complete runs the tasks that the book has no result for, unless only a report is wanted,
// and prints at most every five seconds how far they are; tasks is called only then.
func complete[K comparable, R any](ctx context.Context, o options, log io.Writer, book *results.File[K, R],
	tasks func() ([]results.Task[K, R], error), name func(R) string,
) error {
	if o.reportOnly {
		return nil
	}
	list, err := tasks()
	if err != nil {
		return err
	}
	var last time.Time
	return book.Run(ctx, list, o.workers, func(r R, n int, left time.Duration) {
		if now := time.Now(); now.Sub(last) > 5*time.Second {
			last = now
			fmt.Fprintf(log, "%d of %d, %v left: %s\n", n, len(list), left.Round(time.Second), name(r))
		}
	})
}

// names are those of a list between commas; nil: all.
func names(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
