package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"bohier/bench/problems"
)

const usage = "usage: blackbox list | spec [NAME…] | eval NAME JSON | serve NAME | study [-seed N] [-budget N] NAME " +
	"| trial NAME"

// run does what the arguments say.
func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	verb, args := args[0], args[1:]
	switch {
	case verb == "list" && len(args) == 0:
		return list(out)
	case verb == "spec":
		return spec(out, args)
	case verb == "study":
		return study(out, args)
	case verb == "eval" && len(args) == 2:
		p, err := problems.Get(args[0])
		if err != nil {
			return err
		}
		return eval(out, p, []byte(args[1]))
	case verb == "serve" && len(args) == 1:
		return serve(in, out, args[0])
	case verb == "trial" && len(args) == 1:
		return trial(out, args[0])
	}
	return errors.New(usage)
}

func list(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tPARAMETERS\tBUDGET\tMINIMUM\tKNOWN\tTAGS")
	for _, name := range problems.Names() {
		p, err := problems.Get(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.10g\t%s\t%s\n", name, len(p.Params), p.Budget,
			p.Optimum.Value, p.Optimum.Kind, strings.Join(p.Tags, ","))
	}
	return w.Flush()
}

func spec(out io.Writer, names []string) error {
	if len(names) == 0 {
		names = problems.Names()
	}
	all := []*problems.Problem{}
	for _, name := range names {
		p, err := problems.Get(name)
		if err != nil {
			return err
		}
		all = append(all, p)
	}
	e := json.NewEncoder(out)
	e.SetIndent("", " ")
	return e.Encode(all)
}

// study writes a study file whose command is this program.
func study(out io.Writer, args []string) error {
	flags := flag.NewFlagSet("study", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	seed := flags.Uint64("seed", 1, "seed of the study")
	budget := flags.Int("budget", 0, "trials; 0: the problem's own")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New(usage)
	}
	p, err := problems.Get(flags.Arg(0))
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// A program started by `go run` is deleted when it ends.
	if strings.Contains(self, "go-build") {
		self = "blackbox"
	}
	_, err = out.Write(p.Study(*seed, *budget, self, "trial", p.Name))
	return err
}

// eval prints the value of a configuration in JSON, in shortest round-trip form.
func eval(out io.Writer, p *problems.Problem, config []byte) error {
	var x map[string]any
	if err := json.Unmarshal(config, &x); err != nil {
		return fmt.Errorf("a configuration is a JSON object: %w", err)
	}
	v, err := p.Eval(x)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, strconv.FormatFloat(v, 'g', -1, 64))
	return err
}

// serve answers each line at once, so that the asker may wait for it. A line that
// is no configuration of the problem ends the service.
func serve(in io.Reader, out io.Writer, name string) error {
	p, err := problems.Get(name)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if err := eval(out, p, lines.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

// trial evaluates the configuration a running study passes in a file.
func trial(out io.Writer, name string) error {
	p, err := problems.Get(name)
	if err != nil {
		return err
	}
	file := os.Getenv("BOHIER_PARAMS")
	if file == "" {
		return errors.New("trial reads the file named by BOHIER_PARAMS, which bohier run sets")
	}
	config, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return eval(out, p, config)
}
