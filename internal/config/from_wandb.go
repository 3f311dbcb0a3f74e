package config

import (
	"math"

	"gopkg.in/yaml.v3"
)

// wandb reads a sweep of Weights & Biases. Nested parameters get dotted names.
func (c *converter) wandb(root *yaml.Node) {
	c.title = c.word(root, "name")
	if m := c.child(root, "metric"); m != nil && m.Kind == yaml.MappingNode {
		if s := c.word(m, "name"); s != "" {
			c.objective = s
		}
		if s := c.word(m, "goal"); s == "maximize" || s == "minimize" {
			c.direction = s
		} else if s != "" {
			c.errorf(c.child(m, "goal"), "", "the goal is minimize or maximize, not %q", s)
		}
	}
	for _, f := range c.pairs(root) {
		switch f.key.Value {
		case "early_terminate", "command", "program", "run_cap":
			c.warnf(f.key, "", "%s is left out", f.key.Value)
		}
	}
	list := c.child(root, "parameters")
	if list == nil || list.Kind != yaml.MappingNode {
		c.errorf(root, "", `there is no mapping "parameters"`)
		return
	}
	c.wandbParameters("", list)
}

func (c *converter) wandbParameters(prefix string, list *yaml.Node) {
	for _, f := range c.pairs(list) {
		if f.value.Kind != yaml.MappingNode {
			c.errorf(f.value, "", "a parameter is a mapping, not a %s", kindName(f.value))
			continue
		}
		name := prefix + f.key.Value
		if nested := c.child(f.value, "parameters"); nested != nil && nested.Kind == yaml.MappingNode {
			c.wandbParameters(name+".", nested)
			continue
		}
		c.wandbParameter(c.param(f.key, name), f.value)
	}
}

func (c *converter) wandbParameter(p *converted, n *yaml.Node) {
	kind := c.word(n, "distribution")
	min, max := c.child(n, "min"), c.child(n, "max")
	if kind == "" {
		switch {
		case c.child(n, "value") != nil:
			kind = "constant"
		case c.child(n, "values") != nil:
			kind = "categorical"
		case min != nil && max != nil && min.Tag == "!!int" && max.Tag == "!!int":
			kind = "int_uniform"
		default:
			kind = "uniform"
		}
	}
	switch kind {
	case "constant":
		if v := c.child(n, "value"); v != nil && v.Kind == yaml.ScalarNode {
			p.constant(v)
		} else {
			c.errorf(n, "", "the constant %s has no single value", p.name)
		}
		return
	case "categorical", "categorical_w_probabilities":
		c.choices(p, "categorical", c.child(n, "values"))
		if w := c.child(n, "probabilities"); w != nil {
			c.warnf(w, "", "the probabilities of %s are left out", p.name)
		}
		return
	}
	shapes := map[string]struct {
		kind             string
		log, exponent, q bool
	}{
		"int_uniform":            {kind: "int"},
		"uniform":                {kind: "float"},
		"q_uniform":              {kind: "float", q: true},
		"log_uniform":            {kind: "float", log: true, exponent: true},
		"log_uniform_values":     {kind: "float", log: true},
		"q_log_uniform":          {kind: "float", log: true, exponent: true, q: true},
		"q_log_uniform_values":   {kind: "float", log: true, q: true},
		"inv_log_uniform_values": {kind: "float", log: true},
	}
	s, ok := shapes[kind]
	if !ok {
		c.errorf(n, "use uniform, log_uniform_values, int_uniform or values", "the distribution %s has no bounds and cannot be converted", kind)
		return
	}
	lo, hi, ok := c.bounds(n, "min", "max")
	if !ok {
		return
	}
	if s.exponent { // the bounds are natural logarithms
		a, _ := parseNumber(lo)
		b, _ := parseNumber(hi)
		if math.Exp(a) == 0 || math.IsInf(math.Exp(b), 0) {
			c.errorf(n, "", "the bounds of %s are natural logarithms that are out of range", p.name)
			return
		}
		lo, hi = num(math.Exp(a)), num(math.Exp(b))
	}
	p.number(s.kind, lo, hi, s.log)
	if s.q {
		step := 1.0
		if q := c.child(n, "q"); q != nil {
			step, _ = c.number(q, "q")
		}
		p.keys.add("step", numberNode(step))
	}
}
