package config

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bohier/internal/lists"

	"gopkg.in/yaml.v3"
)

// Builders of yaml nodes for writing. Texts are quoted wherever a reader, this
// one or another, could take them for something else.

// plainText reports whether s is words with single blanks between: of letters and some signs, more
// signs after the first word. A number does not begin it.
func plainText(s string) bool {
	first := true
	for word := range strings.SplitSeq(s, " ") {
		for i, r := range word {
			switch {
			case unicode.IsLetter(r) || r == '_' || r == '/':
			case first && i == 0:
				return false
			case unicode.IsMark(r) || unicode.IsNumber(r) || strings.ContainsRune(".+-", r):
			case first || !strings.ContainsRune("<>=()*", r):
				return false
			}
		}
		if word == "" {
			return false
		}
		first = false
	}
	return true
}

var notPlain = []string{"null", "true", "false", "yes", "no", "on", "off", "nan", "inf"}

func textNode(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: textStyle(s)}
}

// textStyle is how a text is quoted; 0: not at all.
func textStyle(s string) yaml.Style {
	switch {
	case plainText(s) && !slices.Contains(notPlain, strings.ToLower(s)):
		return 0
	case strings.Contains(s, `"`) && !strings.ContainsAny(s, "'\n\t\\"):
		return yaml.SingleQuotedStyle
	}
	return yaml.DoubleQuotedStyle
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
