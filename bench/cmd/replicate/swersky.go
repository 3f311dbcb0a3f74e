package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"bohier/bench/regression"
	"bohier/bench/runs"
	"bohier/bench/swersky"
)

// replicateSwersky optimizes over the space of the networks.
func replicateSwersky(ctx context.Context, o options, out, log io.Writer) error {
	book, err := swersky.Open(o.results)
	if err != nil {
		return err
	}
	defer book.Close()
	tasks := func() ([]swersky.Task, error) {
		if o.data == "" {
			return nil, errNoData()
		}
		p, err := swersky.Network(ctx, o.data)
		if err != nil {
			return nil, err
		}
		n := cmp.Or(o.runs, 20)
		if o.quick {
			n = 3
		}
		return swersky.Tasks(p, n), nil
	}
	if err := complete(ctx, o, log, book, tasks, func(r *runs.Run) string {
		return fmt.Sprintf("%s, run %d", r.Variant, r.Seed)
	}); err != nil {
		return err
	}
	return swersky.Report(out, book.Results)
}

// errNoData says which files the targets of make need.
func errNoData() error {
	return fmt.Errorf("no data: give make DATA=DIR\n%s", regression.Sources())
}
