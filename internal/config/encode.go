package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"path/filepath"

	"gopkg.in/yaml.v3"

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
