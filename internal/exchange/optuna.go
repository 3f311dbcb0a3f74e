package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bohier/internal/study"
)

// ours is what the names of attributes begin with that Export adds, so that Read finds
// what Optuna has no place for.
const ours = "bohier:"

// An optunaStudy is a study of Optuna, from whatever storage.
type optunaStudy struct {
	name       string
	directions []string // minimize, maximize; empty: not set
	metrics    []string // names of the objectives; nil: none given
	attrs      map[string]any
	trials     []*optunaTrial
}

type optunaTrial struct {
	number     int
	state      string // COMPLETE PRUNED FAIL RUNNING WAITING
	values     []float64
	params     []optunaParam
	attrs      map[string]any
	start, end string
	reported   int // intermediate values
}

type optunaParam struct {
	name     string
	internal float64
	kind     string // JSON of the distribution
}

// readOptuna reads a journal file, an SQLite database, the table of trials_dataframe,
// or a JSON object of distributions.
func readOptuna(in Input, o Options) (*Study, error) {
	text := bytes.TrimSpace(in.Data)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case bytes.HasPrefix(in.Data, sqliteMagic):
		return optunaFrom(in, o, readOptunaDB)
	case bytes.HasPrefix(text, []byte("{")) && bytes.Contains(first, []byte(`"op_code"`)):
		return optunaFrom(in, o, readOptunaJournal)
	case bytes.HasPrefix(text, []byte("{")):
		return &Study{Form: "optuna", Space: in.Data}, nil
	case bytes.HasPrefix(first, []byte("number,")) || bytes.HasPrefix(first, []byte(",number,")):
		return readOptunaTable(in)
	}
	return nil, unreadable(in, "a journal file, an SQLite database, the CSV of trials_dataframe, or a JSON object of distributions",
		"this is no storage of Optuna")
}

func optunaFrom(in Input, o Options, read func(Input) ([]*optunaStudy, error)) (*Study, error) {
	list, err := read(in)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.name
	}
	k, err := choose(in, names, o.Study)
	if err != nil {
		return nil, err
	}
	return list[k].study(in)
}

// study translates.
func (s *optunaStudy) study(in Input) (*Study, error) {
	out := &Study{Name: s.name, Form: "optuna"}
	for i := range max(1, len(s.directions)) {
		var o Objective
		if i < len(s.directions) {
			o.Direction = s.directions[i]
		}
		if i < len(s.metrics) {
			o.Name = s.metrics[i]
		}
		out.Objectives = append(out.Objectives, o)
	}
	if file, ok := s.attrs[ours+"study"].(string); ok {
		out.File = []byte(file)
	}
	known := newOptunaSpace()
	var left notes
	reported := 0
	for _, t := range s.trials {
		reported += t.reported
		trial := Trial{Name: strconv.Itoa(t.number), Why: strings.ToLower(t.state), State: study.Pending, Duration: elapsed(t.start, t.end)}
		switch t.state {
		case "COMPLETE":
			trial.State, trial.Scores = study.Complete, t.values
		case "FAIL":
			trial.State, trial.Why = study.Failed, "failed"
		}
		for _, p := range t.params {
			value, err := p.value()
			if err != nil {
				return nil, unreadable(in, "", "trial %d: %v", t.number, err)
			}
			trial.Params = append(trial.Params, Value{Name: p.name, JSON: value})
			known.add(p, &left)
		}
		if trial.State == study.Complete { // others may have ended before their last parameter
			known.saw(trial.Params)
		}
		trial.restore(t.attrs)
		out.Trials = append(out.Trials, trial)
	}
	if reported > 0 {
		out.Notes = append(out.Notes, study.Count(reported, "intermediate value")+" left out")
	}
	out.SpaceNotes = left.list("parameter")
	out.Space = known.json(&out.SpaceNotes)
	return out, nil
}

// restore sorts a trial's attributes: metrics, and what Export put there.
func (t *Trial) restore(attrs map[string]any) {
	for name, v := range attrs {
		own, isOurs := strings.CutPrefix(name, ours)
		if !isOurs {
			t.measured(name, v)
			continue
		}
		number, isNumber := v.(float64)
		switch {
		case own == "cost" && isNumber:
			t.Cost = &number
		case own == "stderr" && isNumber:
			t.Stderr = &number
		case strings.HasPrefix(own, "stderr.") && isNumber:
			if t.Stderrs == nil {
				t.Stderrs = map[string]float64{}
			}
			t.Stderrs[strings.TrimPrefix(own, "stderr.")] = number
		case own == "duration" && isNumber:
			t.Duration = &number
		case own == "note":
			t.Note, _ = v.(string)
		case strings.HasPrefix(own, "value.") && isNumber:
			if t.Values == nil {
				t.Values = map[string]float64{}
			}
			t.Values[strings.TrimPrefix(own, "value.")] = number
		}
	}
}

// optunaKind is what a distribution says of itself, in all versions of Optuna.
type optunaKind struct {
	Name       string `json:"name"`
	Attributes struct {
		Choices []json.RawMessage `json:"choices"`
		Low     float64           `json:"low"`
		High    float64           `json:"high"`
	} `json:"attributes"`
}

// value is the parameter's value as JSON.
func (p optunaParam) value() ([]byte, error) {
	var d optunaKind
	if err := decode([]byte(p.kind), &d); err != nil {
		return nil, fmt.Errorf("the distribution of %s cannot be read: %w", p.name, err)
	}
	switch {
	case d.Name == "CategoricalDistribution":
		k := int(p.internal)
		if k < 0 || k >= len(d.Attributes.Choices) {
			return nil, fmt.Errorf("%s has no choice %d", p.name, k)
		}
		return d.Attributes.Choices[k], nil
	case math.IsNaN(p.internal) || math.IsInf(p.internal, 0):
		return nil, fmt.Errorf("%s is %v", p.name, p.internal)
	}
	return []byte(strconv.FormatFloat(p.internal, 'g', -1, 64)), nil
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

// setParam adds a parameter or replaces its value.
func (t *optunaTrial) setParam(p optunaParam) {
	if k := slices.IndexFunc(t.params, func(q optunaParam) bool { return q.name == p.name }); k >= 0 {
		t.params[k] = p
		return
	}
	t.params = append(t.params, p)
}
