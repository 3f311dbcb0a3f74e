package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

// EncodeYAML writes v as YAML with the keys, order and numbers its JSON has.
func EncodeYAML(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	n, err := nodeOfJSON(data)
	if err != nil {
		return nil, err
	}
	return encode(n)
}

// nodeOfJSON turns JSON into nodes, keeping order and the spelling of numbers.
// Collections without collections inside are written on one line.
func nodeOfJSON(data []byte) (*yaml.Node, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := jsonNode(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("text after the JSON value")
	}
	return n, nil
}

func jsonNode(d *json.Decoder) (*yaml.Node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		n := &yaml.Node{Kind: yaml.MappingNode}
		if t == '[' {
			n.Kind = yaml.SequenceNode
		}
		flat := true
		for d.More() {
			if n.Kind == yaml.MappingNode {
				k, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.Content = append(n.Content, textNode(k.(string)))
			}
			c, err := jsonNode(d)
			if err != nil {
				return nil, err
			}
			flat = flat && c.Kind == yaml.ScalarNode
			n.Content = append(n.Content, c)
		}
		if flat && n.Kind == yaml.SequenceNode || len(n.Content) == 0 {
			n.Style = yaml.FlowStyle
		}
		_, err := d.Token()
		return n, err
	case string:
		return textNode(t), nil
	case json.Number:
		return plainNode(t.String()), nil
	case bool:
		return boolNode(t), nil
	}
	return plainNode("null"), nil
}
