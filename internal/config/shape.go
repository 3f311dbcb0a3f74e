package config

import (
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// A shape is the form of a value, in the words of keys.txt: reading, printing and the schema follow from them.
type shape struct {
	text        string
	form        form
	of          []*shape // the elements of a list, pair or mapping; the alternatives
	least, most float64  // of numbers
	above       bool     // least itself is too small
	elements    int      // fewest of a list
	definition  string   // of the schema, for a value that only loading knows in full
}

type form int

const (
	fixedForm form = iota // the text itself
	textForm
	wordForm // one of the key's words; any where the program lists none
	numberForm
	wholeForm
	boolForm
	timeForm
	valueForm   // a value of a parameter
	listForm    // of elements
	pairForm    // of elements
	mapForm     // from names that users choose
	sectionForm // with the keys below this one
	eitherForm
	otherForm // read by a function of its section
)

var (
	simpleForms = map[string]form{"text": textForm, "name": textForm, "word": wordForm, "true or false": boolForm,
		"time": timeForm, "any value": valueForm, "mapping": sectionForm, "parameter": otherForm,
		"density": sectionForm}
	definitions = map[string]string{"list of values": "values", "density": "density", "kernel": "kernel",
		"time": "duration", "condition": "condition", "list of conditions": "conditions", "mapping of parameters": "space"}
)

// shapeOf reads the words of a shape.
func shapeOf(text string) *shape {
	s := &shape{text: text, least: math.Inf(-1), most: math.Inf(1)}
	s.definition = definitions[text]
	if f, simple := simpleForms[text]; simple {
		if s.form = f; f == timeForm {
			s.text = "time, such as 90s, 30m, 2h, 1h30m or 2d"
		}
		return s
	}
	if one, other, several := strings.Cut(text, ", or "); several {
		a, b := shapeOf(one), shapeOf(other)
		s.form, s.of, s.text = eitherForm, []*shape{a, b}, a.text+", or "+b.text
		if b.form == eitherForm {
			s.of = append([]*shape{a}, b.of...)
		}
		return s
	}
	for _, several := range []struct {
		phrase   string
		form     form
		elements int
	}{
		{"list of at least two ", listForm, 2}, {"list of ", listForm, 1}, {"pair of ", pairForm, 2},
		{"mapping from names to ", mapForm, 0}, {"mapping of ", mapForm, 0},
	} {
		if elements, is := strings.CutPrefix(text, several.phrase); is {
			s.form, s.elements, s.of = several.form, several.elements, []*shape{shapeOf(singular(elements))}
			if s.definition != "" || s.of[0].form == mapForm { // a list that may be empty
				s.elements = 0
			}
			return s
		}
	}
	if s.definition != "" {
		s.form = otherForm
	}
	rest, whole := strings.CutPrefix(text, "whole ")
	if rest, number := strings.CutPrefix(rest, "number"); number {
		least, most, bounded := strings.Cut(strings.Replace(rest, ", at most ", " to ", 1), " to ")
		if bounded {
			s.most, _ = parseNumber(most)
		}
		if _, least, bounded = strings.Cut(strings.TrimSpace(least), " "); bounded {
			s.least, _ = parseNumber(least)
		}
		s.form, s.above = numberForm, strings.HasPrefix(rest, " above ")
		if whole { // whose upper end is a matter of sense, and not of the schema
			s.form, s.most = wholeForm, min(s.most, space.MaxInt)
			s.text, _, _ = strings.Cut(text, " to ")
		}
	}
	return s
}

// singular is the singular of a phrase.
func singular(phrase string) string {
	switch phrase {
	case "values":
		return "any value"
	case "densities":
		return "density"
	}
	first, rest, more := strings.Cut(phrase, " ")
	if first = strings.TrimSuffix(first, "s"); more {
		return first + " " + rest
	}
	return first
}

// misfit is the first node of a value that has another kind than its shape, with the shape that it
// should have; nil: all nodes fit.
func (s *shape) misfit(n *yaml.Node) (*yaml.Node, *shape) {
	kind := yaml.ScalarNode
	switch s.form {
	case valueForm, otherForm:
		return nil, nil
	case eitherForm:
		for _, a := range s.of {
			if bad, want := a.misfit(n); bad != n {
				return bad, want
			}
		}
		return n, s
	case listForm, pairForm:
		kind = yaml.SequenceNode
	case mapForm, sectionForm:
		kind = yaml.MappingNode
	}
	if n.Kind != kind || len(n.Content) < s.elements || s.form == pairForm && len(n.Content) > s.elements {
		return n, s
	}
	for i, c := range n.Content {
		if len(s.of) == 0 || s.form == mapForm && i%2 == 0 {
			continue
		}
		if bad, want := s.of[0].misfit(c); bad != nil {
			return bad, want
		}
	}
	return nil, nil
}

// noun is the shape in a sentence.
func (s *shape) noun() string {
	switch s.form {
	case boolForm, fixedForm:
		return s.text
	case eitherForm:
		return strings.Join(lists.Of(s.of, (*shape).noun), ", or ")
	case wordForm:
		return "a text"
	}
	return "a " + s.text
}

// alternative is the form that a value must have if it is none of the fixed words: the mapping for
// a mapping, else the last one that is none.
func (s *shape) alternative(mapping bool) *shape {
	if s.form != eitherForm {
		return s
	}
	for _, a := range slices.Backward(s.of) {
		if (a.form == sectionForm || a.form == mapForm) == mapping {
			return a
		}
	}
	return s.of[len(s.of)-1]
}

// wrong describes the numbers that are accepted; empty: as it is.
func (s *shape) wrong(v float64) string {
	bounded := s.most < space.MaxInt
	switch {
	case s.above && v > s.least && v <= s.most || !s.above && v >= s.least && v <= s.most:
		return ""
	case s.above && bounded:
		return "above " + num(s.least) + " and at most " + num(s.most)
	case s.above:
		return "above " + num(s.least)
	case bounded:
		return "from " + num(s.least) + " to " + num(s.most)
	}
	return "at least " + num(s.least)
}

// anything is the schema of a value of a parameter.
var anything = schemaObject{"type": []string{"string", "number", "boolean", "null", "array", "object"}}

// schema is the shape of a key's value as JSON Schema. A text may be written without quotes, so
// that a number or true is one too.
func (s *shape) schema(k *key, w *schemaWriter) schemaObject {
	if s.definition != "" {
		return ref(s.definition)
	}
	switch s.form {
	case fixedForm:
		if v, msg := parseNumber(s.text); msg == "" {
			return schemaObject{"const": v}
		}
		return schemaObject{"const": s.text}
	case textForm:
		return schemaObject{"type": []string{"string", "number", "boolean"}}
	case wordForm:
		return w.word(k)
	case boolForm:
		return schemaObject{"type": "boolean"}
	case valueForm:
		return anything
	case sectionForm:
		return w.section(k.path)
	case mapForm:
		return schemaObject{"type": "object", "additionalProperties": s.of[0].schema(k, w)}
	case eitherForm:
		return anyOf(lists.Of(s.of, func(a *shape) schemaObject { return a.schema(k, w) })...)
	case listForm, pairForm:
		list := schemaObject{"type": "array", "items": s.of[0].schema(k, w)}
		if s.elements > 1 {
			list["minItems"] = s.elements
		}
		if s.form == pairForm {
			list["maxItems"] = s.elements
		}
		return list
	}
	number := schemaObject{"type": "number"}
	if s.form == wholeForm {
		number["type"] = "integer"
	} else if !math.IsInf(s.most, 1) {
		number["maximum"] = s.most
	}
	if s.above {
		number["exclusiveMinimum"] = s.least
	} else if !math.IsInf(s.least, -1) {
		number["minimum"] = s.least
	}
	return number
}
