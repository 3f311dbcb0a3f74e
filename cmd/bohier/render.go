package main

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"bohier/internal/report"
	"bohier/internal/study"
)

// jsonFormats are the formats that any result can take.
var jsonFormats = []string{"json", "jsonl"}

// printed writes results in the format asked for: as JSON, where a list becomes an array, and with jsonl a line for
// each element, as they are made; or as text for people.
func printed[T any](w io.Writer, format string, list iter.Seq[T], array bool, text func() ([]byte, error)) error {
	if slices.Contains(jsonFormats, format) {
		return report.WriteJSON(w, list, array && format == "json")
	}
	out, err := text()
	if err == nil {
		_, err = w.Write(out)
	}
	return err
}

// present prints results in the format asked for; text is the form for people.
func present[T any](s call, list []T, array bool, text func() []byte) error {
	return printed(shown{s}, s.format, slices.Values(list), array || len(list) != 1,
		func() ([]byte, error) { return text(), nil })
}

// sheet prints a result, for people as NAME.tmpl sets of.
func (s call) sheet(result any, name string, of any) error {
	return present(s, []any{result}, false, func() []byte { return report.Sheet(name, of) })
}

// A trialPrinter renders trials in any format. Preparing it before anything is recorded finds faults of the request
// itself.
type trialPrinter struct {
	call
	st      *study.Study
	prefix  string
	array   bool        // json: an array even of one
	words   report.Text // of the template
	details bool        // table: one trial at length

	// columns are those of tables and CSV; none: as the formats have them.
	columns report.Columns

	report.Listing // for tables, and objects of trials
}

// prepare checks that count trials can be printed as asked; 1 stands for any number where every format takes several.
func (p *trialPrinter) prepare(count int) (err error) {
	switch p.format {
	case "env":
		_, err = report.EnvNames(p.st.Space.Names(), p.prefix)
	case "template":
		p.words, err = report.ParseText(p.st.Space, p.template)
	}
	if err == nil && count != 1 && slices.Contains([]string{"env", "args", "args0"}, p.format) {
		err = usage("use -o jsonl for several", "-o %s prints one trial, not %d", p.format, count)
	}
	return err
}

// render writes the whole output for the trials; as is the function that shows one of them in the structured formats.
func render[T any](w io.Writer, p *trialPrinter, trials []*study.Trial, as func(*study.Trial) T) error {
	list := func(yield func(T) bool) {
		for _, t := range trials {
			if !yield(as(t)) {
				return
			}
		}
	}
	return printed(w, p.format, list, p.array || len(trials) != 1, func() ([]byte, error) { return p.forPeople(trials) })
}

// forPeople is the output in the formats that are not structured.
func (p *trialPrinter) forPeople(trials []*study.Trial) ([]byte, error) {
	var b bytes.Buffer
	switch p.format {
	case "table":
		if p.columns != nil {
			return p.columns.Table(trials).Text(p.Color), nil
		}
		if p.details && len(trials) == 1 {
			return report.Details(p.st, trials[0], p.Listing).Text(p.Color), nil
		}
		return report.TrialTable(p.st, trials, p.Listing).Text(p.Color), nil
	case "csv":
		if p.columns != nil {
			return p.columns.CSV(slices.Values(trials), nil), nil
		}
		return report.TrialCSV(p.st, trials, nil), nil
	}
	for _, t := range trials {
		switch p.format {
		case "env":
			return report.Env(p.st, t, p.prefix)
		case "args", "args0":
			end := "\n"
			if p.format == "args0" {
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
			fmt.Fprintln(&b, p.words.Expand(report.Lookup(p.st, t)))
		}
	}
	return b.Bytes(), nil
}

// show prints trials with their results.
func (p *trialPrinter) show(trials []*study.Trial) error { return p.render(shown{p.call}, trials) }

func (p *trialPrinter) render(w io.Writer, trials []*study.Trial) error {
	return render(w, p, trials, func(t *study.Trial) report.Trial { return report.TrialOf(p.st, t, p.Listing) })
}
