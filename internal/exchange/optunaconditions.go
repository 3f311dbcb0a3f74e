package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A space of Optuna is a program; its conditions show in which trials have a parameter.
// A condition is taken for certain where so good an explanation is seldom chance.
const (
	maxChance = 0.05 // that labels at random are explained as well
	minRatio  = 10   // between the chances of the best explanation and of the next
)

// An explanation of where a parameter is active: an earlier parameter, and its values.
type explanation struct {
	parent    string
	condition string  // in the language of study files
	open      string  // what the trials leave open; empty: nothing
	chance    float64 // that trials with and without the parameter are told apart by chance
}

// inferConditions adds to the distributions of the space the conditions that complete trials
// show: "active_if" where it is certain, "perhaps" with the candidates where it is not.
func (s *Study) inferConditions() error {
	names, kinds, err := members(s.Space)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		s.Space = nil
		return nil
	}
	var seen []map[string]json.RawMessage
	for _, t := range s.Trials {
		if t.State == study.Complete && len(t.Params) > 0 { // others may have ended before their last parameter
			values := map[string]json.RawMessage{}
			for _, p := range t.Params {
				values[p.Name] = p.JSON
			}
			seen = append(seen, values)
		}
	}
	var out bytes.Buffer
	for i, name := range names {
		found := explain(names[:i], kinds, seen, name)
		extra := map[string]string{}
		certain := len(found) > 0 && found[0].chance <= maxChance && (len(found) == 1 || found[1].chance >= minRatio*found[0].chance)
		switch {
		case !slices.ContainsFunc(seen, func(t map[string]json.RawMessage) bool { return t[name] == nil }):
		case certain:
			extra["active_if"], extra["perhaps"] = found[0].condition, found[0].open
			s.SpaceNotes = append(s.SpaceNotes, fmt.Sprintf("%s has active_if: %s, inferred from %s", name, found[0].condition, study.Count(len(seen), "trial")))
		default:
			var candidates []string
			for _, e := range found[:min(len(found), 3)] {
				candidates = append(candidates, "active_if: "+e.condition)
			}
			extra["perhaps"] = strings.Join(append(candidates, "")[:max(1, len(candidates))], ", or ")
			why := "no earlier parameter explains which: write its active_if"
			if len(candidates) > 0 {
				why = "it is not certain which: choose one of the conditions beside it"
			}
			s.SpaceNotes = append(s.SpaceNotes, name+" is missing from some trials, and "+why)
		}
		text, err := withMembers(kinds[name], extra)
		if err != nil {
			return err
		}
		key, _ := json.Marshal(name)
		fmt.Fprintf(&out, "%s\n%s: %s", map[bool]string{true: "{", false: ","}[i == 0], key, text)
	}
	out.WriteString("\n}\n")
	s.Space = out.Bytes()
	return nil
}

// withMembers adds texts that are not empty to a JSON object.
func withMembers(object json.RawMessage, extra map[string]string) ([]byte, error) {
	var m map[string]any
	if err := decode(object, &m); err != nil || m == nil {
		return object, err
	}
	for name, v := range extra {
		if v != "" {
			m[name] = v
		}
	}
	return json.Marshal(m)
}

// explain lists the explanations of where name is active, the least likely by chance first.
func explain(earlier []string, kinds map[string]json.RawMessage, seen []map[string]json.RawMessage, name string) []explanation {
	var out []explanation
	for _, parent := range earlier {
		var d struct {
			Name       string `json:"name"`
			Attributes struct {
				Choices []json.RawMessage `json:"choices"`
			} `json:"attributes"`
		}
		if decode(kinds[parent], &d) != nil {
			continue
		}
		var with, without []json.RawMessage
		orphan := false
		for _, t := range seen {
			switch {
			case t[parent] == nil:
				orphan = orphan || t[name] != nil
			case t[name] != nil:
				with = append(with, t[parent])
			default:
				without = append(without, t[parent])
			}
		}
		if orphan || len(with) == 0 || len(without) == 0 {
			continue
		}
		e, ok := explanation{}, false
		if d.Name == "CategoricalDistribution" {
			e, ok = byChoice(parent, d.Attributes.Choices, with, without)
		} else {
			e, ok = byThreshold(parent, strings.HasPrefix(d.Name, "Int"), with, without)
		}
		if ok {
			e.parent = parent
			e.chance = math.Exp(e.chance - logChoose(len(with)+len(without), len(with)))
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b explanation) int {
		switch {
		case a.chance < b.chance:
			return -1
		case a.chance > b.chance:
			return 1
		}
		return 0
	})
	return out
}

// byChoice explains by the values of a choice. The chance is the logarithm of the number of
// ways to divide the values that were seen.
func byChoice(parent string, choices, with, without []json.RawMessage) (explanation, bool) {
	holds := func(list []json.RawMessage, v json.RawMessage) bool {
		return slices.ContainsFunc(list, func(w json.RawMessage) bool { return bytes.Equal(w, v) })
	}
	if slices.ContainsFunc(with, func(v json.RawMessage) bool { return holds(without, v) }) {
		return explanation{}, false
	}
	var words, unseen []string
	divided := 0
	for _, c := range choices {
		var compact bytes.Buffer
		_ = json.Compact(&compact, c) // from a decoder
		switch c = compact.Bytes(); {
		case holds(with, c):
			words = append(words, literal(c))
			divided++
		case holds(without, c):
			divided++
		default:
			unseen = append(unseen, literal(c))
		}
	}
	if len(words) == 0 {
		return explanation{}, false
	}
	e := explanation{condition: word(space.NameOf(parent)) + " in [" + strings.Join(words, ", ") + "]", chance: float64(divided) * math.Ln2}
	if len(words) == 1 {
		e.condition = word(space.NameOf(parent)) + " == " + words[0]
	}
	if len(unseen) > 0 {
		e.open = "no trial has " + strings.Join(unseen, " or ")
	}
	return e, true
}

// byThreshold explains by a bound of a number. The chance is the logarithm of the number of
// ways to place one.
func byThreshold(parent string, whole bool, with, without []json.RawMessage) (explanation, bool) {
	lowWith, highWith, ok1 := extremes(with)
	lowWithout, highWithout, ok2 := extremes(without)
	if !ok1 || !ok2 {
		return explanation{}, false
	}
	e, gap := explanation{}, 0.0
	switch {
	case lowWith > highWithout:
		e.condition, gap = word(space.NameOf(parent))+" >= "+number(lowWith), lowWith-highWithout
		e.open = "no trial is between " + number(highWithout) + " and " + number(lowWith)
	case highWith < lowWithout:
		e.condition, gap = word(space.NameOf(parent))+" <= "+number(highWith), lowWithout-highWith
		e.open = "no trial is between " + number(highWith) + " and " + number(lowWithout)
	default:
		return explanation{}, false
	}
	if whole && gap == 1 {
		e.open = ""
	}
	different := map[string]bool{}
	for _, v := range slices.Concat(with, without) {
		different[string(v)] = true
	}
	e.chance = math.Log(2 * float64(len(different)-1))
	return e, true
}

func extremes(values []json.RawMessage) (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		x, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return 0, 0, false
		}
		low, high = min(low, x), max(high, x)
	}
	return low, high, true
}

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
