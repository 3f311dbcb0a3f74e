package config

import "strings"

// Init writes a commented study file to start from. name is the study's name;
// an empty one is left out and the file's own name serves. The text loads as it
// stands.
func Init(name string) []byte {
	head := ""
	if name != "" {
		head = "name: " + scalarText(name) + "\n"
	}
	return []byte(strings.Replace(template, "NAME\n", head, 1))
}

// scalarText is a text as it stands in YAML.
func scalarText(s string) string {
	out, err := encode(textNode(s))
	if err != nil {
		return `""`
	}
	return strings.TrimSpace(string(out))
}

const template = `# A study: what to tune, and the number that says how good a setting is.
# Check it with: bohier check      All keys: bohier help study
version: 1
NAME
objective:
  name: loss               # the key your command prints: {"loss": 0.3}, or just the number
  direction: minimize      # or maximize
  # target: 0.01           # stop once reached

space:
  # Bounds are included and in real units; "scale: log" where ratios matter.
  learning_rate: {type: float, low: 1e-5, high: 1.0, scale: log}
  layers: {type: int, low: 1, high: 8}
  optimizer: [adam, sgd]                       # a bare list: unordered values
  batch: {type: ordinal, values: [16, 32, 64]} # values with an order
  # A parameter that exists only sometimes: as a mapping, or as an expression
  # such as active_if: optimizer == sgd and learning_rate > 1e-3
  momentum: {type: float, low: 0, high: 0.99, active_if: {optimizer: sgd}}

# Combinations that are never proposed, and relations that must hold:
# forbidden:
#   - {optimizer: adam, batch: 16}
# require:
#   - layers * 2 <= 10

# initial:
#   points: [{learning_rate: 0.001, optimizer: adam}]   # proposed first; may be partial

budget: {trials: 50}

# What "bohier run" starts for each trial. An argument whose parameter is
# inactive is dropped; [--momentum {momentum}] drops both words.
# run:
#   command: [python, train.py, "--lr={learning_rate}", "--layers={layers}", "[--momentum {momentum}]"]
#   timeout: 30m
`
