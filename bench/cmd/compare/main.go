// Compare runs other optimizers beside this one on the benchmark problems (package
// bench/peers) and writes tables and pictures:
//
//	compare -python bin/peers-venv/bin/python              everything; hours
//	compare -quick                                         few problems, seeds and peers
//	compare -peers bohier,optuna-tpe -problems func2c,tree_3 -seeds 5 -n 50
//	compare -spec spec.json -serve "python serve.py"       problems of another program too
//
// Every run is appended to the file of -o; runs found there are not repeated.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"bohier/bench/peers"
	"bohier/bench/problems"
	"bohier/bench/results"
)

// version names the protocol of the results.
const version = "compare 1"

// adapters are the peers by the arguments of their adapters.
var adapters = map[string][]string{
	"optuna-tpe":    {"with_optuna.py", "tpe"},
	"optuna-group":  {"with_optuna.py", "group"},
	"optuna-gp":     {"with_optuna.py", "gp"},
	"smac-hpo":      {"with_smac.py", "hpo"},
	"smac-bb":       {"with_smac.py", "bb"},
	"ax":            {"with_ax.py"},
	"hebo":          {"with_hebo.py"},
	"hyperopt":      {"with_hyperopt.py"},
	"smt":           {"with_smt.py"},
	"cma":           {"with_cma.py"},
	"turbo":         {"with_botorch.py", "turbo"},
	"saas":          {"with_botorch.py", "saas"},
	"synetune-gp":   {"with_synetune.py", "gp"},
	"synetune-bore": {"with_synetune.py", "bore"},
	"synetune-tpe":  {"with_synetune.py", "tpe"},
}

// everyone is all peers in the order of the runs, the quick ones first.
var everyone = []string{
	"bohier", "random", "optuna-tpe", "optuna-group", "hyperopt", "smac-hpo", "synetune-tpe", "synetune-bore",
	"cma", "optuna-gp", "smac-bb", "smt", "turbo", "saas", "synetune-gp", "hebo", "ax",
}

// open is the list of problems that the defaults were chosen on.
var open = []string{
	"func2c", "func3c", "ackley5c", "ackley53", "ackley53_flip", "pest25", "contamination25", "branin_mixed",
	"goldstein_mixed",
	"toy_munoz", "halstrup04", "rosenbrock10_mixed", "pressure_vessel", "speed_reducer", "welded_beam", "environmental",
	"jenatton", "jenatton_interior", "coupled_tree", "hier_goldstein", "hier_nn", "hier_rosenbrock", "cond_svm_syn",
	"cond_layers",
	"zaefferer_A", "zaefferer_B", "zaefferer_C", "zaefferer_D", "zaefferer_E",
}

