package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bohier/internal/report"
	"bohier/internal/study"
)

// listedStates are the values of --state.
var listedStates = []string{"pending", "complete", "failed", "abandoned", "paused", "stopped"}

func runTrials(v *view, _ []string) error {
	columns, sort := v.list("columns"), v.text("sort")
	states := make([]study.State, len(v.list("state")))
	for i, name := range v.list("state") {
		if states[i] = study.State(name); !slices.Contains(listedStates, name) {
			return usage("states: "+strings.Join(listedStates, ", "), "unknown state %q", name)
		}
	}
	if len(columns) > 0 && v.format != "table" && v.format != "csv" {
		return usage("jq picks members of JSON", "--columns is for -o table and -o csv, not %s", v.format)
	}
	if v.on("descending") && sort == "" {
		return usage("such as --sort loss --descending", "--descending needs --sort")
	}
	printer := trialPrinter{st: v.Study, call: v.call, array: true}
	err := v.read(printer.prepare(1))
	if err != nil {
		return err
	}
	trials := selectTrials(v.Trials, states)
	asked := sort == "rank" || slices.Contains(columns, "rank") || // ranks of noisy values take a fit
		len(columns) == 0 && v.format == "table" || slices.Contains(jsonFormats, v.format)
	if printer.Ranks, err = v.ranks(asked); err != nil {
		return err
	}
	printer.By = v.Study.Measurements(v.Trials)
	if sort != "" {
		by, err := report.FindColumn(v.Study, trials, sort, printer.Ranks)
		if err != nil {
			return err
		}
		if len(columns) == 0 && v.format == "table" { // which has means
			by = report.OfMeans(by, v.Study, printer.By)
		}
		report.SortTrials(trials, by, v.on("descending") != by.Maximised)
	}
	for _, name := range columns {
		c, err := report.FindColumn(v.Study, trials, name, printer.Ranks)
		if err != nil {
			return err
		}
		printer.columns = append(printer.columns, c)
	}
	return printer.show(trials)
}

// selectTrials are the trials in one of the states, or all that users may see.
func selectTrials(trials []study.Trial, states []study.State) []*study.Trial {
	return slices.DeleteFunc(study.Pointers(trials), func(t *study.Trial) bool {
		return t.State == study.Reserved || len(states) > 0 && !slices.Contains(states, t.State)
	})
}

func runShow(v *view, args []string) error {
	printer := trialPrinter{st: v.Study, call: v.call, prefix: v.text("prefix"), details: true}
	if err := v.read(printer.prepare(1)); err != nil {
		return err
	}
	t, err := v.state.Trial(args[0])
	if err != nil {
		return err
	}
	printer.By = v.Study.Measurements(v.Trials)
	if slices.Contains(jsonFormats, v.format) {
		if printer.Ranks, err = v.ranks(true); err != nil {
			return err
		}
	}
	return printer.show([]*study.Trial{t})
}

func runExport(s call, args []string) error {
	form, file, _ := strings.Cut(args[0], ":")
	if err := gone("export " + form); err != nil {
		return err
	}
	if !slices.Contains(s.command.ValidArgs, form) {
		return usage("forms: "+strings.Join(s.command.ValidArgs, ", "), "%q is no form to export", form)
	}
	if s.on("long") && form != "csv" {
		return usage("bohier export csv --long", "--long is for csv; jsonl has the curves")
	}
	out := outFile(file)
	if err := out.refuse(s); err != nil {
		return err
	}
	v, err := s.unread()
	if err == nil && s.on("long") {
		err = levelled(v.Study, "there is no fidelity to list reports of")
	}
	if err := v.read(err); err != nil {
		return err
	}
	var write func(io.Writer) error
	st := v.Study
	trials := selectTrials(v.Trials, nil)
	if form == "jsonl" {
		printer := trialPrinter{st: st, call: s, array: true}
		printer.format = "jsonl"
		printer.By = st.Measurements(v.Trials)
		if printer.Ranks, err = v.ranks(true); err != nil {
			return err
		}
		write = func(w io.Writer) error { return printer.render(w, trials) }
	} else {
		data, left := exportCSV(st, trials, s.on("safe-cells"), s.on("long"))
		s.Log.warn(left...)
		write = contentOf(data)
	}
	if !out.stdout() {
		return out.saveAs(s, write)
	}
	return write(shown{s})
}

// exportCSV is the table, safe for spreadsheets if asked for; left lists the missing columns and the changed cells.
func exportCSV(st *study.Study, trials []*study.Trial, safe, long bool) (data []byte, left []string) {
	lacks := func(what string, has func(*study.Trial) int) {
		n := 0
		for _, t := range trials {
			n += has(t)
		}
		if n > 0 {
			left = append(left, study.Count(n, what)+" left out: jsonl has them")
		}
	}
	changed, cell := 0, func(cell string) string { return cell }
	if safe {
		cell = func(exact string) string {
			out := report.SafeCell(exact)
			if out != exact {
				changed++
			}
			return out
		}
	}
	if long {
		data = report.ReportCSV(st, trials, cell)
		lacks("further measurement", func(t *study.Trial) int { return len(t.Replicates) })
		lacks("note", func(t *study.Trial) int { return min(len(t.Said()), 1) })
	} else {
		data = report.TrialCSV(st, trials, cell)
		lacks("standard error", func(t *study.Trial) int { return len(t.Stderrs) })
	}
	if changed > 0 {
		left = append(left, fmt.Sprintf("%s made safe for spreadsheets; --safe-cells=false leaves them as they are",
			study.Count(changed, "cell")))
	}
	return data, left
}
