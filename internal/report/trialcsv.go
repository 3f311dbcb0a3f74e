package report

import (
	"slices"
	"strconv"
	"strings"

	"bohier/internal/lazy"
	"bohier/internal/study"
	"bohier/internal/text"
)

// TrialCSV lists trials for spreadsheets: the same columns whatever the trials, empty cells for inactive parameters and
// missing values. Columns for the notes, further measurements and metrics of these trials come last, and where some
// were made under another space its further parameters and which these are.
func TrialCSV(st *study.Study, trials []*study.Trial, safe func(cell string) string) []byte {
	var c Columns
	pick := func(kind, prefix string, names ...string) { c.pick(st, trials, kind, prefix, names...) }
	pick("fact", "", "trial", "id", "state", "source", "cost", "suggested_at", "observed_at")
	pick("value", "value.", st.Outcomes()...)
	pick("param", "param.", st.Space.Names()...)
	pick("fact", "", "duration")
	c.some(trials, "stderr", true, facts["stderr"].value)
	for _, name := range st.Goals() {
		c.some(trials, "stderr."+name, true, func(t *study.Trial) any { return valueOf(t.Stderrs, name) })
	}
	c = append(c, courseFacts(st)...)
	c.some(trials, "note", false, facts["note"].value)
	names := st.Outcomes()
	c.some(trials, "replicates", false, func(t *study.Trial) any { return furtherValues(t, names) })
	pick("metric", "metric.", metricNames(trials)...)
	pick("param", "param.", others(st.Space, trials)...)
	c.some(trials, "outside", false, func(t *study.Trial) any {
		if t.Outside {
			return "true"
		}
		return ""
	})
	return c.CSV(slices.Values(trials), safe)
}

// pick adds the columns of a kind (columnOf) with these names, which get a prefix.
func (c *Columns) pick(st *study.Study, trials []*study.Trial, kind, prefix string, names ...string) {
	for _, name := range names {
		of, _ := columnOf(st, trials, kind, name)
		c.add(prefix+name, of.right, of.value)
	}
}

// furtherValues are the outcomes of a trial's further measurements: numbers of one outcome,
// such as "0.44 0.41", or NAME=NUMBER of several.
func furtherValues(t *study.Trial, names []string) string {
	var out []string
	for i := range t.Replicates {
		for _, n := range names {
			v, ok := t.Replicates[i].Values.Get(n)
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

// ReportCSV lists the reports of trials of a study with a fidelity, a row for each resource
// that was reported; for folds and repeats the single values.
func ReportCSV(st *study.Study, trials []*study.Trial, safe func(cell string) string) []byte {
	var p study.Point // of the row
	var c Columns
	c.pick(st, trials, "fact", "", "trial", "id", "state")
	c.add("leg", true, func(*study.Trial) any { return float64(p.Leg) })
	c.add(st.Fidelity.Name, true, func(*study.Trial) any { return p.Resource })
	c.add("stderr", true, func(*study.Trial) any { return p.Stderr })
	c.add("cost", true, func(*study.Trial) any { return p.Cost })
	c.pick(st, trials, "value", "value.", st.Outcomes()...)
	c.pick(st, trials, "param", "param.", st.Space.Names()...)
	return c.CSV(func(yield func(*study.Trial) bool) {
		for _, t := range trials {
			if t.Course == nil {
				continue
			}
			for _, p = range t.Course.Reported() {
				row := *t
				row.Values = p.Values
				if !yield(&row) {
					return
				}
			}
		}
	}, safe)
}

// formula matches the beginning of a formula for a spreadsheet: a sign at the beginning of a cell, or of a cell by
// another separator.
var formula = lazy.Regexp(`(^|[;|\t\r\n])(\s*[` + signs + `])`)

const signs = "-=+@\uff1d\uff0b\uff0d\uff20"

// SafeCell is a cell that is safe to open in a spreadsheet: unless it is a number, with an apostrophe before a formula,
// and Visible. It is for people: it may have changed.
func SafeCell(cell string) string {
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	if strings.ContainsAny(cell, ";|\t\r\n") || strings.IndexAny(strings.TrimSpace(cell), signs) == 0 {
		cell = formula().ReplaceAllString(cell, "$1'$2") // few cells take the search
	}
	return text.Visible(cell)
}
