package main

import (
	"slices"
	"strings"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// listedStates are what --state takes.
var listedStates = []string{"pending", "complete", "failed", "abandoned", "paused", "stopped"}

func runTrials(s call, session runner.Session, state *journal.State, args []string) error {
	columns, sort := s.list("columns"), s.text("sort")
	states := make([]study.State, len(s.list("state")))
	for i, name := range s.list("state") {
		if states[i] = study.State(name); !slices.Contains(listedStates, name) {
			return usage("states: "+strings.Join(listedStates, ", "), "unknown state %q", name)
		}
	}
	if len(columns) > 0 && s.format != "table" && s.format != "csv" {
		return usage("jq picks members of JSON", "--columns is for -o table and -o csv, not %s", s.format)
	}
	if s.on("descending") && sort == "" {
		return usage("such as --sort loss --descending", "--descending needs --sort")
	}
	printer := trialPrinter{st: session.Study, call: s, array: true}
	if s.format == "template" {
		if err := printer.prepare(1); err != nil {
			return err
		}
	}
	trials := selectTrials(state.Trials, states)
	var err error
	if printer.Ranks, err = ranks(s, session, state, rankAsked(s)); err != nil {
		return err
	}
	printer.By = session.Study.Measurements(state.Trials)
	if sort != "" {
		by, err := report.FindColumn(session.Study, trials, sort, printer.Ranks)
		if err != nil {
			return err
		}
		if len(columns) == 0 && s.format == "table" { // which has means
			by = report.OfMeans(by, session.Study, printer.By)
		}
		report.SortTrials(trials, by, s.on("descending") != report.Maximised(by, session.Study))
	}
	for _, name := range columns {
		c, err := report.FindColumn(session.Study, trials, name, printer.Ranks)
		if err != nil {
			return err
		}
		printer.columns = append(printer.columns, c)
	}
	return printer.show(trials)
}

// rankAsked reports whether ranks are asked for, which of noisy values take a fit.
func rankAsked(s call) bool {
	columns := s.list("columns")
	return s.text("sort") == "rank" || slices.Contains(columns, "rank") ||
		len(columns) == 0 && s.format == "table" || slices.Contains(rankedFormats, s.format)
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

// rankedFormats are those in which a trial has its rank among several objectives.
var rankedFormats = []string{"json", "jsonl", "yaml"}

func runShow(s call, session runner.Session, state *journal.State, args []string) error {
	printer := trialPrinter{st: session.Study, call: s, prefix: s.text("prefix"), details: true}
	if err := printer.prepare(1); err != nil {
		return err
	}
	t, err := state.Trial(args[0])
	if err != nil {
		return err
	}
	printer.By = session.Study.Measurements(state.Trials)
	if slices.Contains(rankedFormats, s.format) {
		if printer.Ranks, err = ranks(s, session, state, true); err != nil {
			return err
		}
	}
	return printer.show([]study.Trial{*t})
}
