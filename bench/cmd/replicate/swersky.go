package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bohier/bench/regression"
	"bohier/bench/runs"
	"bohier/bench/swersky"
	"bohier/internal/plot"
)

// replicateSwersky draws Figure 1 and optimizes over the space of the networks.
func replicateSwersky(ctx context.Context, o options, out, log io.Writer) error {
	if o.pictures != "" {
		if err := os.MkdirAll(o.pictures, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(o.pictures, "swersky-embedding.svg"), swersky.Embedding().SVG(plot.Auto), 0o666); err != nil {
			return err
		}
	}
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
