package execute

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// ParseResult reads a report about a trial: the objective's value alone, or a JSON object holding the measured outcomes
// by name, at its top or under "values", and perhaps "cost" (or the study's name for it), "stderr", "duration" in
// seconds, "note" and "fail": "infeasible" or "transient". Other numbers, texts and booleans, at its top, under
// "values" or under "metrics", are metrics; lists, mappings and null are left alone. A value may be NaN or infinite,
// also as Python writes them in JSON; the record decides on it.
func ParseResult(st *study.Study, text string) (study.Report, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark))
	switch v, wrong := Reported(text); {
	case wrong == nil:
		name, err := st.Unnamed("", text)
		return study.Report{Observation: study.Observation{Values: study.Values{{Name: name, Value: v}}}}, err
	case errors.Is(wrong, errTooLarge):
		return study.Report{}, fmt.Errorf("%s is %w", text, wrong)
	}
	object, err := Object([]byte(text))
	switch {
	case errors.Is(err, ErrTwice):
		return study.Report{}, err
	case err != nil:
		return study.Report{}, fmt.Errorf("neither a number nor a JSON object: %s", clip(text))
	}
	return ResultOf(st, object)
}

// ours are the members of the program's own trial objects that measure nothing;
// where one is read back (`bohier trials -o jsonl`), they are no metrics.
var ours = []string{"schema", "trial", "id", "state", "waiting", "failure", "rank", "source", "by", "probability_best",
	"key", "worker",
	"suggested_at", "observed_at", "resource", "leg", "start", "verdict"}

// ResultOf is ParseResult of the members of an object (Object).
func ResultOf(st *study.Study, object map[string]any) (t study.Report, err error) {
	if schema, _ := object["schema"].(string); strings.HasPrefix(schema, "bohier/") {
		object = maps.Clone(object)
		for _, name := range ours {
			delete(object, name)
		}
	}
	m := members{top: object}
	m.nested, _ = object["values"].(map[string]any)
	outcomes := st.Outcomes()
	for _, resource := range st.Fidelity.Resources() { // first: it may have the name of another member, as duration
		if v := m.read(resource); v != nil {
			t.At = *v
		}
		if t.Final = object["final"] == "true" || object["final"] == true; t.Final {
			m.known = append(m.known, "final")
		}
	}
	for _, name := range outcomes {
		if v := m.read(name); v != nil {
			t.Values.Set(name, *v)
		}
	}
	costs := []string{"cost"}
	if st.Cost != nil && st.Cost.Name != "cost" {
		costs = append(costs, st.Cost.Name)
	}
	for _, name := range costs {
		if t.Cost == nil && !slices.Contains(outcomes, name) {
			t.Cost = m.read(name)
		}
	}
	if !slices.Contains(outcomes, "stderr") {
		if each, ok := object["stderr"].(map[string]any); ok {
			m.known = append(m.known, "stderr")
			m.err = cmp.Or(m.err, Stderrs(st, each, &t.Observation))
		} else if v := m.read("stderr"); v != nil {
			name, err := st.Unnamed("stderr ", fmt.Sprint(*v))
			m.err = cmp.Or(m.err, err)
			st.SetError(&t.Observation, name, *v)
		}
	}
	if !slices.Contains(outcomes, "duration") {
		t.Duration = m.read("duration")
	}
	if m.err != nil {
		return study.Report{}, m.err
	}
	switch note := m.said("note").(type) {
	case string, map[string]any, []any: // JSON is a remark, too
		t.Note, m.known = inJSON(note), append(m.known, "note")
	}
	metrics, _ := object["metrics"].(map[string]any)
	t.Metrics = collectMetrics(append(m.known, "fail"), object, m.nested, metrics)
	if fail := m.said("fail"); fail != nil && fail != false {
		if t.Failure = study.Failure(fmt.Sprint(fail)); t.Failure != study.Infeasible && t.Failure != study.Transient {
			return study.Report{}, fmt.Errorf(`"fail" is "infeasible" or "transient", not %s`, clipped(fail))
		}
		return t, nil
	}
	for _, ob := range st.Objectives {
		if _, ok := t.Values.Get(ob.Name); !ok {
			keys, lost := slices.Sorted(maps.Keys(object)), deeper(object, ob.Name)
			return t, missingError{fmt.Sprintf("no value for the objective %s; %s", ob.Name, listed(keys)+lost)}
		}
	}
	return t, nil
}

// members are those of a reported object while they are read: known have a meaning, and are no metrics.
type members struct {
	top, nested map[string]any
	known       []string
	err         error
}

