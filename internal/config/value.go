package config

import (
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/jsonscan"
	"bohier/internal/space"
)

// value is the raw value of the parameter that a text means, as the space of it alone has it. The error does not
// name the parameter.
func (d *decl) value(text string) (float64, error) {
	if d.alone == nil {
		p := d.param
		p.Condition, p.Default, p.Prior, p.Graph = nil, nil, nil, space.Graph{}
		var err error
		if d.alone, err = space.New([]space.Parameter{p}, nil, nil); err != nil {
			return 0, err
		}
	}
	v, err := d.alone.ParseValue(0, text)
	if lower := strings.ToLower(text); err != nil && (lower == "true" || lower == "false") {
		v, err = d.alone.ParseValue(0, lower)
	}
	if err == nil {
		c, _ := d.alone.Given(space.Assignment{0: v})
		err = d.alone.Proposable(c)
	}
	if err != nil {
		err = errors.New(strings.TrimPrefix(err.Error(), d.name+": "))
	}
	return v + 0, err // −0 + 0 = 0
}

// has reports whether a text is a value of the parameter.
func (d *decl) has(text string) bool {
	_, err := d.value(text)
	return err == nil
}

// offered is the hint for a text that is no value of the parameter.
func (d *decl) offered(text string) string {
	return fmt.Sprintf("%s (line %d)", space.Offered(text, "values", d.param.Values), d.key.Line)
}

// rawValue reads a value of a parameter as the space stores it. key names the purpose of the value.
func (r *decoder) rawValue(d *decl, n *yaml.Node, key string) (float64, bool) {
	if d.param.IsNumber() {
		if _, ok := r.number(n, key+" of "+d.name); !ok {
			return 0, false
		}
	}
	text, _, ok := r.typed(n, key+" of "+d.name)
	if !ok {
		return 0, false
	}
	v, err := d.value(text)
	switch {
	case err == nil:
	case d.param.IsNumber():
		r.errorf(n, "", "%s of %s: %v", key, d.name, err)
	default:
		r.errorf(n, d.offered(n.Value), "%s is not a value of %s", shown(n), d.name)
	}
	return v, err == nil
}

// maxNesting is how deep lists and mappings go in one value of a parameter. It leaves room for the record around them.
const maxNesting = 16

// typed is a value of a parameter: its text and its type in JSON. The text is that
// of the file, for a list or mapping compact JSON. what is its name in messages.
func (diag *diagnostics) typed(n *yaml.Node, what string) (text string, kind space.Literal, ok bool) {
	if n.Kind != yaml.ScalarNode {
		if deep := beyond(n, maxNesting); deep != nil {
			diag.errorf(deep, "", "%s is nested deeper than %d levels", what, maxNesting)
			return "", space.Structure, false
		}
		scalar := func(n *yaml.Node) []byte { return space.JSONValue(n.Value, scalarType(n)) }
		return string(appendJSON(nil, n, scalar)), space.Structure, true
	}
	if strings.ContainsAny(n.Value, "\x00\n") {
		diag.errorf(n, "", "%s holds a line break or a zero byte", what)
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
		return jsonNode(&jsonscan.Scanner{B: []byte(text)})
	case space.Null:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: text}
	}
	return plainNode(text)
}

// jsonNode is JSON on one line, with quotes where a text needs them. YAML would not read all of it: a key may be long,
// and a text hold characters that YAML writes as escapes.
func jsonNode(s *jsonscan.Scanner) *yaml.Node {
	n := listNode()
	switch s.Peek() {
	case '{':
		n.Kind = yaml.MappingNode
		s.Object(func(name []byte) { n.Content = append(n.Content, textNode(string(name)), jsonNode(s)) })
	case '[':
		s.Array(func() { n.Content = append(n.Content, jsonNode(s)) })
	case '"':
		return textNode(string(s.Text()))
	default:
		return plainNode(string(s.Value(0)))
	}
	return n
}
