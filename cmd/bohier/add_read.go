package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bohier/internal/execute"
	"bohier/internal/jsonscan"
	"bohier/internal/lists"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// addedFromJSON reads one object a line; an error begins with its line, except io.EOF.
func addedFromJSON(st *study.Study, data []byte, visit func(study.Addition) error) error {
	n := 0
	for line := range bytes.Lines(data) {
		if n++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		a, err := addedFromLine(st, line)
		if a.Line = n; err == nil {
			err = visit(a)
		}
		if errors.Is(err, io.EOF) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%d: %w", n, err)
		}
	}
	return nil
}

// addedFromLine reads an object with a configuration, under "params", and its results.
func addedFromLine(st *study.Study, line []byte) (a study.Addition, err error) {
	early := st.Fidelity.Early()
	inJSON := []string{"params", "replicates", "curve"}
	if !early {
		inJSON = inJSON[:2]
	}
	object, err := readAddition(line, inJSON)
	if err != nil {
		return a, err
	}
	id, _ := object["id"].(string)
	id = trialID(id)
	params, _ := object["params"].(json.RawMessage)
	if params == nil {
		return a, fmt.Errorf(`"params" is missing`)
	}
	c, err := st.Space.ParseJSON(params)
	rule, err := space.Broken(err)
	if err != nil {
		return a, ofAnotherSpace(object["outside"] == true, id, err)
	}
	state, _ := object["state"].(string)
	if !early && id != "" && (state == string(study.Paused) || state == string(study.Stopped)) {
		return a, fmt.Errorf("trial %s is %s, with the value of a part of the full resource, and the study has no "+
			"fidelity; `bohier trials --state complete` lists trials with all of it", id, state)
	}
	again, _ := object["replicates"].(json.RawMessage)
	ours := object["schema"] == report.TrialSchema
	key, _ := object["key"].(string)
	curve, _ := object["curve"].(json.RawMessage)
	resource, _ := object["resource"].(json.Number)
	skip := []string{"params", "key", "replicates"}
	if id != "" {
		skip = append(skip, "id")
	}
	if early {
		skip = append(skip, "resource", "curve", "leg", "start", "verdict")
	}
	for _, name := range skip {
		delete(object, name)
	}
	t, err := execute.ResultOf(st, object)
	if early {
		points, wrong := readCurve(st, curve)
		if wrong != nil {
			return a, wrong
		}
		at, _ := execute.ParseNumber(resource.String()) // 0 of none
		err = addCurve(st, &t, points, at, err)
	}
	if err != nil {
		return a, withoutResult(state, id, err)
	}
	t.Key = key
	a = study.Addition{Config: c, Report: t, ID: id, Rule: rule}
	if ours {
		a.Replicates, err = readReplicates(st, again)
	}
	return a, err
}

// readAddition reads the members of a line; those in inJSON stay JSON.
func readAddition(line []byte, inJSON []string) (map[string]any, error) {
	object, err := execute.Object(line, inJSON...)
	_, key := object["key"].(string)
	_, resource := object["resource"].(json.Number)
	switch {
	case err != nil && !errors.Is(err, execute.ErrTwice):
		err = fmt.Errorf("write one JSON object a line, as -o jsonl does: %w", err)
	case object["key"] != nil && !key, object["resource"] != nil && !resource:
		err = cmp.Or(err, errors.New(`"key" is a text, and "resource" a number`))
	}
	return object, err
}