// read is the number of a name; nil where there is none, or after a mistake.
func (m *members) read(name string) *float64 {
	m.known = append(m.known, name)
	raw, within := m.nested[name]
	if v, ok := m.top[name]; ok {
		if raw = v; within && m.err == nil {
			m.err = fmt.Errorf("%s is given twice, at the top and under \"values\"", clip(name))
		}
	}
	if raw == nil || m.err != nil {
		return nil
	}
	v, wrong := number(raw)
	if wrong != nil {
		m.err = fmt.Errorf("%s is %w: %s%s", name, wrong, clipped(raw), deeper(map[string]any{name: raw}, name))
	}
	return &v
}

// said is the value of a name that was not read as a number of the study.
func (m *members) said(name string) any {
	if slices.Contains(m.known, name) {
		return nil
	}
	return m.top[name]
}

// missingError is a report that lacks an objective, and has nothing else wrong with it.
type missingError struct{ text string }

func (e missingError) Error() string { return e.text }

// Lacks reports whether an error of ParseResult is that a value is missing: the report beside it has the others.
func Lacks(err error) bool {
	_, lacks := errors.AsType[missingError](err)
	return lacks
}

// Stderrs reads the standard errors of objectives by name. The error describes the mistake in one.
func Stderrs(st *study.Study, object map[string]any, into *study.Observation) error {
	for name, raw := range object {
		v, err := number(raw)
		if err != nil || !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("the stderr of %s must be a number that is not negative, not %s", name, clipped(raw))
		}
		if st.Goal(name) < 0 {
			return fmt.Errorf("the study has no objective %s to have a stderr; objectives: %s", clip(name),
				strings.Join(st.Goals(), ", "))
		}
		st.SetError(into, name, v)
	}
	return nil
}

// ResultExample is a JSON object with a value of every objective.
func ResultExample(st *study.Study) string {
	var parts []string
	for k, ob := range st.Objectives {
		parts = append(parts, fmt.Sprintf("%q: %v", ob.Name, []float64{0.42, 20}[k%2]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// collectMetrics returns the members of the objects that can be metrics, except names that are known in all
// but the last; nil if there are none.
func collectMetrics(known []string, objects ...map[string]any) study.Metrics {
	m := map[string]any{}
	for k, object := range objects {
		for name, raw := range object {
			if k < len(objects)-1 && slices.Contains(known, name) {
				continue
			}
			var v any
			switch raw := raw.(type) {
			case json.Number:
				v = ParseMetric(raw.String())
			case string:
				v = raw
			case bool:
				v = strconv.FormatBool(raw)
			default:
				continue
			}
			m[name] = v
		}
	}
	return study.NamedOf(m)
}

// ParseMetric reads the value of a metric: a finite number, or else a text.
func ParseMetric(text string) any {
	if v, ok := ParseNumber(text); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return v
	}
	return text
}

// number reads a JSON number, or a number in a text.
func number(raw any) (float64, error) {
	switch v := raw.(type) {
	case json.Number:
		return Reported(v.String())
	case string:
		return Reported(v)
	}
	return Reported("")
}

// clipped is a reported value for a message: a text in quotes, anything else as JSON.
func clipped(v any) string {
	switch v.(type) {
	case map[string]any, []any:
		return study.Clip(inJSON(v), mostQuoted)
	}
	return clip(inJSON(v))
}

// clip shortens the text that a message quotes.
func clip(text string) string { return strconv.Quote(study.Clip(text, mostQuoted)) }

// mostQuoted is the number of characters that a message quotes.
const mostQuoted = 80

// listed names the members of an object.
func listed(names []string) string {
	if len(names) == 0 {
		return "no outcome is given"
	}
	return "its names: " + space.Listed(names)
}

// ParseResults is ParseResult, also for several lines with an object each: the last is the report, the
// others are points before it, at resources of their own.
func ParseResults(st *study.Study, text string) (study.Report, error) {
	lines := lists.Some(strings.Split(text, "\n"), func(line string) (string, bool) {
		line = strings.TrimSpace(line)
		return line, line != ""
	})
	if len(lines) < 2 || !strings.HasSuffix(lines[0], "}") {
		return ParseResult(st, text)
	}
	var points []study.Point
	last := len(lines) - 1
	for k, line := range lines[:last] {
		t, err := ParseResult(st, line)
		if err != nil {
			return t, fmt.Errorf("line %d: %w", k+1, err)
		}
		if t.At == 0 || t.Failure != "" {
			return t, fmt.Errorf("line %d has no value at a resource, and only the last of several objects may lack it", k+1)
		}
		points = append(points, study.Point{Resource: t.At, Observation: t.Observation})
	}
	t, err := ParseResult(st, lines[last])
	if err != nil {
		return t, fmt.Errorf("line %d: %w", len(lines), err)
	}
	t.Points = points
	return t, nil
}
