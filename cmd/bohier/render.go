package main

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"

	"bohier/internal/config"
	"bohier/internal/report"
	"bohier/internal/study"
)

// structured renders the formats that any result can take; a list becomes an
// array, and with jsonl a line for each element. It is nil for other formats.
func structured[T any](f format, list []T, array bool) ([]byte, error) {
	return structuredOf(f, slices.Values(list), array || len(list) != 1)
}

// structuredOf is structured for elements that are made one after the other.
func structuredOf[T any](f format, list iter.Seq[T], array bool) ([]byte, error) {
	switch {
	case f.name == "json" && array:
		return report.Array(list)
	case f.name == "json", f.name == "jsonl":
		return report.Lines(list)
	case f.name == "yaml" && array:
		return config.EncodeYAML(slices.AppendSeq([]T{}, list))
	case f.name == "yaml":
		for v := range list {
			return config.EncodeYAML(v)
		}
	}
	return nil, nil
}

// present prints results in the format asked for; text is what people read.
func present[T any](s call, list []T, array bool, text func() []byte) error {
	out, err := structured(s.format, list, array)
	if err != nil {
		return err
	}
	if out == nil {
		out = text()
	}
	return s.show(out)
}

// trialFormats are the formats of commands that print configurations.
var trialFormats = []string{"json", "jsonl", "yaml", "env", "args", "args0", "table", "csv", "id", "template=…"}

// A trialPrinter renders trials in any of trialFormats. Preparing it before
// anything is recorded finds what is wrong with the request itself.
type trialPrinter struct {
	st       *study.Study
	format   format
	prefix   string
	array    bool // json: an array even of one
	colour   bool
	template report.Text
	details  bool // table: one trial at length

	// columns are those of tables and CSV; none: as the formats have them.
	columns []report.Column

	report.Listing // for tables, and objects of trials
}

// prepare checks that count trials can be printed as asked.
func (p *trialPrinter) prepare(count int) (err error) {
	switch p.format.name {
	case "env":
		_, err = report.EnvNames(p.st.Space.Names(), p.prefix)
	case "template":
		p.template, err = report.ParseText(p.st.Space, p.format.template)
	}
	if err == nil && count != 1 && slices.Contains([]string{"env", "args", "args0"}, p.format.name) {
		err = usage("use -o jsonl for several", "-o %s prints one trial, not %d", p.format.name, count)
	}
	return err
}

// render is the whole output for the trials; as says how the structured formats
// show one of them.
func render[T any](p *trialPrinter, trials []study.Trial, as func(*study.Trial) T) ([]byte, error) {
	list := func(yield func(T) bool) {
		for i := range trials {
			if !yield(as(&trials[i])) {
				return
			}
		}
	}
	if out, err := structuredOf(p.format, list, p.array || len(trials) != 1); out != nil || err != nil {
		return out, err
	}
	var b bytes.Buffer
	switch p.format.name {
	case "table":
		if p.columns != nil {
			return report.ColumnTable(p.columns, trials).Text(p.colour), nil
		}
		if p.details && len(trials) == 1 {
			return report.Details(p.st, &trials[0], p.Listing).Text(p.colour), nil
		}
		return report.TrialTable(p.st, trials, p.Listing).Text(p.colour), nil
	case "csv":
		if p.columns != nil {
			return report.ColumnCSV(p.columns, trials), nil
		}
		return report.TrialCSV(p.st, trials), nil
	}
	for i := range trials {
		t := &trials[i]
		switch p.format.name {
		case "env":
			return report.Env(p.st, t, p.prefix)
		case "args", "args0":
			end := "\n"
			if p.format.name == "args0" {
				end = "\x00"
			}
			for _, a := range report.ArgsOf(p.st, t) {
				if end == "\n" && strings.Contains(a, "\n") {
					return nil, usage("use -o args0", "an argument contains a line break: %q", a)
				}
				b.WriteString(a + end)
			}
		case "id":
			fmt.Fprintln(&b, t.ID())
		case "template":
			fmt.Fprintln(&b, p.template.Expand(report.Lookup(p.st, t)))
		}
	}
	return b.Bytes(), nil
}

// showTrials prints trials with what became of them.
func (s call) showTrials(p *trialPrinter, trials []study.Trial) error {
	out, err := p.render(trials)
	if err != nil {
		return err
	}
	return s.show(out)
}

func (p *trialPrinter) render(trials []study.Trial) ([]byte, error) {
	return render(p, trials, func(t *study.Trial) report.Trial { return report.TrialOf(p.st, t, p.Listing) })
}
