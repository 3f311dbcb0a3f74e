// Replicate repeats the papers' studies and sets what comes out beside what they say:
//
//	replicate regression         kernels of two papers as regression models
//	replicate zaefferer          kernels for hierarchical spaces: models and searches
//	replicate fm                 kernels on graphs: searches in mixed spaces
//	replicate zaefferer -quick   four replications instead of a hundred
//
// Every run's result is appended to the file of -o; runs found there are not repeated, so that an interrupted study
// goes on. The report goes to standard output, pictures into the directory of -pictures.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// A study is what can be replicated, with the names of the flags that it alone or not every other one has.
type study struct {
	run   func(ctx context.Context, o options, out, log io.Writer) error
	flags string
}

var studies = map[string]study{
	"fm":         {replicateFM, "problems methods n"},
	"regression": {replicateRegression, "data problems"},
	"zaefferer":  {replicateZaefferer, "pictures"},
}

// options are common to all studies.
type options struct {
	results, pictures, data string
	problems, methods       string
	quick, reportOnly       bool
	runs, workers           int
	evaluations             int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "replicate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	names := strings.Join(slices.Sorted(maps.Keys(studies)), ", ")
	if len(args) == 0 {
		return fmt.Errorf("which study? There are %s", names)
	}
	s, ok := studies[args[0]]
	if !ok {
		return fmt.Errorf("no study %q; there are %s", args[0], names)
	}
	var o options
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.StringVar(&o.results, "o", args[0]+".jsonl", "`file` of results, one JSON object a line")
	flags.StringVar(&o.pictures, "pictures", "", "`directory` for the pictures; without it none are drawn")
	flags.BoolVar(&o.quick, "quick", false, "few replications: under ten minutes on two cores")
	flags.BoolVar(&o.reportOnly, "report", false, "report on the results that there are and run nothing")
	flags.StringVar(&o.data, "data", os.Getenv("DATA"), "`directory` of the papers' data files")
	flags.StringVar(&o.problems, "problems", "",
		"`names` of problems or, of regression, of studies between commas; without it all")
	flags.StringVar(&o.methods, "methods", "", "`names` of methods between commas; without it all")
	flags.IntVar(&o.runs, "runs", 0, "`number` of replications, runs or splits; without it as published")
	flags.IntVar(&o.evaluations, "n", 200, "evaluations of a run")
	flags.IntVar(&o.workers, "j", 2, "runs at once")
	its := flag.NewFlagSet("replicate "+args[0], flag.ContinueOnError)
	its.SetOutput(log)
	flags.VisitAll(func(f *flag.Flag) {
		if slices.Contains(strings.Fields("o quick report runs j "+s.flags), f.Name) {
			its.Var(f.Value, f.Name, f.Usage)
		}
	})
	if err := its.Parse(args[1:]); err != nil {
		return err
	}
	if its.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", its.Arg(0))
	}
	if o.runs < 0 || o.evaluations < 1 {
		return fmt.Errorf("-runs %d -n %d: -n must be 1 or more, -runs 0 (as published) or more", o.runs, o.evaluations)
	}
	return s.run(ctx, o, out, log)
}
