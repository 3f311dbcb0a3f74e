package exchange

import (
	"bytes"
	"cmp"
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
		certain := len(found) > 0 && found[0].chance <= maxChance &&
			(len(found) == 1 || found[1].chance >= minRatio*found[0].chance)
		switch {
		case !slices.ContainsFunc(seen, func(t map[string]json.RawMessage) bool { return t[name] == nil }):
		case certain:
			extra["active_if"], extra["perhaps"] = found[0].condition, found[0].open
			s.SpaceNotes = append(s.SpaceNotes,
				fmt.Sprintf("%s has active_if: %s, inferred from %s", name, found[0].condition, study.Count(len(seen), "trial")))
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
func explain(earlier []string, kinds map[string]json.RawMessage, seen []map[string]json.RawMessage,
	name string) []explanation {
	var out []explanation
	for _, parent := range earlier {
		active := map[string]bool{} // by the parent's value, as JSON
		with, all, told := 0, 0, true
		for _, t := range seen {
			v, here := string(t[parent]), t[name] != nil
			if t[parent] == nil {
				told = told && !here
				continue
			}
			before, known := active[v]
			told, active[v] = told && (!known || before == here), here
			if all++; here {
				with++
			}
		}
		if !told || with == 0 || with == all {
			continue
		}
		var d struct {
			Name       string `json:"name"`
			Attributes struct {
				Choices []json.RawMessage `json:"choices"`
			} `json:"attributes"`
		}
		if decode(kinds[parent], &d) != nil {
			continue
		}
		by, ways := byThreshold, float64(2*(len(active)-1)) // to place a bound among the values seen
		if d.Name == "CategoricalDistribution" {
			by, ways = byChoice, math.Exp2(float64(len(active)))
		}
		if e, ok := by(d.Attributes.Choices, strings.HasPrefix(d.Name, "Int"), active); ok {
			e.condition = word(space.NameOf(parent)) + e.condition
			e.chance = math.Exp(math.Log(ways) - logChoose(all, with))
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b explanation) int { return cmp.Compare(a.chance, b.chance) })
	return out
}

// byChoice explains by the values of a choice with which a parameter is active.
func byChoice(choices []json.RawMessage, _ bool, active map[string]bool) (e explanation, ok bool) {
	var words, unseen []string
	for _, c := range choices {
		if here, seen := active[string(c)]; here {
			words = append(words, literal(c))
		} else if !seen {
			unseen = append(unseen, literal(c))
		}
	}
	if e.condition = " in [" + strings.Join(words, ", ") + "]"; len(words) == 1 {
		e.condition = " == " + words[0]
	}
	if len(unseen) > 0 {
		e.open = "no trial has " + strings.Join(unseen, " or ")
	}
	return e, len(words) > 0
}

// byThreshold explains by a bound of a number.
func byThreshold(_ []json.RawMessage, whole bool, active map[string]bool) (e explanation, ok bool) {
	low, high := map[bool]float64{true: math.Inf(1), false: math.Inf(1)},
		map[bool]float64{true: math.Inf(-1), false: math.Inf(-1)}
	for text, here := range active {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return e, false
		}
		low[here], high[here] = min(low[here], v), max(high[here], v)
	}
	below, above := high[false], low[true]
	e.condition = " >= " + number(above)
	if high[true] < low[false] {
		below, above = high[true], low[false]
		e.condition = " <= " + number(below)
	}
	if !whole || above-below != 1 {
		e.open = "no trial is between " + number(below) + " and " + number(above)
	}
	return e, below < above
}

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
