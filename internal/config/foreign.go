package config

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// spelling is how a distribution of another tool is written here.
type spelling struct {
	kind, scale string
	step        bool
	exponent    bool // the bounds are natural logarithms
}

// spellings of distributions, by their names in Weights & Biases, Optuna, Ray Tune
// and Hyperopt.
var distributions = map[string]spelling{
	"uniform":                {kind: "float"},
	"float_uniform":          {kind: "float"},
	"loguniform":             {kind: "float", scale: "log"},
	"log_uniform":            {kind: "float", scale: "log", exponent: true},
	"log_uniform_values":     {kind: "float", scale: "log"},
	"inv_log_uniform_values": {kind: "float", scale: "log"},
	"log":                    {kind: "float", scale: "log"},
	"quniform":               {kind: "float", step: true},
	"q_uniform":              {kind: "float", step: true},
	"q_log_uniform":          {kind: "float", scale: "log", step: true, exponent: true},
	"q_log_uniform_values":   {kind: "float", scale: "log", step: true},
	"qloguniform":            {kind: "float", scale: "log", step: true},
	"discrete_uniform":       {kind: "float", step: true},
	"randint":                {kind: "int"},
	"uniform_int":            {kind: "int"},
	"int_uniform":            {kind: "int"},
	"qrandint":               {kind: "int", step: true},
	"lograndint":             {kind: "int", scale: "log"},
	"log_int":                {kind: "int", scale: "log"},
}

// inOurWords is a parameter with the distribution of another tool as a study file
// has it, with the bounds of its own node where it gives them; "" if the
// distribution is not known.
func inOurWords(name string, n *yaml.Node) string {
	if strings.Contains(name, "normal") {
		return "{type: float, low: …, high: …, prior: {mode: …}}: a range, and where good values are believed to lie"
	}
	if strings.HasPrefix(name, "categorical") || name == "constant" {
		return map[bool]string{true: "{value: …}", false: "{type: categorical, values: [...]}"}[name == "constant"]
	}
	d, known := distributions[name]
	if !known {
		return ""
	}
	bound := func(names ...string) string {
		for _, key := range names {
			if v := lookup(n, key); v != nil && v.Kind == yaml.ScalarNode && !d.exponent {
				return v.Value
			}
		}
		return "…"
	}
	b := "{type: " + d.kind + ", low: " + bound("low", "min", "lower") + ", high: " + bound("high", "max", "upper")
	if d.scale != "" {
		b += ", scale: " + d.scale
	}
	if d.step {
		b += ", step: " + bound("step", "q")
	}
	return b + "}"
}

// foreign reports a parameter that is written as a sweep of Weights & Biases has it.
func (l *loader) foreign(d *decl, n *yaml.Node) bool {
	for _, f := range l.pairs(n) {
		if f.key.Value != "distribution" {
			continue
		}
		hint := "`bohier init --from wandb:FILE` converts a sweep of Weights & Biases"
		if here := inOurWords(f.value.Value, n); here != "" {
			hint = "write " + here + "; " + hint
		}
		l.errorf(f.key, hint, "%s has no key %q", d.name, f.key.Value)
		return true
	}
	return false
}
