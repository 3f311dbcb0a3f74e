package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/study"
)

// An optunaSpace is what the trials tell of a space that is a program: the
// distributions, and which parameters there are only for some values of a choice.
type optunaSpace struct {
	names []string // in order of appearance
	kinds map[string]map[string]any
	seen  [][]Value // of trials, as they were suggested
}

func newOptunaSpace() *optunaSpace { return &optunaSpace{kinds: map[string]map[string]any{}} }

// add takes a parameter's distribution. Where the ranges of trials differ, the widest
// is taken.
func (s *optunaSpace) add(p optunaParam, left *notes) {
	var d map[string]any
	if decode([]byte(p.kind), &d) != nil {
		return
	}
	old, known := s.kinds[p.name]
	if !known {
		s.names, s.kinds[p.name] = append(s.names, p.name), d
		return
	}
	a, _ := old["attributes"].(map[string]any)
	b, _ := d["attributes"].(map[string]any)
	low, ok1 := b["low"].(float64)
	high, ok2 := b["high"].(float64)
	oldLow, ok3 := a["low"].(float64)
	oldHigh, ok4 := a["high"].(float64)
	if ok1 && ok2 && ok3 && ok4 && (low < oldLow || high > oldHigh) {
		a["low"], a["high"] = min(low, oldLow), max(high, oldHigh)
		left.add("with ranges that differ between trials, the widest of which is taken", p.name)
	}
}

// saw remembers what a trial had.
func (s *optunaSpace) saw(params []Value) {
	if len(params) > 0 {
		s.seen = append(s.seen, params)
	}
}

// json is the space as config.From reads it, conditions included; nil without
// parameters.
func (s *optunaSpace) json(notes *[]string) []byte {
	if len(s.names) == 0 {
		return nil
	}
	var b bytes.Buffer
	b.WriteString("{")
	for i, name := range s.names {
		d := s.kinds[name]
		parent, values := s.condition(name)
		switch {
		case parent != "":
			d["active_if"] = map[string]any{parent: values}
			*notes = append(*notes, fmt.Sprintf("%s is active if %s is %s: inferred from %s", name, parent, shown(values), study.Count(len(s.seen), "trial")))
		case s.absent(name):
			*notes = append(*notes, fmt.Sprintf("%s is missing from some trials, and no choice explains which: write its active_if", name))
		}
		if i > 0 {
			b.WriteString(",")
		}
		key, _ := json.Marshal(name)
		value, _ := json.Marshal(d)
		fmt.Fprintf(&b, "\n%s: %s", key, value)
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

func shown(values []json.RawMessage) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return strings.Join(words, " or ")
}

func (s *optunaSpace) absent(name string) bool {
	return slices.ContainsFunc(s.seen, func(t []Value) bool { return position(t, name) < 0 })
}

// condition is a choice suggested before the parameter whose values tell the trials
// that have the parameter from those that do not; empty if there is none, or none is
// needed.
func (s *optunaSpace) condition(name string) (parent string, values []json.RawMessage) {
	if !s.absent(name) {
		return "", nil
	}
	for _, candidate := range s.names {
		if candidate == name || s.kinds[candidate]["name"] != "CategoricalDistribution" {
			continue
		}
		if with, ok := s.explains(candidate, name); ok {
			return candidate, with
		}
	}
	return "", nil
}

// explains reports whether candidate's values tell where name is, and with which.
func (s *optunaSpace) explains(candidate, name string) (with []json.RawMessage, ok bool) {
	has := func(list []json.RawMessage, v []byte) bool {
		return slices.ContainsFunc(list, func(w json.RawMessage) bool { return bytes.Equal(w, v) })
	}
	var without []json.RawMessage
	for _, t := range s.seen {
		at, here := position(t, candidate), position(t, name)
		switch {
		case here >= 0 && (at < 0 || at > here):
			return nil, false
		case at < 0:
		case here >= 0 && !has(with, t[at].JSON):
			with = append(with, t[at].JSON)
		case here < 0 && !has(without, t[at].JSON):
			without = append(without, t[at].JSON)
		}
	}
	disjoint := !slices.ContainsFunc(with, func(v json.RawMessage) bool { return has(without, v) })
	return with, disjoint && len(with) > 0 && len(without) > 0
}

func position(params []Value, name string) int {
	return slices.IndexFunc(params, func(v Value) bool { return v.Name == name })
}
