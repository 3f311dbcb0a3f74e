package main

import (
	"cmp"
	"context"
	"io"

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
	tasks := func() ([]zaefferer.Task, error) { return zaefferer.Tasks(n), nil }
	if err := complete(ctx, o, log, book, tasks, func(r *zaefferer.Result) string { return r.String() }); err != nil {
		return err
	}
	return zaefferer.Report(out, book.Results, o.pictures)
}
