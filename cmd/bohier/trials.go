package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type trialsOptions struct {
	states     []string
	columns    []string
	sort       string
	descending bool
}

// listedStates are what --state takes.
var listedStates = []string{"pending", "complete", "failed", "abandoned", "paused", "stopped"}

// listFormats are trialFormats with the table first.
var listFormats = []string{"table", "json", "jsonl", "yaml", "csv", "id", "template=…"}

func newTrials(g *globals) *cobra.Command {
	var o trialsOptions
	c := g.command("trials [flags]", args(0, 0, ""), onTrials(o.run), 6, 7, 9)
	c.Flags().StringSliceVar(&o.states, "state", nil,
		"list trials in `STATE,...`: "+strings.Join(listedStates, ", "))
	c.Flags().StringSliceVar(&o.columns, "columns", nil, "show the columns `NAME,...`")
	c.Flags().StringVar(&o.sort, "sort", "", "order by `COLUMN`: objectives best first, others least first")
	c.Flags().BoolVar(&o.descending, "descending", false, "order by greatest first")
	g.completes(c, "state", cobra.FixedCompletions(listedStates, cobra.ShellCompDirectiveNoFileComp))
	g.addFormat(c, listFormats...)
	return c
}

func (o *trialsOptions) run(s call, session runner.Session, state *journal.State, args []string) error {
	states := make([]study.State, len(o.states))
	for i, name := range o.states {
		if states[i] = study.State(name); !slices.Contains(listedStates, name) {
			return usage("states: "+strings.Join(listedStates, ", "), "unknown state %q", name)
		}
	}
	if len(o.columns) > 0 && s.format.name != "table" && s.format.name != "csv" {
		return usage("jq picks members of JSON", "--columns is for -o table and -o csv, not %s", s.format.name)
	}
	if o.descending && o.sort == "" {
		return usage("such as --sort loss --descending", "--descending needs --sort")
	}
	printer := trialPrinter{st: session.Study, format: s.format, array: true, colour: s.Color}
	if s.format.name == "template" {
		if err := printer.prepare(1); err != nil {
			return err
		}
	}
	trials := selectTrials(state.Trials, states)
	var err error
	if printer.Ranks, err = ranks(s, session, state, o.ranked(s)); err != nil {
		return err
	}
	printer.By = session.Study.Measurements(state.Trials)
	if o.sort != "" {
		by, err := report.FindColumn(session.Study, trials, o.sort, printer.Ranks)
		if err != nil {
			return err
		}
		if len(o.columns) == 0 && s.format.name == "table" { // which has means
			by = report.OfMeans(by, session.Study, printer.By)
		}
		report.SortTrials(trials, by, o.descending != report.Maximised(by, session.Study))
	}
	for _, name := range o.columns {
		c, err := report.FindColumn(session.Study, trials, name, printer.Ranks)
		if err != nil {
			return err
		}
		printer.columns = append(printer.columns, c)
	}
	return s.showTrials(&printer, trials)
}

// ranked reports whether ranks are asked for, which of noisy values take a fit.
func (o *trialsOptions) ranked(s call) bool {
	if o.sort == "rank" || slices.Contains(o.columns, "rank") {
		return true
	}
	return len(o.columns) == 0 && s.format.name == "table" || slices.Contains(rankedFormats, s.format.name)
}

// selectTrials are the trials in one of the states, or all that users may see.
func selectTrials(trials []study.Trial, states []study.State) []study.Trial {
	out := make([]study.Trial, 0, len(trials))
	for _, t := range trials {
		if t.State != study.Reserved && (len(states) == 0 || slices.Contains(states, t.State)) {
			out = append(out, t)
		}
	}
	return out
}

type showOptions struct {
	prefix string
}

// oneFormats are trialFormats with the table first.
var oneFormats = []string{"table", "json", "jsonl", "yaml", "env", "args", "args0", "csv", "id", "template=…"}

// rankedFormats are those in which a trial has its rank among several objectives.
var rankedFormats = []string{"json", "jsonl", "yaml"}

func newShow(g *globals) *cobra.Command {
	var o showOptions
	c := g.command("show ID [flags]", args(1, 1, "the trial's id"), onTrials(o.run), 4, 6, 7, 9)
	c.ValidArgsFunction = g.completeTrials()
	c.Flags().StringVar(&o.prefix, "prefix", "", "prefix of the variables of -o env, as `TEXT`")
	g.addFormat(c, oneFormats...)
	return c
}

func (o *showOptions) run(s call, session runner.Session, state *journal.State, args []string) error {
	printer := trialPrinter{st: session.Study, format: s.format, prefix: o.prefix, details: true, colour: s.Color}
	if err := printer.prepare(1); err != nil {
		return err
	}
	t, err := state.Trial(args[0])
	if err != nil {
		return err
	}
	printer.By = session.Study.Measurements(state.Trials)
	if slices.Contains(rankedFormats, s.format.name) {
		if printer.Ranks, err = ranks(s, session, state, true); err != nil {
			return err
		}
	}
	return s.showTrials(&printer, []study.Trial{*t})
}
