package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/study"
	"bohier/internal/text"
)

// TrialCSV lists trials for spreadsheets: the same columns whatever the trials,
// empty cells for inactive parameters and missing values. Columns for the notes, further
// measurements and metrics of these trials come last, and where some were made under another
// space its further parameters and which these are.
func TrialCSV(st *study.Study, trials []study.Trial) []byte {
	names := st.Outcomes()
	head := []string{"trial", "id", "state", "source", "cost", "suggested_at", "observed_at"}
	for _, n := range names {
		head = append(head, "value."+n)
	}
	for i := range st.Space.Params() {
		head = append(head, "param."+st.Space.Params()[i].Name)
	}
	head = append(head, "duration")
	head = append(head, courseFacts(st)...)
	noted := slices.ContainsFunc(trials, func(t study.Trial) bool { return t.Said() != "" })
	again := slices.ContainsFunc(trials, func(t study.Trial) bool { return len(t.Replicates) > 0 })
	if noted {
		head = append(head, "note")
	}
	if again {
		head = append(head, "replicates")
	}
	metrics := MetricNames(trials)
	for _, n := range metrics {
		head = append(head, "metric."+n)
	}
	more, outside := others(st.Space, trials), slices.ContainsFunc(trials, func(t study.Trial) bool { return t.Outside })
	for _, n := range more {
		head = append(head, "param."+n)
	}
	if outside {
		head = append(head, "outside")
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(head)
	for k := range trials {
		t := &trials[k]
		cost := ""
		if t.Cost != nil {
			cost = Number(*t.Cost)
		}
		row := []string{strconv.Itoa(t.Number), t.ID(), string(t.State), t.Source, cost, t.Suggested, t.ObservedAt}
		for _, n := range names {
			row = append(row, value(t, n))
		}
		for i := range st.Space.Params() {
			row = append(row, trialCell(st.Space, t, i, cell))
		}
		row = append(row, written(known(t.Duration), Number))
		for _, name := range courseFacts(st) {
			row = append(row, written(courseFact(&st.Fidelity, name)(t), Number))
		}
		if noted {
			row = append(row, text.Visible(t.Said()))
		}
		if again {
			row = append(row, furtherValues(t, names))
		}
		for _, n := range metrics {
			row = append(row, written(t.Metrics[n], Number))
		}
		for _, n := range more {
			row = append(row, ownText(t, n))
		}
		if outside {
			row = append(row, map[bool]string{true: "true"}[t.Outside])
		}
		_ = w.Write(row)
	}
	w.Flush()
	return b.Bytes()
}

// furtherValues are the outcomes of a trial's further measurements: numbers of one outcome,
// such as "0.44 0.41", or NAME=NUMBER of several.
func furtherValues(t *study.Trial, names []string) string {
	var out []string
	for i := range t.Replicates {
		for _, n := range names {
			v, ok := t.Replicates[i].Values[n]
			switch {
			case ok && len(names) == 1:
				out = append(out, Number(v))
			case ok:
				out = append(out, n+"="+Number(v))
			}
		}
	}
	return strings.Join(out, " ")
}

// ReportCSV lists what trials of a study with a fidelity came to on their way, a row for
// each resource that was reported; of folds and repeats the single values.
func ReportCSV(st *study.Study, trials []study.Trial) []byte {
	names := st.Outcomes()
	head := []string{"trial", "id", "state", "leg", st.Fidelity.Name, "stderr", "cost"}
	for _, n := range names {
		head = append(head, "value."+n)
	}
	for i := range st.Space.Params() {
		head = append(head, "param."+st.Space.Params()[i].Name)
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(head)
	for k := range trials {
		t := &trials[k]
		if t.Course == nil {
			continue
		}
		for _, p := range t.Course.Reported() {
			row := []string{strconv.Itoa(t.Number), t.ID(), string(t.State), strconv.Itoa(p.Leg), Number(p.Resource),
				written(known(p.Stderr), Number), written(known(p.Cost), Number)}
			for _, n := range names {
				v, ok := p.Values[n]
				row = append(row, "")
				if ok {
					row[len(row)-1] = Number(v)
				}
			}
			for i := range st.Space.Params() {
				row = append(row, trialCell(st.Space, t, i, cell))
			}
			_ = w.Write(row)
		}
	}
	w.Flush()
	return b.Bytes()
}