type options struct {
	python, results, pictures, spec, serve, lines, kinds string
	peers, problems                                      []string
	seeds, n, workers                                    int
	noise                                                float64
	quick, reportOnly                                    bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var err error
	if len(os.Args) > 2 && os.Args[1] == "serve" {
		err = serve(ctx, os.Args[2], strings.Join(os.Args[3:], ""))
		if errors.Is(err, io.EOF) {
			err = nil // the driver has what it wants
		}
	} else {
		err = run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// serve is the adapter of bohier or random.
func serve(ctx context.Context, name, lines string) (err error) {
	version := ""
	if name == "bohier" { // what it suggests changes from build to build
		if version, err = ownVersion(); err != nil {
			return err
		}
	}
	return peers.Serve(ctx, name, version, lines, os.Stdin, os.Stdout)
}

func parse(args []string, log io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&o.python, "python", filepath.Join("bin", "peers-venv", "bin", "python"),
		"`interpreter` with the peers installed")
	flags.StringVar(&o.results, "o", "compare.jsonl", "`file` of runs, one JSON object a line")
	flags.StringVar(&o.pictures, "pictures", "", "`directory` for the pictures; without it none are drawn")
	flags.StringVar(&o.spec, "spec", "",
		"JSON `file` of problems that the command of -serve evaluates; all of them are run")
	flags.StringVar(&o.serve, "serve", "", "`command` that answers a configuration a line with its value a line")
	flags.StringVar(&o.lines, "lines", "", "`lines` of bohier's study files beside the problems' own")
	peerList := flags.String("peers", "", "comma-separated `names`; without it all: "+strings.Join(everyone, ", "))
	problemList := flags.String("problems", "", "comma-separated `names`; without it the open list and six random trees")
	flags.StringVar(&o.kinds, "kinds", "",
		"in place of -problems, kinds of problem, each of the run's seed: all, chosen, held, or comma-separated `names`")
	flags.IntVar(&o.seeds, "seeds", 20, "runs of a peer on a problem")
	flags.IntVar(&o.n, "n", 100, "evaluations of a run")
	flags.Float64Var(&o.noise, "noise", 0,
		"standard deviation of noise as a `share` of the distance from the median of random values to the optimum; one "+
			"file of -o for each")
	flags.IntVar(&o.workers, "j", 1, "runs at once; processor times are steadier with one")
	flags.BoolVar(&o.quick, "quick", false, "four problems, two seeds, 30 evaluations, the quick peers: under ten minutes")
	flags.BoolVar(&o.reportOnly, "report", false, "report on the results that there are and run nothing")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	o.peers, o.problems = everyone, open
	for seed := 1; seed <= 6; seed++ {
		o.problems = append(o.problems, fmt.Sprintf("tree_%d", seed))
	}
	if o.quick {
		seeds, n := o.seeds, o.n
		o.peers, o.problems, o.seeds, o.n = everyone[:6], []string{"func2c", "coupled_tree", "cond_layers", "tree_1"}, 2, 30
		flags.Visit(func(f *flag.Flag) { // what is given counts
			switch f.Name {
			case "seeds":
				o.seeds = seeds
			case "n":
				o.n = n
			}
		})
	}
	if *peerList != "" {
		o.peers = strings.Split(*peerList, ",")
	}
	if *problemList != "" {
		o.problems = strings.Split(*problemList, ",")
	}
	if o.seeds < 1 || o.n < 1 || o.noise < 0 {
		return o, fmt.Errorf("-seeds %d -n %d -noise %v: the first two must be above 0, the last not below", o.seeds, o.n,
			o.noise)
	}
	for _, p := range o.peers {
		if adapters[p] == nil && !slices.Contains(peers.Own(), p) {
			return o, fmt.Errorf("no peer %q; there are %s", p, strings.Join(everyone, ", "))
		}
	}
	return o, nil
}

type key struct {
	Problem, Peer string
	Seed          uint64
	N             int
}

func (k key) String() string { return fmt.Sprintf("%s, %s, seed %d", k.Problem, k.Peer, k.Seed) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	o, err := parse(args, log)
	if err != nil {
		return err
	}
	book, err := results.Open(o.results, version, func(r *peers.Run) key { return key{r.Problem, r.Variant, r.Seed, r.N} })
	if err != nil {
		return err
	}
	defer book.Close()
	references, err := results.Open(strings.TrimSuffix(o.results, ".jsonl")+"-references.jsonl", version,
		func(r peers.Reference) string { return r.Problem }) // what random search is expected to find
	if err != nil {
		return err
	}
	defer references.Close()
	stop, more, err := problems.Outside(o.spec, o.serve, nil)
	if err != nil {
		return err
	}
	defer stop()
	o.problems = append(o.problems, more...)
	if !o.reportOnly {
		if err := o.runAll(ctx, book, references, log); err != nil {
			return err
		}
	}
	switch {
	case o.kinds != "":
		return nil // versus -worst judges them
	case o.noise > 0:
		return peers.NoisyReport(out, book.Results)
	}
	return peers.Report(out, book.Results, references.Results, o.pictures)
}

func (o options) runAll(ctx context.Context, book *results.File[key, *peers.Run],
	references *results.File[string, peers.Reference], log io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	versions, err := newVersions(o.results, book.Results)
	if err != nil {
		return err
	}
	var known []results.Task[string, peers.Reference]
	var tasks []results.Task[key, *peers.Run]
	for _, name := range o.problems {
		if o.kinds != "" {
			break // versus -worst judges those
		}
		p, err := problems.Get(name)
		if err != nil {
			return err
		}
		known = append(known, results.Task[string, peers.Reference]{Key: name,
			Run: func(context.Context) (peers.Reference, error) {
				return peers.Expect(p)
			}})
	}
	for seed := uint64(1); seed <= uint64(o.seeds); seed++ {
		if o.kinds != "" {
			if o.problems, err = problems.Kinds(o.kinds, seed); err != nil {
				return err
			}
		}
		for _, name := range o.problems {
			for _, who := range o.peers {
				peer := peers.Peer{Name: who, Command: []string{self, "serve", who}}
				if a := adapters[who]; a != nil {
					peer.Command = append([]string{o.python, filepath.Join("bench", "peers", "adapters", a[0])}, a[1:]...)
				} else if who == "bohier" && o.lines != "" {
					peer.Command = append(peer.Command, o.lines)
				}
				p, err := problems.Get(name)
				if err != nil {
					return err
				}
				tasks = append(tasks, results.Task[key, *peers.Run]{
					Key: key{name, who, seed, o.n},
					Run: func(ctx context.Context) (*peers.Run, error) {
						peer.Noise = p.Noise
						if o.noise > 0 {
							r, err := peers.Typical(p)
							if err != nil {
								return nil, err
							}
							peer.Noise = o.noise * (r - p.Optimum.Value)
						}
						r, err := peer.Run(ctx, p, seed, o.n, peers.Limit)
						if err == nil {
							err = versions.check(r)
						}
						return r, err
					},
				})
			}
		}
	}
	if err := references.Run(ctx, known, 1, func(peers.Reference, int, time.Duration) {}); err != nil {
		return err
	}
	return book.Run(ctx, tasks, o.workers, func(r *peers.Run, n int, left time.Duration) {
		fmt.Fprintf(log, "%d of %d, %v left: %s, %s, seed %d: %.2f CPU s", n, len(tasks), left.Round(time.Second), r.Problem,
			r.Variant, r.Seed, r.CPU)
		if r.Failed != "" {
			fmt.Fprintf(log, "; failed: %s", r.Failed)
		}
		fmt.Fprintln(log)
	})
}
