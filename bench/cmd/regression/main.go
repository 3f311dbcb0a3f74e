// Regression repeats the regression studies of the FM paper and of Swersky et al.
// (package bench/regression) and prints tables beside the published ones:
//
//	regression -data DIR                     everything; minutes
//	regression -data DIR -quick              few splits
//	regression -data DIR -study swersky
//
// Every fit's result is appended to the file of -o; fits found there are not
// repeated, so that an interrupted run goes on.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"bohier/bench/regression"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "regression:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("regression", flag.ContinueOnError)
	flags.SetOutput(log)
	dir := flags.String("data", os.Getenv("DATA"), "directory of the data files")
	study := flags.String("study", strings.Join(regression.Studies(), ","), "comma-separated studies")
	results := flags.String("o", "regression.jsonl", "file of results, one JSON object a line")
	quick := flags.Bool("quick", false, "two splits of each data set")
	splits := flags.Int("splits", 20, "splits of each data set at most")
	workers := flags.Int("j", 2, "fits at once")
	only := flags.String("only", "", "only tasks whose \"study/set/model\" contains this")
	priors := flags.Bool("priors", false, "fit with the program's own priors; the papers have none")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *dir == "" {
		return errors.New("no data: give -data DIR, or make replicate-regression DATA=DIR\n" + regression.Sources())
	}
	if *quick {
		*splits = 2
	}
	var tasks []*regression.Task
	for _, s := range strings.Split(*study, ",") {
		list, err := regression.Tasks(*dir, s, *splits)
		if err != nil {
			return err
		}
		for _, t := range list {
			if strings.Contains(t.Study+"/"+t.Set+"/"+t.Model, *only) {
				t.Priors = *priors
				tasks = append(tasks, t)
			}
		}
	}
	book, err := regression.OpenBook(*results)
	if err != nil {
		return err
	}
	defer book.Close()
	err = book.Run(ctx, regression.Work(tasks), *workers, func(r *regression.Result, n int, left time.Duration) {
		fmt.Fprintf(log, "%d of %d, %v left: %s %s %s %d: rmse %.4f, %.1f s\n", n, len(tasks), left.Round(time.Second), r.Study, r.Set, r.Model, r.Split, r.RMSE, r.Seconds)
	})
	if err != nil {
		return err
	}
	return regression.Report(out, book.Results, *priors)
}
