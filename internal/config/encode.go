package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"bohier/internal/jsonscan"
	"bohier/internal/study"
)

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

// EncodeYAML writes v as YAML with the keys, order and numbers its JSON has.
func EncodeYAML(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if w := (yamlWriter{in: jsonscan.Scanner{B: data}}); w.write() {
		return w.out, nil
	}
	return encode(nodeOfJSON(data)), nil
}

// A yamlWriter writes compact JSON as encode writes its nodes, in a fraction of the time: a long list has
// many. It gives up where a text takes more than the usual escapes, or its form depends on its place.
type yamlWriter struct {
	in    jsonscan.Scanner
	out   []byte
	given bool // up
}

// write reports whether it has written the value.
func (w *yamlWriter) write() bool {
	w.value(0, false)
	return w.in.Err == nil && !w.given
}

// value writes a value at a column: behind "- " or, as that of a key, behind its colon.
func (w *yamlWriter) value(column int, ofKey bool) {
	at, end := w.in.At, len(w.out)
	if ofKey {
		w.out = append(w.out, ' ')
	}
	if w.line() {
		w.out = append(w.out, '\n')
		return
	}
	w.in.At, w.out = at, w.out[:end]
	lead := append([]byte{'\n'}, bytes.Repeat([]byte{' '}, column)...)
	if ofKey {
		w.out = append(w.out, lead...)
	}
	lead = lead[1:]
	next := func() {
		if at > 0 {
			w.out = append(w.out, lead...)
		}
		at = 1
	}
	if at = 0; w.in.Peek() == '[' {
		w.in.Array(func() {
			next()
			w.out = append(w.out, "- "...)
			w.value(column+2, false)
		})
		return
	}
	w.in.Object(func(name []byte) {
		const longest = 128 // bytes of a key that needs no mark of its own
		w.given = w.given || len(name) > longest || bytes.IndexByte(name, '\n') >= 0
		next()
		w.text(string(name))
		w.out = append(w.out, ':')
		w.value(column+2, true)
	})
}

// line writes a scalar, an empty collection or a list of scalars; false: the value is something else.
func (w *yamlWriter) line() bool {
	switch w.in.Peek() {
	case '{':
		if !bytes.HasPrefix(w.in.B[w.in.At:], []byte("{}")) {
			return false
		}
		fallthrough
	default:
		w.out = append(w.out, w.in.Value(0)...)
	case '"':
		w.text(string(w.in.Text()))
	case '[':
		if bytes.HasPrefix(w.in.B[w.in.At:], []byte("[{")) { // most often, and so sooner found
			return false
		}
		w.out = append(w.out, '[')
		begin, flat := len(w.out), true
		w.in.Array(func() {
			if len(w.out) > begin {
				w.out = append(w.out, ", "...)
			}
			if c := w.in.Peek(); c == '{' || c == '[' {
				flat = false
				w.in.Value(0)
				return
			}
			w.line()
		})
		w.out = append(w.out, ']')
		return flat
	}
	return true
}

func (w *yamlWriter) text(s string) {
	w.given = w.given || strings.ContainsFunc(s, rarelyEscaped)
	switch textStyle(s) {
	case yaml.DoubleQuotedStyle:
		w.out = append(append(append(w.out, '"'), usualEscapes().Replace(s)...), '"')
	case yaml.SingleQuotedStyle:
		w.out = append(append(append(w.out, '\''), s...), '\'')
	default:
		w.out = append(w.out, s...)
	}
}

var usualEscapes = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
})

// rarelyEscaped reports whether the library escapes a character otherwise than by usualEscapes.
func rarelyEscaped(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r > '~' && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0xfeff
}

// nodeOfJSON turns JSON into nodes, keeping order and the spelling of numbers. Collections without
// collections inside are written on one line.
func nodeOfJSON(data []byte) *yaml.Node {
	s := jsonscan.Scanner{B: data}
	n := readNode(&s)
	if s.End(); s.Err != nil {
		panic("config: " + s.Err.Error())
	}
	return n
}

func readNode(s *jsonscan.Scanner) *yaml.Node {
	n, flat := &yaml.Node{Kind: yaml.SequenceNode}, true
	switch s.Peek() {
	case '{':
		n.Kind, flat = yaml.MappingNode, false
		s.Object(func(name []byte) { n.Content = append(n.Content, textNode(string(name)), readNode(s)) })
	case '[':
		s.Array(func() {
			c := readNode(s)
			n.Content, flat = append(n.Content, c), flat && c.Kind == yaml.ScalarNode
		})
	case '"':
		return textNode(string(s.Text()))
	default:
		return plainNode(string(s.Value(0)))
	}
	if flat || len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n
}

// JSON is Print as a JSON object on one line, keys in the same order: what a
// journal keeps of its study. The command and the journal's own path are left
// out, for they are the machine's business and may hold secrets.
func JSON(st *study.Study) []byte {
	bare := *st
	bare.Run = nil
	bare.Journal = filepath.Join(filepath.Dir(st.File), Stem(st.File)+".journal.jsonl") // the default is not printed
	return appendJSON(nil, printed(&bare), func(n *yaml.Node) []byte {
		if n.Style == 0 && json.Valid([]byte(n.Value)) { // a number, true, false
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
	dst = append(dst, map[bool]byte{true: '{', false: '['}[mapping])
	for i, c := range n.Content {
		if i > 0 {
			dst = append(dst, map[bool]byte{true: ':', false: ','}[mapping && i%2 == 1])
		}
		if mapping && i%2 == 0 {
			dst = append(dst, quoted(c.Value)...)
		} else {
			dst = appendJSON(dst, c, scalar)
		}
	}
	return append(dst, map[bool]byte{true: '}', false: ']'}[mapping])
}

func quoted(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic("config: " + err.Error()) // texts always encode
	}
	return b
}
