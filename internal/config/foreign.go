package config

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Distribution is how a distribution of another tool is written here.
type Distribution struct {
	Kind, Scale string
	Step        bool // the values are multiples of q
	Exponent    bool // the bounds are natural logarithms
	Inverse     bool // of the reciprocal
	Normal      bool // a mean and a standard deviation, in place of bounds
}

// Distributions are those of Weights & Biases, Optuna, NNI, Ray Tune and Hyperopt, by their
// names there.
var Distributions = func() map[string]Distribution {
	all := map[string]Distribution{}
	for line := range strings.Lines(distributions) {
		words := strings.Fields(line)
		has := func(word string) bool { return slices.Contains(words[2:], word) }
		d := Distribution{Kind: words[1], Step: has("step"), Exponent: has("exponent"), Inverse: has("inverse"),
			Normal: has("normal")}
		if has("log") {
			d.Scale = "log"
		}
		all[words[0]] = d
	}
	return all
}()

//go:embed distributions.txt
var distributions string // a line each: name, kind, and what else it is

// inOurWords is a parameter with the distribution of another tool as a study file
// has it, with the bounds of its own node where it gives them; "" if the
// distribution is not known.
func inOurWords(name string, n *yaml.Node) string {
	d, known := Distributions[name]
	if d.Normal {
		return "{type: float, low: …, high: …, prior: {mode: …}}: a range, and where good values are believed to lie"
	}
	if strings.HasPrefix(name, "categorical") || name == "constant" {
		return map[bool]string{true: "{value: …}", false: "{type: categorical, values: [...]}"}[name == "constant"]
	}
	if !known {
		return ""
	}
	bound := func(names ...string) string {
		for _, key := range names {
			if v := lookup(n, key); v != nil && v.Kind == yaml.ScalarNode && !d.Exponent {
				return v.Value
			}
		}
		return "…"
	}
	kind, low, high, step := d.Kind, bound("low", "min", "lower"), bound("high", "max", "upper"), ""
	if d.Step {
		q := bound("step", "q")
		step = ", step: " + q
		a, wrong1 := parseNumber(low)
		b, wrong2 := parseNumber(high)
		// which counts from low
		if v, wrong := parseNumber(q); name != "discrete_uniform" && wrong+wrong1+wrong2 == "" && v > 0 {
			a, b = Multiples(a, b, v)
			low, high = num(a), num(b)
			if v == math.Trunc(v) {
				kind = "int"
			}
			if v == 1 {
				step = ""
			}
		}
	}
	scale := ""
	if d.Scale != "" {
		scale = ", scale: " + d.Scale
	}
	return "{type: " + kind + ", low: " + low + ", high: " + high + scale + step + "}"
}

// foreign reports a parameter that is written as a sweep of Weights & Biases has it.
func (l *loader) foreign(d *decl, n *yaml.Node) bool {
	for _, f := range pairs(n) {
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
