// Command curves compares studies that judge trials before their end with studies that
// train every trial out: the best value at full resource against units spent.
//
//	curves -modes with,without -problems fid_same -seeds 5 -out results.jsonl
//	curves -spec problems.json -serve "python yahpo.py serve" -problems lc_3945 …
//	curves -summary results.jsonl
//
// A mode is with or without, *N for N workers at once, and :KEYS for further keys of the
// study file's fidelity: "with*4:start: low".
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"bohier/bench/problems"
)

// A result is one study.
type result struct {
	Mode    string       `json:"mode"`
	Problem string       `json:"problem"`
	Seed    uint64       `json:"seed"`
	Optimum float64      `json:"optimum"`
	Steps   [][2]float64 `json:"steps"` // units spent, best value at full resource
	Trials  int          `json:"trials"`
	Seconds float64      `json:"seconds"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "curves:", err)
		os.Exit(1)
	}
}

func run() error {
	spec := flag.String("spec", "", "`file` of problems that another program serves")
	serve := flag.String("serve", "", "that `command`, without the problem's name")
	names := flag.String("problems", strings.Join(syntheticNames(), ","), "problems, separated by commas")
	modes := flag.String("modes", "with;without", "ways to run a study, separated by semicolons")
	seeds := flag.Int("seeds", 3, "studies of each mode and problem")
	first := flag.Int("first", 1, "the first seed")
	units := flag.Float64("units", 2600, "units of each study")
	out := flag.String("out", "", "append results to this `file`, and leave out what it has")
	summary := flag.String("summary", "", "summarise this `file` of results instead")
	legs := flag.Bool("trace", false, "tell every leg on standard error")
	flag.Parse()
	if *legs {
		trace = os.Stderr
	}
	if *summary != "" {
		list, err := read(*summary)
		if err == nil {
			summarise(os.Stdout, list)
		}
		return err
	}
	have := map[string]bool{}
	if list, err := read(*out); err == nil {
		for _, r := range list {
			have[key(r)] = true
		}
	}
	file := os.Stdout
	if *out != "" {
		f, err := os.OpenFile(*out, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		defer f.Close()
		file = f
	}
	var known []*problems.Problem
	if *spec != "" {
		var err error
		if known, err = problems.Read(*spec); err != nil {
			return err
		}
	}
	asked := map[string]*problem{}
	defer func() {
		for _, p := range asked {
			p.stop()
		}
	}()
	for seed := range *seeds {
		for name := range strings.SplitSeq(*names, ",") {
			p := asked[name]
			if p == nil {
				var err error
				if p, err = find(name, known, strings.Fields(*serve)); err != nil {
					return err
				}
				asked[name] = p
			}
			for mode := range strings.SplitSeq(*modes, ";") {
				r := result{Mode: mode, Problem: name, Seed: uint64(*first + seed), Optimum: p.optimum}
				if have[key(r)] {
					continue
				}
				began := time.Now()
				if err := runMode(p, &r, *units); err != nil {
					return fmt.Errorf("%s, %s, seed %d: %w", mode, name, r.Seed, err)
				}
				r.Seconds = time.Since(began).Seconds()
				line, err := json.Marshal(r)
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintf(file, "%s\n", line); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func key(r result) string { return fmt.Sprint(r.Mode, "|", r.Problem, "|", r.Seed) }

func read(file string) (list []result, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		var r result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b result) int { return strings.Compare(a.Problem, b.Problem) })
	return list, nil
}
