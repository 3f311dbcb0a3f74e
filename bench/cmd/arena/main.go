// Arena runs the optimizer on benchmark problems in one process and prints the
// best value found after 10, 20, … evaluations:
//
//	arena -problems func2c,coupled_tree -seeds 1-5 -n 100 \
//	      -variant 'default=' -variant 'arc=surrogate: {kernel: arc}'
//
// Problems of other programs: -spec names a file with their spaces, as
// blackbox spec writes them, and -serve the command that, with a problem's name
// behind it, answers configurations with values, as blackbox serve does.
//
// With -noise the study is told values with normal noise of that standard deviation;
// the table of best values stays that of the values without, and a second one says
// what the surrogate recommends in the end.
//
// A variant is a name and the lines that its study files have beside the
// problem's own. Every variant meets the same seeds. One JSON object per run
// goes to -o (appended; runs that are there already are skipped), a table of
// means and medians to standard output; versus compares two variants in such files.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"bohier/bench/problems"
	"bohier/internal/config"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// checkpoints are the numbers of evaluations reported.
var checkpoints = []int{10, 20, 30, 50, 75, 100, 150, 200}

var objective = regexp.MustCompile(`(?m)^objective:.*\n`)

// A run is one optimization.
type run struct {
	Problem string    `json:"problem"`
	Variant string    `json:"variant"`
	Seed    uint64    `json:"seed"`
	N       int       `json:"n"`
	Best    []float64 `json:"best"` // best so far after every evaluation
	Seconds float64   `json:"seconds"`
	Source  string    `json:"fallbacks,omitempty"`
	Leader  *leader   `json:"leader,omitempty"` // with -noise
}

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
	names := flag.String("problems", "func2c,func3c,ackley5c,coupled_tree,jenatton,cond_layers", "comma-separated names, or all")
	seeds := flag.String("seeds", "1-5", "first-last")
	n := flag.Int("n", 0, "evaluations per run; 0: each problem's budget")
	workers := flag.Int("j", 2, "runs at once")
	out := flag.String("o", "", "file of runs, one JSON object per line")
	trace := flag.Bool("trace", false, "print every trial to standard error")
	initial := flag.String("initial", "", "JSON `file` of initial designs; run s takes the design numbered s modulo their count")
	spec := flag.String("spec", "", "JSON `file` of problems that the command of -serve evaluates")
	server := flag.String("serve", "", "`command` that answers a configuration a line with its value a line")
	random := flag.Bool("random", false, "also run independent random configurations, without the designs of -initial, as the variant random")
	sd := flag.Float64("noise", 0, "standard `deviation` of normal noise on the values that the study is told")
	var vs variants
	flag.Var(&vs, "variant", "name=study file lines; may be repeated")
	flag.Func("without", "`rule` of the policy; a variant leaves it out, beside those given; may be repeated, and all stands for every rule", func(rule string) error {
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
	stop, err := outside(*spec, *server, list)
	if err != nil {
		return err
	}
	defer stop()
	var given designs
	if *initial != "" {
		if given, err = readDesigns(*initial); err != nil {
			return err
		}
	}
	var jobs []func() error
	for seed := first; seed <= last; seed++ {
		for _, name := range list {
			p, err := problems.Get(name)
			if err != nil {
				return err
			}
			for _, v := range vs {
				label, lines, _ := strings.Cut(v, "=")
				if given != nil {
					more, err := given.lines(p, seed)
					if err != nil {
						return err
					}
					lines = strings.TrimSuffix(lines, "\n") + "\n" + more
				}
				budget := *n
				if budget == 0 {
					budget = p.Budget
				}
				if book.has(name, label, seed, budget) {
					continue
				}
				jobs = append(jobs, func() error {
					search := optimize
					if *random && v == randomSearch {
						search = sample
					}
					r, err := search(ctx, p, seed, budget, lines, *sd, *trace)
					if err != nil {
						return fmt.Errorf("%s, %s, seed %d: %w", name, label, seed, err)
					}
					r.Variant = label
					return book.add(r)
				})
			}
		}
	}
	if err := parallel(jobs, *workers); err != nil {
		return err
	}
	if err := book.table(os.Stdout); err != nil || *sd == 0 {
		return err
	}
	return book.leaders(os.Stdout, *sd)
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

func parallel(jobs []func() error, workers int) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var first error
	next := make(chan func() error)
	for range workers {
		wg.Go(func() {
			for job := range next {
				if err := job(); err != nil {
					mu.Lock()
					if first == nil {
						first = err
					}
					mu.Unlock()
				}
			}
		})
	}
	for _, job := range jobs {
		next <- job
	}
	close(next)
	wg.Wait()
	return first
}

// optimize runs a study in memory: one trial at a time, each told at once with
// normal noise of deviation sd; trace prints them.
func optimize(ctx context.Context, p *problems.Problem, seed uint64, n int, lines string, sd float64, trace bool) (*run, error) {
	data := p.Study(seed, n)
	if strings.HasPrefix(lines, "objective:") { // instead of the problem's own
		data = objective.ReplaceAll(data, nil)
	}
	data = append(data, lines...)
	st, report := config.Parse(p.Name, data, config.Options{})
	if err := report.Err(); err != nil {
		return nil, err
	}
	r := &run{Problem: p.Name, Seed: seed, N: n}
	began := time.Now()
	var trials []study.Trial
	var warm *study.FitRecord
	var truth []float64
	fallbacks := map[string]int{}
	for k := 1; k <= n; k++ {
		s, err := policy.Next(ctx, st, trials, policy.Request{Number: k, Seed: seed, Warm: warm})
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(s.Source, "fallback") {
			fallbacks[s.Source]++
		}
		if s.Fit != nil {
			warm = s.Fit
		}
		y, err := evaluate(p, st.Space, s.Config)
		if err != nil {
			return nil, err
		}
		trials = append(trials, study.Trial{
			Number: k, State: study.Complete, Config: s.Config, Source: s.Source,
			Observation: study.Observation{Values: map[string]float64{st.Objective.Name: noisy(y, sd, seed, k)}},
		})
		truth = append(truth, y)
		r.tell(y, s.Source, st.Space, s.Config, trace)
	}
	if sd > 0 {
		var err error
		if r.Leader, err = lead(ctx, st, trials, warm, seed, truth); err != nil {
			return nil, err
		}
	}
	r.Seconds = time.Since(began).Seconds()
	if len(fallbacks) > 0 {
		r.Source = fmt.Sprint(fallbacks)
	}
	return r, nil
}

// tell adds a value to a run; trace prints it.
func (r *run) tell(y float64, source string, s *space.Space, c space.Configuration, trace bool) {
	k := len(r.Best)
	if trace {
		fmt.Fprintf(os.Stderr, "%3d %-10s %12.6g %s\n", k+1, source, y, s.AppendJSON(nil, c))
	}
	if k > 0 {
		y = min(y, r.Best[k-1])
	}
	r.Best = append(r.Best, y)
}

func evaluate(p *problems.Problem, s *space.Space, c space.Configuration) (float64, error) {
	var x map[string]any
	if err := json.Unmarshal(s.AppendJSON(nil, c), &x); err != nil {
		return 0, err
	}
	return p.Eval(x)
}
