package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"bohier/bench/regression"
)

// replicateRegression fits the models of the papers' regression studies.
func replicateRegression(ctx context.Context, o options, out, log io.Writer) error {
	if o.data == "" && !o.reportOnly {
		return fmt.Errorf("no data: give make DATA=DIR\n%s", regression.Sources())
	}
	book, err := regression.Open(o.results)
	if err != nil {
		return err
	}
	defer book.Close()
	splits := cmp.Or(o.runs, 20)
	if o.quick {
		splits = 2
	}
	tasks := func() (list []regression.Task, err error) {
		studies := names(o.problems)
		if studies == nil {
			studies = regression.Studies()
		}
		for _, s := range studies {
			more, err := regression.Tasks(o.data, s, splits)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
		return list, nil
	}
	if err := complete(ctx, o, log, book, tasks, func(r *regression.Result) string {
		return fmt.Sprintf("%s %s %s %d: rmse %.4f, %.1f s", r.Study, r.Set, r.Model, r.Split, r.RMSE, r.Seconds)
	}); err != nil {
		return err
	}
	return regression.Report(out, book.Results)
}
