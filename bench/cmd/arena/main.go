// Arena runs the optimizer on benchmark problems in one process and prints the
// best value found after 10, 20, … evaluations:
//
//	arena -problems func2c,coupled_tree -seeds 1-5 -n 100 \
//	      -variant 'default=' -variant 'arc=surrogate: {kernel: arc}'
//
// Problems of other programs: -spec names a file with their spaces, as blackbox spec writes them, and -serve the
// command that, with a problem's name behind it, answers configurations with values, as blackbox serve does.
//
// With -kinds every seed has problems of its own, of the families of package problems; versus -worst judges such files.
//
// With -noise the study is told values with normal noise of that standard deviation; the table of best values stays
// that of the values without, and a second one says what the surrogate recommends in the end.
//
// A variant is a name and the lines that its study files have beside the problem's own. Every variant meets the same
// seeds. One JSON object per run goes to -o (appended; runs that are there already are skipped), a table of means and
// medians to standard output, a line for each run to standard error; versus compares two variants in such files.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/bench/problems"
	"bohier/bench/results"
	"bohier/bench/runs"
	"bohier/internal/policy"
)

// checkpoints are the numbers of evaluations reported.
var checkpoints = []int{10, 20, 30, 50, 75, 100, 150, 200}

// randomSearch is the variant of independent random configurations. (A study's
// design "random" takes the branches of the space in turn.)
const randomSearch = "random="

type variants []string

func (v *variants) String() string     { return strings.Join(*v, "; ") }
func (v *variants) Set(s string) error { *v = append(*v, s); return nil }

func main() {
	if err := arena(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "arena:", err)
		os.Exit(1)
	}
}

func arena(ctx context.Context) error {
	names := flag.String("problems", "func2c,func3c,ackley5c,coupled_tree,jenatton,cond_layers",
		"comma-separated names, or all")
	kinds := flag.String("kinds", "",
		"in place of -problems, kinds of problem, each of the run's seed: all, chosen, held, or comma-separated `names`")
	seeds := flag.String("seeds", "1-5", "first-last")
	n := flag.Int("n", 0, "evaluations per run; 0: each problem's budget")
	workers := flag.Int("j", 2, "runs at once")
	atOnce := flag.Int("at-once", 1,
		"trials under way at once, which take a minute each, give or take half; a file of -o is for one such number")
	out := flag.String("o", "", "file of runs, one JSON object per line")
	spec := flag.String("spec", "", "JSON `file` of problems that the command of -serve evaluates")
	server := flag.String("serve", "", "`command` that answers a configuration a line with its value a line")
	random := flag.Bool("random", false, "also run independent random configurations, as the variant random")
	sd := flag.Float64("noise", 0, "standard `deviation` of normal noise on the values that the study is told")
	var vs variants
	flag.Var(&vs, "variant", "name=study file lines; may be repeated")
	flag.Func("without", "`rule` of the policy; a variant leaves it out, beside those given; may be repeated, and all "+
		"stands for every rule", func(rule string) error {
		rules := []string{rule}
		if rule == "all" {
			rules = policy.RuleNames()
		}
		for _, r := range rules {
			if !slices.Contains(policy.RuleNames(), r) {
				return fmt.Errorf("no such rule: %s", strings.Join(policy.RuleNames(), ", "))
			}
			vs = append(vs, fmt.Sprintf("without %s=policy: {without: [%s]}\n", r, r))
		}
		return nil
	})
	flag.Parse()
	if !slices.ContainsFunc(vs, func(v string) bool { return !strings.HasPrefix(v, "without ") }) {
		vs = append(variants{"default="}, vs...)
	}
	if *random {
		if slices.ContainsFunc(vs, func(v string) bool { return strings.HasPrefix(v, randomSearch) }) {
			return errors.New("-random names its variant random: give the other another name")
		}
		vs = append(vs, randomSearch)
	}
	first, last, err := parseSeeds(*seeds)
	if err != nil {
		return err
	}
	list := strings.Split(*names, ",")
	if *names == "all" {
		list = problems.Names()
	}
	book, err := openBook(*out)
	if err != nil {
		return err
	}
	stop, _, err := problems.Outside(*spec, *server, list)
	if err != nil {
		return err
	}
	defer stop()
	var tasks []results.Task[key, *runs.Run]
	for seed := first; seed <= last; seed++ {
		if *kinds != "" {
			if list, err = problems.Kinds(*kinds, seed); err != nil {
				return err
			}
		}
		for _, name := range list {
			p, err := problems.Get(name)
			if err != nil {
				return err
			}
			for _, v := range vs {
				label, lines, _ := strings.Cut(v, "=")
				if p.Front != nil && strings.HasPrefix(lines, "objective:") {
					continue // settings of a single objective
				}
				o := runs.Options{Seed: seed, Evaluations: cmp.Or(*n, p.Budget), Lines: lines, Noise: *sd, Workers: *atOnce}
				search := runs.Optimize
				if *random && v == randomSearch {
					search = runs.Random
				}
				tasks = append(tasks, results.Task[key, *runs.Run]{
					Key: key{name, label, seed, o.Evaluations},
					Run: func(ctx context.Context) (*runs.Run, error) {
						r, err := search(ctx, p, o)
						if err == nil {
							r.Variant = label
						}
						return r, err
					},
				})
			}
		}
	}
	if err := book.Run(ctx, tasks, *workers, progress(os.Stderr, len(tasks))); err != nil {
		return err
	}
	if err := book.table(os.Stdout); err != nil || *sd == 0 {
		return err
	}
	return book.leaders(os.Stdout, *sd)
}

// progress prints a line for each run that is done, n of all; what is left of the time is estimated.
func progress(w io.Writer, all int) func(r *runs.Run, n int, left time.Duration) {
	return func(r *runs.Run, n int, left time.Duration) {
		fmt.Fprintf(w, "%d of %d, %v left: %s, %s, seed %d: %.5g\n", n, all, left.Round(time.Second), r.Problem, r.Variant,
			r.Seed, r.Best[len(r.Best)-1])
	}
}

func parseSeeds(s string) (first, last uint64, err error) {
	a, b, ok := strings.Cut(s, "-")
	if !ok {
		b = a
	}
	if first, err = strconv.ParseUint(a, 10, 63); err != nil {
		return
	}
	last, err = strconv.ParseUint(b, 10, 63)
	return
}
