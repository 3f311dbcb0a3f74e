package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bohier/internal/exchange"
	"bohier/internal/lazy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// mostWrong is the number of wrong rows that one error lists.
const mostWrong = 10

// addedFromCSV reads rows under a heading; an error, except io.EOF, has the rows that are wrong, each with its line.
func addedFromCSV(st *study.Study, data []byte, visit func(study.Addition) error) error {
	before := "" // the id of the row above
	var wrong []string
	line, err := exchange.ReadTable(data, func(names []string) (func(line int, cells []string) error, error) {
		columns, err := meaningsOf(st, names)
		return func(line int, cells []string) error {
			id, state, outside := "", "", false
			var fields []field
			for i, cell := range cells {
				switch columns[i] {
				case meaning{"ours", "id"}:
					id = trialID(cell)
				case meaning{"ours", "state"}:
					state = cell
				case meaning{"ours", "outside"}:
					outside = strings.EqualFold(cell, "true")
				}
				if cell, there := cellOf(st, columns[i], cell); there && columns[i].kind != "ours" {
					fields = append(fields, field{columns[i], cell})
				}
			}
			if st.Fidelity.Early() && id != "" && id == before {
				return fmt.Errorf("another row of trial %s: a table with a row for each report is not read back; `bohier "+
					"export jsonl` has the curves", id)
			}
			before = id
			a, err := addedFromFields(st, fields)
			if a.ID, a.Line = id, line; err == nil {
				err = visit(a)
			}
			if err == nil || errors.Is(err, io.EOF) {
				return err
			}
			if len(wrong) == mostWrong {
				return errors.New("there are more rows like these")
			}
			err = ofAnotherSpace(outside, id, withoutResult(state, id, err))
			wrong = append(wrong, fmt.Sprintf("%d: %v", line, err))
			return nil
		}, err
	})
	switch {
	case errors.Is(err, io.EOF):
		return err
	case err != nil:
		wrong = append(wrong, fmt.Sprintf("%d: %v", line, err))
	}
	if len(wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(wrong, "\n  "))
}

// meaningsOf are those of columns. No two of them may have one; those without a meaning may be empty.
func meaningsOf(st *study.Study, names []string) (all []meaning, err error) {
	for i, name := range names {
		m := meaningOf(st, name, names)
		if k := slices.Index(all, m); k >= 0 && m.kind != "none" && err == nil {
			err = fmt.Errorf("the columns %q and %q mean the same; keep one of them", names[k], names[i])
		}
		all = append(all, m)
	}
	return all, err
}

// cellOf is a cell as the study writes its value; false for one that is missing. Spreadsheets
// write TRUE and keep the mark that a cell of ours is no formula, and databases fill with blanks.
func cellOf(st *study.Study, m meaning, cell string) (string, bool) {
	whole, note := cell, m == meaning{"fact", "note"}
	if !note {
		cell = strings.TrimSpace(cell)
	}
	if i, isParam := st.Space.Index(m.name); isParam && m.kind == "param" {
		for _, text := range []string{whole, cell, strings.ToLower(cell), strings.TrimPrefix(cell, "'")} {
			if _, err := st.Space.ParseValue(i, text); err == nil && text != "" {
				return text, true
			}
		}
	}
	if cell == "NaN" && m.kind == "value" {
		return cell, true // the measured values
	}
	return cell, cell != "" && (note || !exchange.IsMissing(cell))
}

// wholeID is the form of a trial's id with its tag, such as 7-k3f9; the id column of any other table says nothing here.
var wholeID = lazy.Regexp(`^[1-9][0-9]*-[0-9a-z]{4}$`)

func trialID(text string) string { return wholeID().FindString(text) }

// bookkeeping are the columns of `trials -o csv` that say nothing about a measurement; of studies with a fidelity
// those of the last two, too.
var bookkeeping = []string{"trial", "id", "state", "source", "suggested_at", "observed_at", "replicates", "outside",
	"leg", "start"}

// facts are the names of values that are reported with outcomes.
var facts = []string{"cost", "stderr", "duration", "fail", "note"}

// A meaning is the use of a named value: of kind param, value (an outcome or the resource), fact, stderr (of one
// objective), metric, ours (of bookkeeping), both (a parameter and an outcome) or none.
type meaning struct{ kind, name string }

type field struct {
	meaning
	value string
}

// meaningOf is the meaning of a name among others, perhaps in whole, such as param.NAME; beside no others only that of
// something measured. A name of a fact or of bookkeeping, or one in whole, is that unless a parameter or an outcome has
// it, too, and is not there in whole.
func meaningOf(st *study.Study, name string, among []string) meaning {
	name = space.Name(name)
	kind, rest, _ := strings.Cut(name, ".")
	outcomes, f, all := outcomeNames(st), &st.Fidelity, among != nil
	_, isParam := st.Space.Index(name)
	isParam = isParam && all
	isOutcome := slices.Contains(outcomes, name) || f.Names(name)
	alone := !isParam && !isOutcome || slices.Contains(among, "param."+name) || slices.Contains(among, "value."+name)
	legs := f.Early() || name != "leg" && name != "start"
	whole := kind == "value" && (slices.Contains(outcomes, rest) || f.Names(rest)) || kind == "metric" ||
		all && (kind == "param" || kind == "stderr" && st.Goal(rest) >= 0)
	switch {
	case all && alone && slices.Contains(facts, name):
		return meaning{"fact", name}
	case all && alone && legs && slices.Contains(bookkeeping, name):
		return meaning{"ours", name}
	case whole && alone:
		return meaning{kind, rest}
	case isParam && isOutcome:
		return meaning{"both", name}
	case isParam:
		return meaning{"param", name}
	case isOutcome:
		return meaning{"value", name}
	case all && f.Early() && name == "resource": // as trials -o csv has it
		return meaning{"value", f.Name}
	case kind == "value":
		name = rest
	}
	return meaning{"none", name}
}
