package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

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
			return nil, fmt.Errorf("a point of \"curve\" is two numbers, the %s and the value, not %s", f.Name, bytes.TrimSpace(text))
		}
		r := *pair[0]
		switch {
		case !(r > 0) || r > f.High():
			return nil, fmt.Errorf("\"curve\" has a value at %s %s, which must be above 0 and at most %s", f.Name, report.Number(r), report.Number(f.High()))
		case len(out) > 0 && r <= out[len(out)-1][0]:
			return nil, fmt.Errorf("\"curve\" must ascend: %s %s comes after %s", f.Name, report.Number(r), report.Number(out[len(out)-1][0]))
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
		t.Values, curve = map[string]float64{st.Objective().Name: last[1]}, curve[:len(curve)-1]
		if resource == 0 {
			resource = last[0]
		}
	}
	if resource > 0 {
		t.At = resource
	}
	for _, p := range curve {
		if p[0] != t.At && (t.At > 0 || p[0] != st.Fidelity.High()) {
			t.Points = append(t.Points, study.Point{Resource: p[0], Observation: study.Observation{Values: map[string]float64{st.Objective().Name: p[1]}}})
		}
	}
	return nil
}
