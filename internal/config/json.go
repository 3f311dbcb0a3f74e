package config

import (
	"encoding/json"
	"path/filepath"

	"gopkg.in/yaml.v3"

	"bohier/internal/study"
)

// JSON is Print as a JSON object on one line, keys in the same order: what a
// journal keeps of its study. The command and the journal's own path are left
// out, for they are the machine's business and may hold secrets.
func JSON(st *study.Study) []byte {
	bare := *st
	bare.Run, bare.Journal = nil, filepath.Join(filepath.Dir(st.File), Stem(st.File)+".journal.jsonl") // the default is not printed
	var document yaml.Node
	if err := yaml.Unmarshal(Print(&bare), &document); err != nil {
		panic("config: " + err.Error()) // what Print writes always parses
	}
	return appendJSON(nil, document.Content[0])
}

func appendJSON(dst []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.MappingNode:
		dst = append(dst, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, n.Content[i].Value), ':')
			dst = appendJSON(dst, n.Content[i+1])
		}
		return append(dst, '}')
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, c := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, c)
		}
		return append(dst, ']')
	}
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&quoted == 0 && json.Valid([]byte(n.Value)) { // a number, true, false
		return append(dst, n.Value...)
	}
	return appendText(dst, n.Value)
}

func appendText(dst []byte, text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic("config: " + err.Error()) // texts always encode
	}
	return append(dst, b...)
}
