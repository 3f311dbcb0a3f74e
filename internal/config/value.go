package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// rawValue reads a value of a parameter as the space stores it. key says what
// the value is for.
func (l *loader) rawValue(d *decl, n *yaml.Node, key string) (float64, bool) {
	p := &d.param
	choice := p.Kind == space.Ordinal || p.Kind == space.Categorical
	if n.Kind != yaml.ScalarNode && !choice {
		l.errorf(n, "", "%s of %s must be a value, not a %s", key, d.name, kindName(n))
		return 0, false
	}
	switch p.Kind {
	case space.Bool:
		v, ok := l.boolean(n, key+" of "+d.name)
		if v {
			return 1, ok
		}
		return 0, ok
	case space.Ordinal, space.Categorical:
		if i := l.valueOf(p, n); i >= 0 {
			return float64(i), true
		}
		l.errorf(n, suggest(n.Value, "values", p.Values, d.line()), "%s is not a value of %s", shown(n), d.name)
		return 0, false
	case space.Constant:
		if i := l.valueOf(p, n); i == 0 {
			return 0, true
		}
		l.errorf(n, "leave it out", "%s is the constant %s (line %d)", d.name, p.Values[0], d.line())
		return 0, false
	}
	v, ok := l.number(n, key+" of "+d.name)
	if !ok {
		return 0, false
	}
	v, msg := onGrid(p, v)
	if msg != "" {
		l.errorf(n, "", "%s of %s: %s", key, d.name, msg)
		return 0, false
	}
	return v, true
}

// valueIndex finds a choice's value by its text, else by the number or bool it writes or
// what the list or mapping holds.
func valueIndex(p *space.Parameter, text string) int {
	if i := slices.Index(p.Values, text); i >= 0 {
		return i
	}
	for i, v := range p.Values {
		if p.Literal(i) == space.Boolean && strings.EqualFold(text, v) {
			return i
		}
	}
	want, msg := parseNumber(text)
	if msg != "" {
		same := space.CanonicalValue(text, space.Structure)
		return slices.IndexFunc(p.Values, func(s string) bool {
			return same != "" && space.CanonicalValue(s, space.Structure) == same
		})
	}
	return slices.IndexFunc(p.Values, func(s string) bool {
		v, msg := parseNumber(s)
		return msg == "" && v == want
	})
}

// onGrid is the value of a numeric parameter that v means, which rounding in
// another program may have moved a little; msg says why there is none.
func onGrid(p *space.Parameter, v float64) (value float64, msg string) {
	switch {
	case v < p.Low || v > p.High:
		return v, fmt.Sprintf("%s is outside %s to %s", num(v), num(p.Low), num(p.High))
	case p.Kind == space.Int && v != math.Trunc(v):
		return v, fmt.Sprintf("%s is not a whole number", num(v))
	case p.Step == 0 && p.Precision == 0:
		return v, ""
	}
	alone := *p
	alone.Condition, alone.Default, alone.Prior = nil, nil, nil
	s, err := space.New([]space.Parameter{alone}, nil, nil)
	if err == nil {
		v, err = s.ParseValue(0, num(v))
	}
	if err != nil {
		return v, strings.TrimPrefix(err.Error(), p.Name+": ")
	}
	return v, ""
}

// maxNesting is how deep lists and mappings go in one value of a parameter. It
// leaves room for what a journal wraps around them.
const maxNesting = 16

// typed is a value of a parameter: its text and its type in JSON. The text is that
// of the file, for a list or mapping compact JSON. what names the value in
// messages.
func (l *loader) typed(n *yaml.Node, what string) (text string, kind space.Literal, ok bool) {
	if n.Kind != yaml.ScalarNode {
		if deep := beyond(n, maxNesting); deep != nil {
			l.errorf(deep, "", "%s is nested deeper than %d levels", what, maxNesting)
			return "", space.Structure, false
		}
		scalar := func(n *yaml.Node) []byte { return space.JSONValue(n.Value, scalarType(n)) }
		return string(appendJSON(nil, n, scalar)), space.Structure, true
	}
	if strings.ContainsAny(n.Value, "\x00\n") {
		l.errorf(n, "", "%s holds a line break or a zero byte", what)
		return "", space.Text, false
	}
	kind = scalarType(n)
	if kind == space.Null {
		return "null", kind, true
	}
	return n.Value, kind, true
}

// scalarType is how JSON writes a scalar of a file.
func scalarType(n *yaml.Node) space.Literal {
	switch {
	case n.Style != 0:
		return space.Text
	case isNull(n):
		return space.Null
	case decimal().MatchString(n.Value) && !octal().MatchString(n.Value):
		return space.Number
	case strings.EqualFold(n.Value, "true") || strings.EqualFold(n.Value, "false"):
		if n.Tag == "!!bool" || n.Tag == "" {
			return space.Boolean
		}
	}
	return space.Text
}

// beyond is the first node so many levels below one; nil: there is none.
func beyond(n *yaml.Node, levels int) *yaml.Node {
	if levels == 0 {
		return n
	}
	for i, c := range n.Content {
		if deep := beyond(c, levels-1); deep != nil && (n.Kind == yaml.SequenceNode || i%2 == 1) {
			return deep
		}
	}
	return nil
}

// valueOf is the index of a choice's value that a node means, or −1: by its text,
// else by the number it writes, else by what the list or mapping holds.
func (l *loader) valueOf(p *space.Parameter, n *yaml.Node) int {
	errs := len(l.errs)
	text, _, ok := l.typed(n, "a value of "+p.Name)
	l.errs = l.errs[:errs] // it is not a value, whatever else is wrong with it
	if !ok {
		return -1
	}
	return valueIndex(p, text)
}

// valueNode writes value k of a choice or constant so that it is read with its type.
func valueNode(p *space.Parameter, k int) *yaml.Node {
	return typedNode(p.Values[k], p.Literal(k))
}

func typedNode(text string, kind space.Literal) *yaml.Node {
	switch kind {
	case space.Text:
		n := textNode(text)
		if otherBool().MatchString(text) || otherNumber().MatchString(text) {
			n.Style = yaml.DoubleQuotedStyle // for other readers of YAML
		}
		return n
	case space.Structure:
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			panic("config: " + err.Error()) // JSON is YAML
		}
		return jsonNode(document.Content[0])
	case space.Null:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: text}
	}
	return plainNode(text)
}

// jsonNode is a tree of JSON on one line, with quotes where a text needs them.
func jsonNode(n *yaml.Node) *yaml.Node {
	switch {
	case n.Kind != yaml.ScalarNode:
		return &yaml.Node{Kind: n.Kind, Style: yaml.FlowStyle, Content: lists.Of(n.Content, jsonNode)}
	case n.Style == 0:
		return plainNode(n.Value)
	}
	return textNode(n.Value)
}
