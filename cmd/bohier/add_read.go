package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/exchange"
	"bohier/internal/execute"
	"bohier/internal/lazy"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// addedFromJSON reads one object a line; it returns the line an error is about.
func addedFromJSON(st *study.Study, data []byte, visit func(runner.Added) error) (int, error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		object, err := readAddition(lines.Bytes())
		if err != nil {
			return n, fmt.Errorf("write one JSON object a line, as -o jsonl does: %w", err)
		}
		if object.Params == nil {
			return n, fmt.Errorf(`"params" is missing`)
		}
		text, _ := object.ID.(string)
		id := trialID(text)
		c, err := st.Space.ParseJSON(object.Params)
		if err != nil {
			return n, ofAnotherSpace(object.Outside == true, id, err)
		}
		skip := []string{"params", "key"}
		if id != "" {
			skip = append(skip, "id")
		}
		if st.Fidelity.Early() {
			skip = append(skip, "resource", "curve", "leg", "start", "verdict")
		}
		state, _ := object.State.(string)
		if !st.Fidelity.Early() && id != "" && (state == string(study.Paused) || state == string(study.Stopped)) {
			return n, fmt.Errorf("trial %s is %s, with the value of a part of the full resource, and the study has no "+
				"fidelity; `bohier trials --state complete` lists those that have all of it", id, state)
		}
		t, err := execute.ParseResult(st, lines.Text(), skip...)
		if st.Fidelity.Early() {
			curve, wrong := readCurve(&st.Fidelity, object.Curve)
			if wrong != nil {
				return n, wrong
			}
			err = addCurve(st, &t, curve, object.Resource, err)
		}
		if err != nil {
			return n, withoutResult(state, id, err)
		}
		t.Key = object.Key
		a := runner.Added{Config: c, Tell: t, ID: id}
		if object.Schema == report.TrialSchema {
			if a.Replicates, err = readReplicates(st, object.Replicates); err != nil {
				return n, err
			}
		}
		if err := visit(a); err != nil {
			return n, err
		}
	}
	return n + 1, lines.Err()
}

// An addition is what a line says beside a result.
type addition struct {
	Params json.RawMessage `json:"params"`
	Key    string          `json:"key"`
	ID     any             `json:"id"`
	State  any             `json:"state"`

	Outside    any               `json:"outside"`
	Schema     any               `json:"schema"`
	Replicates []json.RawMessage `json:"replicates"` // of an object of ours

	Curve    json.RawMessage `json:"curve"` // of a study with a fidelity
	Resource float64         `json:"resource"`
}

// readAddition decodes the members that a line has, and of one with a mistake all: then the error
// names it. The result aliases the line.
func readAddition(line []byte) (a addition, err error) {
	wrong := execute.Members(line, func(name string, value []byte) {
		var to any
		switch name {
		case "params":
			a.Params = value
		case "curve":
			a.Curve = value
		case "key":
			to = &a.Key
		case "id":
			to = &a.ID
		case "state":
			to = &a.State
		case "outside":
			to = &a.Outside
		case "schema":
			to = &a.Schema
		case "replicates":
			to = &a.Replicates
		case "resource":
			to = &a.Resource
		}
		if to != nil && value != nil {
			err = cmp.Or(err, json.Unmarshal(value, to))
		}
	})
	if wrong != nil || err != nil {
		a = addition{}
		err = execute.Decode(line, &a)
	}
	return a, err
}

