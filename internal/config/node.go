package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/study"
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

func newMap(style yaml.Style) *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Style: style} }

func flowMap() *yaml.Node { return newMap(yaml.FlowStyle) }

// addKey adds a key to a mapping; one without a value is left out.
func addKey(m *yaml.Node, key string, value *yaml.Node) {
	if value != nil {
		m.Content = append(m.Content, textNode(key), value)
	}
}

func boolNode(v bool) *yaml.Node { return plainNode(strconv.FormatBool(v)) }

// orNil is the mapping, or nil when it is empty.
func orNil(m *yaml.Node) *yaml.Node {
	if len(m.Content) == 0 {
		return nil
	}
	return m
}

// Template is a commented study file to start from, which loads as it stands.
//
//go:embed template.yaml
var Template []byte

// encode writes a node as a YAML document with two-space indents.
func encode(n *yaml.Node) []byte {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		panic("config: " + err.Error()) // nodes of UTF-8 always encode
	}
	return b.Bytes()
}

// JSON is Print as a JSON object on one line, keys in the same order: the study as a journal keeps it. The command and
// the journal's own path are left out, for they are the machine's business and may hold secrets.
func JSON(st *study.Study) []byte {
	bare := *st
	bare.Run = nil
	bare.Journal = filepath.Join(filepath.Dir(st.File), Stem(st.File)+".journal.jsonl") // the default is not printed
	return appendJSON(nil, printed(&bare), func(n *yaml.Node) []byte {
		if n.Tag != "!!str" && json.Valid([]byte(n.Value)) { // a number, true, false
			return []byte(n.Value)
		}
		return quoted(n.Value)
	})
}

// appendJSON appends a tree without aliases as compact JSON.
func appendJSON(dst []byte, n *yaml.Node, scalar func(*yaml.Node) []byte) []byte {
	if n.Kind == yaml.ScalarNode {
		return append(dst, scalar(n)...)
	}
	mapping := n.Kind == yaml.MappingNode
	first, last := byte('['), byte(']')
	if mapping {
		first, last = '{', '}'
	}
	dst = append(dst, first)
	for i, c := range n.Content {
		if i > 0 {
			between := byte(',')
			if mapping && i%2 == 1 {
				between = ':'
			}
			dst = append(dst, between)
		}
		if mapping && i%2 == 0 {
			dst = append(dst, quoted(c.Value)...)
		} else {
			dst = appendJSON(dst, c, scalar)
		}
	}
	return append(dst, last)
}

func quoted(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic("config: " + err.Error()) // texts always encode
	}
	return b
}
