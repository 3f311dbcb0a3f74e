package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"bohier/internal/study"
)

// A headLine is the first line that a script prints: what is known of the study.
type headLine struct {
	Tool       string              `json:"import"`
	Study      string              `json:"study"`
	Objectives []Objective         `json:"objectives"`
	Space      json.RawMessage     `json:"space"` // an object, or the text of a file
	File       string              `json:"file"`  // a study file of ours
	Budget     int                 `json:"budget"`
	Command    []string            `json:"command"`
	Instances  []string            `json:"instances"`
	Failed     []trialLine         `json:"failed"`
	Without    map[string][]string `json:"without"` // a result: names of trials by state
	Notes      []string            `json:"notes"`
	SpaceNotes []string            `json:"space_notes"`
}

// A trialLine is a trial in the form that `bohier add --json` reads.
type trialLine struct {
	Key      string              `json:"key"`
	Params   json.RawMessage     `json:"params"`
	Values   map[string]*float64 `json:"values"`
	Cost     *float64            `json:"cost"`
	Stderr   json.RawMessage     `json:"stderr"` // a number, or an object of numbers
	Duration *float64            `json:"duration"`
	Note     string              `json:"note"`
	Metrics  map[string]any      `json:"metrics"`
}

// IsLines reports whether data is what a script printed.
func IsLines(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte(`{"import":`)) }

// ToolOf is the tool whose script printed data.
func ToolOf(data []byte) string {
	var head headLine
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	_ = decode(first, &head) // Read tells what is wrong with it
	return head.Tool
}

// readLines reads what a script printed.
func readLines(in Input, o Options, tool string) (*Study, error) {
	first, rest, _ := bytes.Cut(bytes.TrimSpace(in.Data), []byte("\n"))
	var head headLine
	if err := decode(first, &head); err != nil {
		return nil, unreadable(in, "", "line 1: %v", err)
	}
	if head.Tool != tool {
		return nil, unreadable(in, "name it "+head.Tool+":"+in.Name, "this is a study of %s, not of %s", head.Tool, tool)
	}
	if o.Study != "" && o.Study != head.Study {
		return nil, unreadable(in, fmt.Sprintf("its study: %q", head.Study), "there is no study %q in it", o.Study)
	}
	st := &Study{Name: head.Study, Objectives: head.Objectives, Form: head.Tool, Space: head.Space,
		File: []byte(head.File), Budget: head.Budget,
		Command: head.Command, Instances: head.Instances, Notes: head.Notes, SpaceNotes: head.SpaceNotes}
	var text string
	if json.Unmarshal(head.Space, &text) == nil {
		st.Space = []byte(text)
	}
	if head.File == "" {
		st.File = nil
	}
	for n, line := range bytes.Split(rest, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var l trialLine
		err := decode(line, &l)
		if err == nil {
			err = st.addLine(l, study.Complete)
		}
		if err != nil {
			return nil, unreadable(in, "", "line %d: %v", n+2, err)
		}
	}
	for _, l := range head.Failed {
		if err := st.addLine(l, study.Failed); err != nil {
			return nil, unreadable(in, "", "line 1: %v", err)
		}
	}
	for _, state := range sortedKeys(head.Without) {
		for _, name := range head.Without[state] {
			st.Trials = append(st.Trials, Trial{Name: name, State: study.Pending, Why: state})
		}
	}
	return st, nil
}

// addLine adds a trial. Its name is the last part of its key.
func (s *Study) addLine(l trialLine, state study.State) error {
	t := Trial{Name: l.Key[strings.LastIndex(l.Key, ":")+1:], State: state, Cost: l.Cost, Duration: l.Duration,
		Note: l.Note}
	names, values, err := members(l.Params)
	if err != nil {
		return fmt.Errorf("params: %w", err)
	}
	for _, name := range names {
		t.Params = append(t.Params, Value{Name: name, JSON: values[name]})
	}
	for _, o := range s.Objectives {
		if v, ok := l.Values[o.Name]; ok {
			t.Scores = append(t.Scores, orNaN(v))
			delete(l.Values, o.Name)
		}
	}
	for name, v := range l.Values {
		if t.Values == nil {
			t.Values = map[string]float64{}
		}
		t.Values[name] = orNaN(v)
	}
	if len(l.Stderr) > 0 && json.Unmarshal(l.Stderr, &t.Stderr) != nil {
		if err := json.Unmarshal(l.Stderr, &t.Stderrs); err != nil {
			return fmt.Errorf("stderr: %w", err)
		}
	}
	for name, v := range l.Metrics {
		t.measured(name, v)
	}
	s.Trials = append(s.Trials, t)
	return nil
}

// members are the names of a JSON object in its order, and its values.
func members(object json.RawMessage) (names []string, values map[string]json.RawMessage, err error) {
	if err := json.Unmarshal(object, &values); err != nil {
		return nil, nil, err
	}
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, err
		}
		names = append(names, fmt.Sprint(name))
	}
	return names, values, nil
}
