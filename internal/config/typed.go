package config

import (
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// maxNesting is how deep lists and mappings go in one value of a parameter. It
// leaves room for what a journal wraps around them.
const maxNesting = 16

// typed is a value of a parameter: its text and its type in JSON. The text is that
// of the file, for a list or mapping compact JSON. what names the value in
// messages.
func (l *loader) typed(n *yaml.Node, what string) (text string, kind space.Literal, ok bool) {
	n = deref(n)
	if n.Kind != yaml.ScalarNode {
		b, ok := l.nested(nil, n, what, 1)
		return string(b), space.Structure, ok
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
	case decimal.MatchString(n.Value) && !octal.MatchString(n.Value):
		return space.Number
	case strings.EqualFold(n.Value, "true") || strings.EqualFold(n.Value, "false"):
		if n.Tag == "!!bool" || n.Tag == "" {
			return space.Boolean
		}
	}
	return space.Text
}

// nested appends a list or mapping as compact JSON.
func (l *loader) nested(dst []byte, n *yaml.Node, what string, depth int) (b []byte, ok bool) {
	n = deref(n)
	if depth > maxNesting {
		l.errorf(n, "", "%s is nested deeper than %d levels", what, maxNesting)
		return dst, false
	}
	switch n.Kind {
	case yaml.MappingNode:
		dst = append(dst, '{')
		for i, f := range l.pairs(n) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, f.key.Value), ':')
			if dst, ok = l.nested(dst, f.value, what, depth+1); !ok {
				return dst, false
			}
		}
		return append(dst, '}'), true
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, c := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, ok = l.nested(dst, c, what, depth+1); !ok {
				return dst, false
			}
		}
		return append(dst, ']'), true
	}
	return append(dst, space.JSONValue(n.Value, scalarType(n))...), true
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
		return textNode(text)
	case space.Structure:
		n, err := nodeOfJSON([]byte(text))
		if err != nil {
			panic("config: " + err.Error()) // a space holds JSON only
		}
		return flow(n)
	}
	return plainNode(text)
}