// addedFromCSV reads rows under a heading; it returns the line an error is about.
func addedFromCSV(st *study.Study, data []byte, visit func(runner.Added) error) (int, error) {
	table, line, err := exchange.ReadTable(data)
	if err != nil {
		return line, err
	}
	before := "" // the id of the row above
	for _, row := range table.Rows {
		line := row.Line
		var fields [][2]string
		id, state, outside := "", "", false
		for i, cell := range row.Cells {
			name := table.Head[i]
			switch name {
			case "id":
				id = trialID(cell)
			case "state":
				state = cell
			case "outside":
				outside = strings.EqualFold(cell, "true")
			}
			if cell, there := cellOf(st, name, cell); there && !slices.Contains(bookkeeping, name) {
				fields = append(fields, [2]string{name, cell})
			}
		}
		if st.Fidelity.Early() && id != "" && id == before {
			return line, fmt.Errorf("another row of trial %s: a table with a row for each report is not read back; `bohier "+
				"export jsonl` has the curves", id)
		}
		before = id
		a, err := addedFromFields(st, fields)
		if a.ID = id; err == nil {
			err = visit(a)
		}
		if err != nil {
			return line, ofAnotherSpace(outside, id, withoutResult(state, id, err))
		}
	}
	return 0, nil
}

// cellOf is a cell as the study writes its value; false for one that is missing. Spreadsheets
// write TRUE, and keep the mark that a cell of ours is no formula.
func cellOf(st *study.Study, name, cell string) (string, bool) {
	i, isParam := st.Space.Index(strings.TrimPrefix(name, "param."))
	if isParam {
		for _, text := range []string{cell, strings.ToLower(cell), strings.TrimPrefix(cell, "'")} {
			if _, err := st.Space.ParseValue(i, text); err == nil && text != "" {
				return text, true
			}
		}
	}
	if cell == "NaN" && slices.Contains(outcomeNames(st), strings.TrimPrefix(name, "value.")) {
		return cell, true // what was measured
	}
	return cell, cell != "" && (name == "note" || !exchange.IsMissing(cell))
}

// readReplicates reads the further measurements of a trial of ours.
func readReplicates(st *study.Study, objects []json.RawMessage) ([]study.Observation, error) {
	var out []study.Observation
	for _, text := range objects {
		t, err := execute.ParseResult(st, string(text))
		if err != nil {
			return nil, fmt.Errorf("a further measurement: %w", err)
		}
		out = append(out, t.Observation)
	}
	return out, nil
}

// withoutResult is the error of a trial that cannot be added: where it is one of a
// study and has no value yet, or failed, that is the reason.
func withoutResult(state, id string, err error) error {
	if id == "" || !slices.Contains([]string{"pending", "failed", "abandoned"}, state) {
		return err
	}
	return fmt.Errorf("trial %s is %s and has no value; `bohier trials --state complete` lists those that have one", id,
		state)
}

// ofAnotherSpace is the error of a trial that was exported as one that did not fit its study.
func ofAnotherSpace(outside bool, id string, err error) error {
	if !outside || id == "" {
		return err
	}
	return fmt.Errorf("trial %s was made under another space; leave it out, or add it with the study file of then: %w",
		id, err)
}

// wholeID is the form of a trial's id with its tag, such as 7-k3f9; the id column of
// any other table says nothing here.
var wholeID = lazy.Regexp(`^[1-9][0-9]*-[0-9a-z]{4}$`)

func trialID(text string) string { return wholeID().FindString(text) }

// bookkeeping are the columns of `trials -o csv` that say nothing about a
// measurement.
var bookkeeping = []string{"trial", "id", "state", "source", "suggested_at", "observed_at", "replicates", "outside"}

