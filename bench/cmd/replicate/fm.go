package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"bohier/bench/fm"
	"bohier/bench/runs"
)

// replicateFM needs, for the problems that train models, the environment SERVE: a command
// that with a problem's name behind it serves that problem. Without it they are left out.
func replicateFM(ctx context.Context, o options, out, log io.Writer) error {
	book, err := fm.Open(o.results)
	if err != nil {
		return err
	}
	defer book.Close()
	f := fm.Options{Runs: cmp.Or(o.runs, 5), Evaluations: o.evaluations, Problems: names(o.problems),
		Methods: names(o.methods)}
	if serve := strings.Fields(os.Getenv("SERVE")); len(serve) > 0 {
		f.Command = serve
	} else if !o.reportOnly && f.Problems == nil {
		fmt.Fprintln(log, "NuSVR and XGBoost are left out: set DATA to the directory with boston_house_prices.csv")
	}
	if o.quick {
		f.Runs, f.Evaluations = 2, 40
	}
	stop := func() {}
	defer func() { stop() }()
	tasks := func() (list []fm.Task, err error) {
		list, stop, err = fm.Tasks(f)
		return list, err
	}
	if err := complete(ctx, o, log, book, tasks, func(r *runs.Run) string {
		return fmt.Sprintf("%s, %s, run %d", r.Problem, r.Variant, r.Seed)
	}); err != nil {
		return err
	}
	return fm.Report(out, book.Results)
}
