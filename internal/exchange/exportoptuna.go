package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// The operations of Optuna's journal that are written, by their numbers, and the directions.
const (
	opCreateStudy     = 0
	opStudyUserAttr   = 2
	opStudySystemAttr = 3
	opCreateTrial     = 4
)

// ours is what the names of attributes begin with that Optuna has no place for; the script
// finds them.
const ours = "bohier:"

var optunaDirections = []string{"", "minimize", "maximize"}

// ExportOptuna is the journal file of an Optuna study (JournalFileBackend) with the trials that
// have a result or failed. Values for which Optuna has no place are attributes whose names
// begin with "bohier:", from which Read restores them; file, the study file, is one of them.
// left lists what is lost nevertheless.
func ExportOptuna(st *study.Study, trials []study.Trial, file []byte) (out []byte, left []string, err error) {
	var b bytes.Buffer
	line := func(op int, fields map[string]any) {
		fields["op_code"], fields["worker_id"] = op, "bohier"
		text, e := json.Marshal(fields)
		if err == nil {
			err = e
		}
		b.Write(append(text, '\n'))
	}
	var directions []int
	var names []string
	for _, o := range st.Objectives {
		directions = append(directions, slices.Index(optunaDirections, o.Direction.String()))
		names = append(names, o.Name)
	}
	line(opCreateStudy, map[string]any{"study_name": cmp.Or(st.Name, "bohier"), "directions": directions})
	line(opStudyUserAttr, map[string]any{"study_id": 0, "user_attr": map[string]any{ours + "study": string(file)}})
	line(opStudySystemAttr, map[string]any{"study_id": 0, "system_attr": map[string]any{"study:metric_names": names}})
	var lost notes
	kinds := make([]string, st.Space.Len())
	for i := range st.Space.Params() {
		kind, note := optunaDistribution(st.Space, i)
		kinds[i] = kind
		if note != "" {
			lost.add(note, st.Space.Param(i).Name)
		}
	}
	left = lost.list("parameter")
	lost = notes{}
	for k := range trials {
		t := &trials[k]
		fields := map[string]any{"study_id": 0, "datetime_start": nil, "value": nil, "values": nil}
		if t.Suggested != "" {
			fields["datetime_start"] = t.Suggested
		}
		switch {
		case t.State != study.Complete && t.State != study.Failed:
			lost.add("left out, "+string(t.State), t.ID())
			continue
		case t.Outside || len(t.Config.Value) != st.Space.Len():
			lost.add("left out: of another space or context", t.ID())
			continue
		case t.State == study.Complete:
			var values []float64
			for _, name := range names {
				values = append(values, mean(t, name))
			}
			if fields["state"] = 1; len(values) == 1 {
				fields["value"] = values[0]
			} else {
				fields["values"] = values
			}
		default:
			fields["state"] = 3
		}
		if len(t.Replicates) > 0 {
			lost.add("measured several times, of which the mean is written", t.ID())
		}
		const none = "1970-01-01T00:00:00+00:00" // Optuna wants an end
		fields["datetime_complete"] = cmp.Or(t.ObservedAt, t.Suggested, none)
		params, distributions := map[string]float64{}, map[string]string{}
		for i, active := range t.Config.Active {
			if active {
				params[st.Space.Param(i).Name] = t.Config.Value[i]
				distributions[st.Space.Param(i).Name] = kinds[i]
			}
		}
		fields["params"], fields["distributions"], fields["user_attrs"] = params, distributions, attributes(st, t, len(names))
		fields["system_attrs"], fields["intermediate_values"] = map[string]any{}, map[string]any{}
		line(opCreateTrial, fields)
	}
	return b.Bytes(), append(left, lost.list("trial")...), err
}

// mean of all measurements of a trial.
func mean(t *study.Trial, name string) float64 {
	sum, n := t.Values.Of(name), 1.0
	for _, r := range t.Replicates {
		if v, ok := r.Values.Get(name); ok {
			sum += v
			n++
		}
	}
	return sum / n
}

// attributes are the metrics of a trial, and what else there is to keep of it.
// The first outcomes are the objectives.
func attributes(st *study.Study, t *study.Trial, objectives int) map[string]any {
	out := map[string]any{ours + "id": t.ID()}
	for name, v := range t.Metrics.All() {
		out[name] = v
	}
	for _, name := range st.Outcomes()[objectives:] {
		if v, ok := t.Values.Get(name); ok {
			out[ours+"value."+name] = v
		}
	}
	for name, v := range map[string]*float64{"cost": t.Cost, "stderr": t.Stderr, "duration": t.Duration} {
		if v != nil {
			out[ours+name] = *v
		}
	}
	for name, v := range t.Stderrs.All() {
		out[ours+"stderr."+name] = v
	}
	if t.Note != "" {
		out[ours+"note"] = t.Note
	}
	if t.Failure != "" {
		out[ours+"failure"] = string(t.Failure)
	}
	return out
}

// optunaDistribution is a parameter as Optuna writes its distribution, and what is lost.
func optunaDistribution(s *space.Space, i int) (text, lost string) {
	p := s.Param(i)
	attributes := map[string]any{}
	kind := "CategoricalDistribution"
	switch {
	case p.Choice() || p.Kind == space.Constant:
		choices := []json.RawMessage{}
		for k := range max(1, len(p.Values)) {
			value := json.RawMessage(s.AppendValue(nil, i, float64(k)))
			if p.Literal(k) == space.Structure { // Optuna takes simple values only
				value, _ = json.Marshal(string(value))
				lost = "with lists or mappings as values, written as texts"
			}
			choices = append(choices, value)
		}
		attributes["choices"] = choices
	default:
		kind = map[space.Kind]string{space.Int: "IntDistribution", space.Float: "FloatDistribution"}[p.Kind]
		attributes["low"], attributes["high"], attributes["log"] = p.Low, p.High, p.Scale == space.Log
		attributes["step"] = nil
		if p.Kind == space.Int {
			attributes["step"] = 1
		}
		switch {
		case p.Step > 0 && p.Scale == space.Log:
			lost = "without their step: Optuna has none on a log scale"
		case p.Step > 0:
			attributes["step"] = p.Step
		case p.Scale == space.Logit || p.Scale == space.ReverseLog:
			lost = "on a linear scale"
		}
	}
	out, err := json.Marshal(map[string]any{"name": kind, "attributes": attributes})
	if err != nil {
		return "", fmt.Sprint(err)
	}
	return string(out), lost
}
