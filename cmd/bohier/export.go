package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bohier/internal/report"
	"bohier/internal/study"
)

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
	session, state, err := s.current()
	if err != nil {
		return err
	}
	var write func(io.Writer) error
	st := session.Study
	trials := selectTrials(state.Trials, nil)
	if form == "jsonl" {
		printer := trialPrinter{st: st, call: s, array: true}
		printer.format = "jsonl"
		printer.By = st.Measurements(state.Trials)
		if printer.Ranks, err = ranks(s, session, state, true); err != nil {
			return err
		}
		write = func(w io.Writer) error { return printer.render(w, trials) }
	} else {
		if err := levelled(st, "there is no fidelity to list reports of"); s.on("long") && err != nil {
			return err
		}
		data, left, err := exportCSV(st, trials, s.on("safe-cells"), s.on("long"))
		if s.Log.warn(left...); err != nil {
			return err
		}
		write = contentOf(data)
	}
	if !out.stdout() {
		return out.saveAs(s, write)
	}
	return write(shown{s})
}

// exportCSV is the table, safe for spreadsheets if asked for; left says what that
// changed.
func exportCSV(st *study.Study, trials []study.Trial, safe, long bool) (data []byte, left []string, err error) {
	data = report.TrialCSV(st, trials)
	if long {
		data = report.ReportCSV(st, trials)
	}
	again, errors, words := 0, 0, 0
	for i := range trials {
		again += len(trials[i].Replicates)
		if trials[i].Stderr != nil || len(trials[i].Stderrs) > 0 {
			errors++
		}
		if trials[i].Said() != "" {
			words++
		}
	}
	for _, x := range []struct {
		n    int
		what string
	}{{again, "further measurement"}, {errors, "standard error"}, {words, "note"}} {
		if x.n > 0 {
			left = append(left, study.Count(x.n, x.what)+" left out: jsonl has them")
		}
	}
	if !safe {
		return data, left, nil
	}
	data, changed, err := report.Spreadsheet(data)
	if changed > 0 {
		left = append(left, fmt.Sprintf("%s made safe for spreadsheets; --safe-cells=false leaves them as they are",
			study.Count(changed, "cell")))
	}
	return data, left, err
}
