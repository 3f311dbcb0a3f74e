package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"bohier/internal/jsonscan"
	"bohier/internal/study"
)

// A headLine is the first line that a script prints: what is known of the study.
type headLine struct {
	Study
	Space json.RawMessage `json:"space"` // an object, or the text of a file
	Loose bool            `json:"loose"`
	Texts bool            `json:"texts"` // values of parameters are texts, as a table has them
}

// A trialLine is a trial as a script prints it.
type trialLine struct {
	Trial
	Params  json.RawMessage     `json:"params"`
	Scores  []*float64          `json:"scores"` // of objectives without names
	Values  map[string]*float64 `json:"values"`
	Stderr  json.RawMessage     `json:"stderr"` // a number, or an object of numbers
	Metrics map[string]any      `json:"metrics"`
}

// noNumber stands for the score that a trial lacks.
var noNumber = math.NaN()

// IsLines reports whether data is what a script printed.
func IsLines(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte(`{"import":`)) }

// ToolOf is the tool whose script printed data.
func ToolOf(data []byte) string {
	var head headLine
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	_ = decode(first, &head) // Read tells what is wrong with it
	return head.Tool
}

// readLines reads what the script of a tool printed of a study; an empty name stands for any.
func readLines(in Input, tool, name string) (*Study, error) {
	first, rest, _ := bytes.Cut(bytes.TrimSpace(in.Data), []byte("\n"))
	var head headLine
	if err := decode(first, &head); err != nil {
		return nil, unreadable(in, "", "line 1: %v", err)
	}
	st := &head.Study
	if st.Tool != tool {
		return nil, unreadable(in, "name it "+st.Tool+":"+in.Name, "this is a study of %s, not of %s", st.Tool, tool)
	}
	if name != "" && name != st.Name {
		return nil, unreadable(in, fmt.Sprintf("its study: %q", st.Name), "there is no study %q in it", name)
	}
	st.Form, st.Space = cmp.Or(st.Form, tool), head.Space
	var text string
	if json.Unmarshal(head.Space, &text) == nil {
		st.Space = []byte(text)
	}
	for n, line := range bytes.Split(rest, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		l := trialLine{Trial: Trial{State: study.Complete, Loose: head.Loose}}
		err := decode(line, &l)
		if err == nil {
			err = st.addLine(l, head.Texts)
		}
		if err != nil {
			return nil, unreadable(in, "", "line %d: %v", n+2, err)
		}
	}
	return st, nil
}

// addLine adds a trial, whose values of parameters may be texts.
func (s *Study) addLine(l trialLine, texts bool) error {
	t := l.Trial
	switch {
	case t.Name == "":
		return errors.New(`"name" is missing; bohier import --script prints the script that writes it`)
	case !slices.Contains([]study.State{study.Complete, study.Failed, study.Pending}, t.State):
		return fmt.Errorf("%q is no state", t.State)
	case t.State == study.Pending:
		s.Trials = append(s.Trials, t)
		return nil
	}
	params := jsonscan.Scanner{B: l.Params}
	params.Object(func(name []byte) {
		v := Value{Name: string(name), JSON: params.Value(1)}
		if texts && json.Unmarshal(v.JSON, &v.Text) == nil {
			v.JSON, v.Empty = nil, IsMissing(v.Text)
		}
		t.Params = append(t.Params, v)
	})
	if params.Err != nil {
		return fmt.Errorf("params: %w", params.Err)
	}
	for _, v := range l.Scores {
		if v == nil {
			v = &noNumber
		}
		t.Scores = append(t.Scores, *v)
	}
	t.Values = map[string]float64{}
	for name, v := range l.Values {
		if v != nil {
			t.Values[name] = *v
		}
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