// addedFromFields reads names with values: parameters, outcomes, cost, stderr,
// duration, fail, note and metrics.
func addedFromFields(st *study.Study, fields [][2]string) (runner.Added, error) {
	var params []string
	result := map[string]string{}
	metrics := study.Metrics{}
	for _, f := range fields {
		name, value := space.Name(f[0]), f[1]
		_, isParam := st.Space.Index(name)
		if st.Fidelity.Early() && !isParam && slices.Contains([]string{"leg", "start"}, name) { // of trials -o csv
			continue
		}
		if st.Fidelity.Early() && !isParam && name == "resource" {
			name = st.Fidelity.Name
		}
		isOutcome := slices.Contains(outcomeNames(st), name) ||
			slices.Contains([]string{"cost", "stderr", "duration", "fail", "note"}, name)
		if p, ok := strings.CutPrefix(name, "param."); ok && !isParam {
			name, isParam = p, true
		} else if v, ok := strings.CutPrefix(name, "value."); ok && !isParam && !isOutcome {
			name, isOutcome = v, slices.Contains(outcomeNames(st), v)
		}
		if st.Fidelity.Names(name) {
			isOutcome = true
		}
		metric, isMetric := strings.CutPrefix(name, "metric.")
		switch {
		case isParam && isOutcome:
			return runner.Added{}, fmt.Errorf("%s is a parameter and an outcome; write param.%s or value.%s", name, name, name)
		case isParam:
			params = append(params, name+"="+value)
		case isOutcome:
			if _, twice := result[name]; twice {
				return runner.Added{}, fmt.Errorf("%s is given twice", name)
			}
			result[name] = value
		case isMetric:
			metrics.Set(metric, execute.ParseMetric(value))
		default:
			_, err := st.Space.Lookup(name)
			return runner.Added{}, fmt.Errorf("%w; a metric is written metric.%s", err, name)
		}
	}
	object, err := json.Marshal(result)
	if err != nil {
		return runner.Added{}, err
	}
	t, err := execute.ParseResult(st, string(object))
	if err != nil {
		return runner.Added{}, err
	}
	t.Metrics = t.Metrics.With(metrics)
	values, err := st.Space.ParseAssignments(params)
	if err != nil {
		return runner.Added{}, err
	}
	c, err := st.Space.Given(values)
	return runner.Added{Config: c, Tell: t}, err
}

// readCurve reads pairs of a resource and a value, in ascending order of the resource. A
// null in place of a number would be read as 0 by the decoder alone.
func readCurve(f *study.Fidelity, data json.RawMessage) ([][2]float64, error) {
	if len(data) == 0 || string(data) == "null" {
		return nil, nil
	}
	var points []json.RawMessage
	if err := json.Unmarshal(data, &points); err != nil {
		return nil, fmt.Errorf("\"curve\" is a list such as [[%v, 0.5], [%v, 0.3]], not %s", f.Low(), f.High(), data)
	}
	var out [][2]float64
	for _, text := range points {
		var pair []*float64
		if err := json.Unmarshal(text, &pair); err != nil || len(pair) != 2 || pair[0] == nil || pair[1] == nil {
			return nil, fmt.Errorf("a point of \"curve\" is two numbers, the %s and the value, not %s", f.Name,
				bytes.TrimSpace(text))
		}
		r := *pair[0]
		switch {
		case !(r > 0) || r > f.High():
			return nil, fmt.Errorf("\"curve\" has a value at %s %s, which must be above 0 and at most %s", f.Name,
				report.Number(r), report.Number(f.High()))
		case len(out) > 0 && r <= out[len(out)-1][0]:
			return nil, fmt.Errorf("\"curve\" must ascend: %s %s comes after %s", f.Name, report.Number(r),
				report.Number(out[len(out)-1][0]))
		}
		out = append(out, [2]float64{r, *pair[1]})
	}
	return out, nil
}

// addCurve gives an addition the values of its curve; missing says that it has no
// value but those.
func addCurve(st *study.Study, t *runner.Tell, curve [][2]float64, resource float64, missing error) error {
	if missing != nil {
		if len(curve) == 0 || t.Failure != "" || st.Fidelity.Averaged() {
			return missing
		}
		last := curve[len(curve)-1]
		t.Values, curve = study.Values{{Name: st.Objective().Name, Value: last[1]}}, curve[:len(curve)-1]
		if resource == 0 {
			resource = last[0]
		}
	}
	if resource > 0 {
		t.At = resource
	}
	for _, p := range curve {
		if p[0] != t.At && (t.At > 0 || p[0] != st.Fidelity.High()) {
			t.Points = append(t.Points, study.Point{Resource: p[0],
				Observation: study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: p[1]}}}})
		}
	}
	return nil
}
