package main

import (
	"bufio"
	"bytes"
	"encoding/json"

	"bohier/internal/space"
)

// readPoints reads configurations, one JSON object a line: the parameters, or an
// object that holds them under "params".
func readPoints(s call, sp *space.Space, file string) ([]space.Configuration, error) {
	data, err := s.readFile(file)
	if err != nil {
		return nil, err
	}
	var out []space.Configuration
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var wrapped struct {
			Params json.RawMessage `json:"params"`
		}
		_, isParameter := sp.Index("params")
		if json.Unmarshal(line, &wrapped) == nil && wrapped.Params != nil && !isParameter {
			line = wrapped.Params
		}
		c, err := sp.ParseJSON(line)
		if err != nil {
			return nil, usage(`a JSON object of parameters on each line`, "%s:%d: %v", shownFile(file), n, err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil {
		return nil, usage("", "%s: %v", shownFile(file), err)
	}
	if len(out) == 0 {
		return nil, usage("", "%s holds no configurations", shownFile(file))
	}
	return out, nil
}
