package config

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// optuna reads a JSON object from names to distributions, each as Optuna's
// distribution_to_json writes it: an object, or a text that holds one. Optuna
// spaces are programs: conditions are there where somebody found them out.
func (c *converter) optuna(root *yaml.Node) {
	conditions := map[*converted]*yaml.Node{}
	for _, f := range c.pairs(root) {
		p := c.param(f.key, f.key.Value)
		n := f.value
		if n.Kind == yaml.ScalarNode {
			var inner yaml.Node
			if err := yaml.Unmarshal([]byte(n.Value), &inner); err != nil || len(inner.Content) == 0 {
				c.errorf(n, "", "this is not a distribution")
				continue
			}
			relocate(&inner, n)
			n = inner.Content[0]
		}
		if n.Kind != yaml.MappingNode {
			c.errorf(n, "", "this is not a distribution")
			continue
		}
		attributes := c.child(n, "attributes")
		if attributes == nil || attributes.Kind != yaml.MappingNode {
			c.errorf(n, "", `this is not a distribution: it has no "attributes"`)
			continue
		}
		c.distribution(p, n, attributes, c.word(n, "name"))
		if when := c.child(n, "active_if"); when != nil {
			conditions[p] = when
		}
	}
	for _, p := range c.params {
		if when := conditions[p]; when != nil {
			c.optunaCondition(p, when)
		}
	}
}

// optunaCondition reads {parent: [value, …]}.
func (c *converter) optunaCondition(p *converted, when *yaml.Node) {
	for _, f := range c.pairs(when) {
		parent := c.index[f.key.Value]
		if parent == nil || f.value.Kind != yaml.SequenceNode {
			c.errorf(when, "", "the condition of %s names no parameter with a list of values", p.name)
			return
		}
		var values []string
		for _, v := range f.value.Content {
			text, _, ok := c.typed(v, "a value of "+parent.name)
			if !ok {
				return
			}
			values = append(values, literalFor(parent, text))
		}
		p.when = append(p.when, quoteWord(parent.name)+" in ["+strings.Join(values, ", ")+"]")
	}
}

func (c *converter) distribution(p *converted, at, n *yaml.Node, name string) {
	if name == "CategoricalDistribution" {
		c.choices(p, "categorical", c.child(n, "choices"))
		return
	}
	kind, step, log := "float", "step", c.word(n, "log") == "true"
	switch name {
	case "FloatDistribution", "UniformDistribution":
	case "IntDistribution", "IntUniformDistribution":
		kind = "int"
	case "LogUniformDistribution":
		log = true
	case "IntLogUniformDistribution":
		kind, log = "int", true
	case "DiscreteUniformDistribution":
		step = "q"
	default:
		c.errorf(at, "", "%q is not a distribution that can be converted", name)
		return
	}
	lo, hi, ok := c.bounds(n, "low", "high")
	if !ok {
		return
	}
	p.number(kind, lo, hi, log)
	if q := c.child(n, step); q != nil {
		if v, ok := c.number(q, step); ok && !(kind == "int" && v == 1) {
			p.keys.add("step", numberNode(v))
		}
	}
}

// relocate gives every node of a tree the place of another, for text inside
// text.
func relocate(n, at *yaml.Node) {
	n.Line, n.Column = at.Line, at.Column
	if strings.TrimSpace(n.Value) == "" && n.Kind == yaml.ScalarNode && n.Tag == "" {
		n.Tag = "!!null"
	}
	for _, c := range n.Content {
		relocate(c, at)
	}
}
