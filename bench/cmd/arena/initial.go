package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"bohier/bench/problems"
)

// designs are given initial designs by problem, without regard to case: points
// whose columns are the continuous parameters and then the nominal ones, in the
// problem's order, a choice by its index.
type designs map[string]struct {
	Runs []struct {
		X [][]float64 `json:"X"`
	} `json:"runs"`
}

func readDesigns(file string) (designs, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	d := designs{}
	for name, text := range raw {
		if len(text) > 0 && text[0] == '"' {
			continue // a remark
		}
		entry := d[""]
		if err := json.Unmarshal(text, &entry); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, name, err)
		}
		d[strings.ToLower(name)] = entry
	}
	return d, nil
}

// lines are the study file lines that make run number seed of a problem start
// with its given points and nothing else.
func (d designs) lines(p *problems.Problem, seed uint64) (string, error) {
	runs := d[p.Name].Runs
	if len(runs) == 0 {
		return "", fmt.Errorf("no initial designs for %s", p.Name)
	}
	x := runs[seed%uint64(len(runs))].X
	var b strings.Builder
	fmt.Fprintf(&b, "initial:\n  count: %d\n  points:\n", len(x))
	for _, row := range x {
		point, err := point(p, row)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "    - %s\n", point)
	}
	return b.String(), nil
}

// point is a row as a JSON object.
func point(p *problems.Problem, row []float64) ([]byte, error) {
	if len(row) != len(p.Params) {
		return nil, fmt.Errorf("%s has %d parameters, the design %d columns", p.Name, len(p.Params), len(row))
	}
	out := map[string]any{}
	k := 0
	for _, nominal := range []bool{false, true} {
		for _, q := range p.Params {
			if nominal != (q.Kind == problems.Categorical) {
				continue
			}
			if nominal {
				out[q.Name] = q.Choices[int(row[k])]
			} else {
				out[q.Name] = row[k]
			}
			k++
		}
	}
	return json.Marshal(out)
}
