package config

import (
	"strconv"
	"strings"

	"bohier/internal/lists"

	"gopkg.in/yaml.v3"
)

// Builders of yaml nodes for writing. The library quotes texts that it would read as something else.

// textNode is a text, on one line. To the library a number that is too large is a text, to the loader it is none.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.Contains(s, "\n") || decimal().MatchString(strings.ReplaceAll(s, "_", "")) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// plainNode writes a number, true or false.
func plainNode(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: s}
}

// numberNode writes a number, in the spelling messages use.
func numberNode(v float64) *yaml.Node { return plainNode(num(v)) }

func listNode(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle, Content: items}
}

// listOf is a list on one line, and linesOf one with a line for each item.
func listOf[T any](items []T, node func(T) *yaml.Node) *yaml.Node {
	return listNode(lists.Of(items, node)...)
}

func linesOf[T any](items []T, node func(T) *yaml.Node) *yaml.Node {
	n := listOf(items, node)
	n.Style = 0
	return n
}

func textsNode(texts []string) *yaml.Node { return listOf(texts, textNode) }

// A mapBuilder collects keys in order; nil values are left out.
type mapBuilder struct{ node *yaml.Node }

func newMap(style yaml.Style) mapBuilder {
	return mapBuilder{&yaml.Node{Kind: yaml.MappingNode, Style: style}}
}

func flowMap() mapBuilder { return newMap(yaml.FlowStyle) }

func (m mapBuilder) add(key string, value *yaml.Node) {
	if value != nil {
		m.node.Content = append(m.node.Content, textNode(key), value)
	}
}

func boolNode(v bool) *yaml.Node { return plainNode(strconv.FormatBool(v)) }

// orNil is the mapping, or nil when it is empty.
func (m mapBuilder) orNil() *yaml.Node {
	if len(m.node.Content) == 0 {
		return nil
	}
	return m.node
}
