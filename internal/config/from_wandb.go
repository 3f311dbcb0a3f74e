package config

import (
	"math"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
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
		case "early_terminate":
			c.wandbFidelity(f.key, f.value)
		case "run_cap":
			c.trials, _ = c.integer(f.value, "run_cap", 1, space.MaxInt)
		}
	}
	list := c.child(root, "parameters")
	if list == nil || list.Kind != yaml.MappingNode {
		c.errorf(root, "", `there is no mapping "parameters"`)
		return
	}
	c.wandbParameters("", list)
	c.wandbCommand(root)
}

// wandbFidelity turns an early end by brackets into a fidelity. What W&B counts is the
// values that were logged, and it judges them at min_iter, eta·min_iter and so on or, of
// max_iter, at max_iter/eta and so on, s times.
func (c *converter) wandbFidelity(at, early *yaml.Node) {
	number := func(name string, usual int) int {
		if n := c.child(early, name); n != nil {
			usual, _ = c.integer(n, "early_terminate."+name, 1, space.MaxInt)
		}
		return usual
	}
	low, high, eta := number("min_iter", 0), number("max_iter", 0), number("eta", 3)
	if s := number("s", 1); low == 0 && high > 0 && eta > 1 {
		low = max(1, int(math.Round(float64(high)/math.Pow(float64(eta), float64(s)))))
	}
	if kind := c.word(early, "type"); kind != "hyperband" || high <= low {
		c.warnf(at, "say how much training is all of it: fidelity: {name: iterations, low: 3, high: 81}", "early_terminate is left out: it names no max_iter")
		return
	}
	c.fidelity = flowMap()
	c.fidelity.add("name", textNode("iterations"))
	c.fidelity.number("low", float64(low), 0)
	c.fidelity.number("high", float64(high), 0)
	c.fidelity.number("eta", float64(eta), 3)
	c.warnf(at, `it prints {"iterations": 3, "`+c.objective+`": 0.3} after each, and ends early where it gets TERM`, "the command has to count iterations")
}

// wandbCommand turns the command of a sweep, or the one that goes with a program,
// into arguments with placeholders.
func (c *converter) wandbCommand(root *yaml.Node) {
	program, at := c.word(root, "program"), c.child(root, "command")
	parts := []string{"${env}", "${interpreter}", "${program}", "${args}"}
	switch {
	case at != nil && at.Kind != yaml.SequenceNode:
		c.errorf(at, "", "command must be a list, not a %s", kindName(at))
		return
	case at != nil:
		parts = c.texts(at, "command")
	case program == "":
		return
	default:
		at = c.child(root, "program")
	}
	out := listNode()
	add := func(s string) { out.Content = append(out.Content, textNode(s)) }
	for k, part := range parts {
		switch part {
		case "${env}":
			if k+1 < len(parts) {
				add("/usr/bin/env")
			}
		case "${interpreter}":
			add("python")
		case "${program}":
			if program == "" {
				c.errorf(at, "name it: program: train.py", "the command needs a program, and the sweep has none")
			}
			add(program)
		case "${args}", "${args_no_boolean_flags}":
			c.wandbArguments(add, "--")
		case "${args_no_hyphens}":
			c.wandbArguments(add, "")
		default:
			if strings.Contains(part, "${") {
				c.warnf(at, "the command finds the values in the JSON file named by BOHIER_PARAMS, and in BOHIER_P_NAME", "%s is left out of the command", part)
				continue
			}
			add(part)
		}
	}
	c.command = out
	c.warnAt(pos{at.Line, 1}, "its output ends with the number, or a line such as {\""+c.objective+"\": 0.3}; wandb.log is not read",
		"the command has to print %s", c.objective)
}

// wandbArguments adds an argument for each parameter.
func (c *converter) wandbArguments(add func(string), prefix string) {
	for _, p := range c.params {
		add(prefix + p.name + "={" + p.name + "}")
	}
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
	s, ok := distributions[kind]
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
	p.number(s.kind, lo, hi, s.scale == "log")
	if s.step {
		step := 1.0
		if q := c.child(n, "q"); q != nil {
			step, _ = c.number(q, "q")
		}
		p.keys.add("step", numberNode(step))
	}
}
