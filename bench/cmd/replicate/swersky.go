package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"bohier/bench/regression"
	"bohier/bench/runs"
	"bohier/bench/swersky"
	"bohier/internal/plot"
)

// replicateSwersky draws Figure 1 and optimizes over the space of the networks; the
// environment's DATA is the directory of the results.
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
	if !o.reportOnly {
		dir := os.Getenv("DATA")
		if dir == "" {
			return errors.New("no data: make replicate-swersky DATA=DIR\n" + regression.Sources())
		}
		p, err := swersky.Network(ctx, dir)
		if err != nil {
			return err
		}
		n := cmp.Or(o.runs, 20)
		if o.quick {
			n = 3
		}
		tasks, progress := swersky.Tasks(p, n), ticker(log)
		if err := book.Run(ctx, tasks, o.workers, func(r *runs.Run, n int, left time.Duration) {
			progress("%d of %d, %v left: %s, run %d", n, len(tasks), left.Round(time.Second), r.Variant, r.Seed)
		}); err != nil {
			return err
		}
	}
	return swersky.Report(out, book.Results)
}
