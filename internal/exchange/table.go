package exchange

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/internal/study"
)

// rowsOf reads CSV with a heading.
func rowsOf(in Input) (head []string, rows [][]string, err error) {
	t, line, err := ReadTable(in.Data)
	if err != nil {
		return nil, nil, unreadable(in, "", "line %d: %v", line, err)
	}
	if len(t.Rows) == 0 {
		return nil, nil, unreadable(in, "", "the table has no rows")
	}
	for _, r := range t.Rows {
		rows = append(rows, r.Cells)
	}
	return t.Head, rows, nil
}

// ours is what the names of attributes begin with that Export adds, so that the script
// finds what Optuna has no place for.
const ours = "bohier:"

// readOptuna reads the table of trials_dataframe, or a JSON object of distributions.
func readOptuna(in Input) (*Study, error) {
	text := bytes.TrimSpace(in.Data)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case bytes.HasPrefix(text, []byte("{")):
		return &Study{Form: "optuna", Space: in.Data}, nil
	case bytes.Contains(first, []byte("number")) && bytes.Contains(first, []byte("params_")):
		return readOptunaTable(in)
	}
	return nil, unreadable(in, "a storage's URL, a database, a journal file, the CSV of trials_dataframe, or a JSON "+
		"object of distributions",
		"this is no storage of Optuna")
}

// readOptunaTable reads the CSV of Study.trials_dataframe(). It has values and no
// distributions.
func readOptunaTable(in Input) (*Study, error) {
	head, rows, err := rowsOf(in)
	if err != nil {
		return nil, err
	}
	st := &Study{Name: "trials_dataframe"}
	for _, h := range head {
		if h == "value" || strings.HasPrefix(h, "values_") {
			name := strings.TrimPrefix(h, "values_")
			if _, err := strconv.Atoi(name); err == nil || h == "value" {
				name = ""
			}
			st.Objectives = append(st.Objectives, Objective{Name: name})
		}
	}
	for _, row := range rows {
		t := Trial{State: study.Pending}
		if !slices.Contains(head, "state") { // attrs= chose other columns
			t.State = study.Complete
		}
		for i, cell := range row {
			name, isParam := strings.CutPrefix(head[i], "params_")
			attr, isAttr := strings.CutPrefix(head[i], "user_attrs_")
			switch {
			case isParam:
				t.Params = append(t.Params, tableValue(name, cell))
			case isAttr && cell != "":
				t.measured(attr, cellValue(cell))
			case head[i] == "number":
				t.Name = cell
			case head[i] == "value" || strings.HasPrefix(head[i], "values_"):
				v, err := strconv.ParseFloat(cell, 64)
				if err != nil {
					v = orNaN(nil)
				}
				t.Scores = append(t.Scores, v)
			case head[i] == "state":
				t.Why = strings.ToLower(cell)
				switch cell {
				case "COMPLETE":
					t.State = study.Complete
				case "FAIL":
					t.State, t.Why = study.Failed, "failed"
				}
			}
		}
		if start, end := column(head, row, "datetime_start"), column(head, row, "datetime_complete"); t.Duration == nil {
			t.Duration = elapsed(start, end)
		}
		if t.State != study.Complete {
			t.Scores = nil
		}
		st.Trials = append(st.Trials, t)
	}
	return st, nil
}

// tableValue is a cell as pandas writes it: True, False, and nothing for None.
func tableValue(name, cell string) Value {
	if cell == "True" || cell == "False" {
		cell = strings.ToLower(cell)
	}
	return Value{Name: name, Text: cell, Empty: IsMissing(cell)}
}

// cellValue is a cell as a number where it is one.
func cellValue(cell string) any {
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		return v
	}
	return cell
}

func column(head, row []string, name string) string {
	for i, h := range head {
		if h == name && i < len(row) {
			return row[i]
		}
	}
	return ""
}

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999"}

// elapsed is the time between two texts in seconds, nil if one is missing.
func elapsed(start, end string) *float64 {
	a, ok := moment(start)
	b, okEnd := moment(end)
	if !ok || !okEnd || b.Before(a) {
		return nil
	}
	seconds := b.Sub(a).Seconds()
	return &seconds
}

func moment(text string) (time.Time, bool) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
