package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lazy"
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
	return encode(nodeOfJSON(data)), nil
}

// notInYAML are the characters that JSON may hold as they are, and YAML only as escapes.
var notInYAML = lazy.Regexp(`[\x7f-\x{84}\x{86}-\x{9f}\x{fffe}\x{ffff}]`)

// nodeOfJSON turns JSON, which is YAML, into nodes, keeping order and the spelling of numbers.
// Collections without collections inside are written on one line.
func nodeOfJSON(data []byte) *yaml.Node {
	var document yaml.Node
	data = notInYAML().ReplaceAllFunc(data,
		func(r []byte) []byte { return fmt.Appendf(nil, `\u%04x`, []rune(string(r))[0]) })
	if err := yaml.Unmarshal(data, &document); err != nil {
		panic("config: " + err.Error())
	}
	restyle(document.Content[0])
	return document.Content[0]
}

func restyle(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		if n.Style == 0 {
			*n = *plainNode(n.Value)
		} else {
			*n = *textNode(n.Value)
		}
		return
	}
	flat := true
	for _, c := range n.Content {
		restyle(c)
		flat = flat && c.Kind == yaml.ScalarNode
	}
	if n.Style = 0; flat && n.Kind == yaml.SequenceNode || len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
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
	other := func(r rune) bool { return r < ' ' || r > '~' }
	if !strings.ContainsAny(text, `"\<>&`) && !strings.ContainsFunc(text, other) {
		return []byte(`"` + text + `"`)
	}
	b, err := json.Marshal(text)
	if err != nil {
		panic("config: " + err.Error()) // texts always encode
	}
	return b
}