// readReplicates reads the further measurements of a trial of ours.
func readReplicates(st *study.Study, list json.RawMessage) ([]study.Observation, error) {
	var objects []json.RawMessage
	if err := json.Unmarshal(list, &objects); len(list) > 0 && err != nil {
		return nil, errors.New(`"replicates" is a list of objects`)
	}
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
	return fmt.Errorf("trial %s is %s and has no value; `bohier trials --state complete` lists trials with one", id,
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

// addedFromFields reads parameters and measured values.
func addedFromFields(st *study.Study, fields []field) (a study.Addition, err error) {
	params := []string{}
	result, metrics, err := readFields(st, fields, &params)
	if err != nil {
		return a, err
	}
	if a.Report, err = execute.ResultOf(st, result); err != nil {
		return study.Addition{}, err
	}
	a.Metrics = a.Metrics.With(metrics)
	values, err := st.Space.ParseAssignments(params)
	if err != nil {
		return study.Addition{}, err
	}
	a.Config, err = st.Space.Given(values)
	a.Rule, err = space.Broken(err)
	return a, err
}

// readFields reads values to an object that execute.ResultOf takes, outcomes, the resource and facts, and to metrics;
// where params is there also the NAME=VALUE of parameters.
func readFields(st *study.Study, fields []field, params *[]string) (result map[string]any, metrics study.Metrics,
	err error) {
	result = map[string]any{}
	errs := map[string]any{}
	for _, f := range fields {
		_, twice := result[f.name]
		switch f.kind {
		case "stderr":
			_, one := result["stderr"].(string)
			_, again := errs[f.name]
			twice = one || again
		case "metric":
			_, twice = metrics.Get(f.name)
		}
		switch {
		case f.kind == "both":
			return nil, nil, usage("", "%s is a parameter and an outcome; write param.%s or value.%s", f.name, f.name, f.name)
		case f.kind == "param":
			*params = append(*params, f.name+"="+f.value)
		case twice:
			return nil, nil, usage("", "%s is given twice", f.name)
		case f.kind == "value", f.kind == "fact":
			result[f.name] = f.value
		case f.kind == "stderr":
			errs[f.name], result["stderr"] = f.value, errs
		case f.kind == "metric":
			metrics.Set(f.name, execute.ParseMetric(f.value))
		case params == nil:
			known := strings.Join(lists.Of(outcomeNames(st), study.ShellWord), ", ")
			return nil, nil, usage(fmt.Sprintf("outcomes of this study: %s; to keep it as a metric: --metric %s=%s", known,
				f.name, f.value), "the study measures no %q", f.name)
		default:
			_, err := st.Space.Lookup(f.name)
			return nil, nil, usage("", "%v; a metric is written metric.%s", err, f.name)
		}
	}
	return result, metrics, nil
}

// readCurve reads pairs of a resource and a value, in ascending order of the resource.
func readCurve(st *study.Study, data json.RawMessage) (out []study.Point, err error) {
	f, name := &st.Fidelity, st.Objective().Name
	if len(data) == 0 || string(data) == "null" {
		return nil, nil
	}
	var points [][]byte
	list := jsonscan.Scanner{B: data}
	if list.Array(func() { points = append(points, list.Value(1)) }); list.Err != nil {
		return nil, fmt.Errorf("\"curve\" is a list such as [[%v, 0.5], [%v, 0.3]], not %s", f.Low(), f.High(), data)
	}
	before := 0.0
	for _, text := range points {
		var pair []float64
		point := jsonscan.Scanner{B: text}
		if point.Array(func() { pair = append(pair, point.Float()) }); point.Err != nil || len(pair) != 2 {
			return nil, fmt.Errorf("a point of \"curve\" is two numbers, the %s and the value, not %s", f.Name,
				bytes.TrimSpace(text))
		}
		switch r := pair[0]; {
		case !(r > 0) || r > f.High():
			return nil, fmt.Errorf("\"curve\" has a value at %s %s, which must be above 0 and at most %s", f.Name,
				report.Number(r), report.Number(f.High()))
		case r <= before:
			return nil, fmt.Errorf("\"curve\" must ascend: %s %s comes after %s", f.Name, report.Number(r),
				report.Number(before))
		}
		before = pair[0]
		out = append(out, study.Point{Resource: before,
			Observation: study.Observation{Values: study.Values{{Name: name, Value: pair[1]}}}})
	}
	return out, nil
}

// addCurve gives an addition the values of its curve; missing means that it has no other value.
func addCurve(st *study.Study, t *study.Report, curve []study.Point, resource float64, missing error) error {
	if missing != nil {
		if len(curve) == 0 || t.Failure != "" || st.Fidelity.Averaged() {
			return missing
		}
		last := curve[len(curve)-1]
		t.Values, curve = last.Values, curve[:len(curve)-1]
		resource = cmp.Or(resource, last.Resource)
	}
	if resource > 0 {
		t.At = resource
	}
	t.Points = slices.DeleteFunc(curve, func(p study.Point) bool {
		return p.Resource == t.At || t.At == 0 && p.Resource == st.Fidelity.High()
	})
	return nil
}
