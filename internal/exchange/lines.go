package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/jsonscan"
	"bohier/internal/study"
)

// A Trial is a measurement, or the lack of one, as a script prints it.
type Trial struct {
	Name     string              `json:"name"`     // of the trial in its source
	State    study.State         `json:"state"`    // complete, failed, or pending for anything without a result
	Why      string              `json:"why"`      // the source's word for that state
	Values   map[string]*float64 `json:"values"`   // of objectives and other outcomes
	Metrics  map[string]any      `json:"metrics"`  // perhaps nested
	Duration *float64            `json:"duration"` // seconds
	Params   []Value             `json:"-"`
	Stderr   *float64            `json:"-"`
	Stderrs  study.Values        `json:"-"` // of several objectives
}

// A Value is one named value; null is no value, or the value null.
type Value struct {
	Name string
	JSON []byte
}

// IsLines reports whether data is the output of a script.
func IsLines(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte(`{"import":`)) }

// readLines reads the output of a tool's script about a study; an empty tool or name stands for any.
func readLines(in Input, tool, name string) (*Study, error) {
	first, rest, _ := bytes.Cut(bytes.TrimSpace(in.Data), []byte("\n"))
	st := &Study{}
	if err := decode(first, st); err != nil {
		return nil, unreadable(in, "", "line 1: %v", err)
	}
	if !slices.Contains(Spaces, st.Tool) {
		return nil, unreadable(in, "tools: "+strings.Join(Tools, ", "), "%q is not a tool whose trials can be read", st.Tool)
	}
	if tool != "" && st.Tool != tool {
		return nil, unreadable(in, "name it "+st.Tool+":"+in.Name, "this is a study of %s, not of %s", st.Tool, tool)
	}
	if name != "" && name != st.Name {
		return nil, unreadable(in, fmt.Sprintf("its study: %q", st.Name), "there is no study %q in it", name)
	}
	st.Form = cmp.Or(st.Form, st.Tool)
	var text string
	if json.Unmarshal(st.Space, &text) == nil {
		st.Space = []byte(text)
	}
	for n, line := range bytes.Split(rest, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		t, err := st.trialOf(line)
		if err != nil {
			return nil, unreadable(in, "", "line %d: %v", n+2, err)
		}
		st.Trials = append(st.Trials, t)
	}
	return st, nil
}

// trialOf reads a trial, whose values of parameters may be texts.
func (s *Study) trialOf(line []byte) (t Trial, err error) {
	raw := struct {
		*Trial
		Params json.RawMessage `json:"params"`
		Stderr json.RawMessage `json:"stderr"` // a number, or an object of numbers
	}{Trial: &t}
	t.State = study.Complete
	switch err = decode(line, &raw); {
	case err != nil:
		return t, err
	case t.Name == "":
		return t, errors.New(`"name" is missing; bohier import --script prints the script that writes it`)
	case !slices.Contains([]study.State{study.Complete, study.Failed, study.Pending}, t.State):
		return t, fmt.Errorf("%q is no state", t.State)
	case t.State == study.Pending:
		return t, nil
	}
	params := jsonscan.Scanner{B: raw.Params}
	params.Object(func(name []byte) {
		v := Value{Name: string(name), JSON: params.Value(1)}
		if s.Texts && IsMissing(v.text()) {
			v.JSON = []byte("null")
		}
		t.Params = append(t.Params, v)
	})
	if params.Err != nil {
		return t, fmt.Errorf("params: %w", params.Err)
	}
	if len(raw.Stderr) > 0 && json.Unmarshal(raw.Stderr, &t.Stderr) != nil {
		if err := json.Unmarshal(raw.Stderr, &t.Stderrs); err != nil {
			return t, fmt.Errorf("stderr: %w", err)
		}
	}
	return t, nil
}
